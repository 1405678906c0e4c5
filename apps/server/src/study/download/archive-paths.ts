import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { uniqueNames, toSafeFileName as safe } from "../../platform/http/zip-archive-routes.ts";
import { translateDynamic, type Language } from "../../platform/text/texts.ts";
import type { PackedFile } from "./download.store.ts";

/** The name of the archive as people see it. */
export const archiveName = (patient: string, today: string): string => `${safe(patient) || "Arcada"} ${today}.zip`;

/**
 * Returns the paths of the files in the archive: a folder for each study by kind and day, and a folder for each of its
 * series if there are several; names as they came, each once, or numbers if nothing may name the patient.
 */
export function assignArchivePaths(
  files: readonly PackedFile[],
  how: { language: Language; isNameless: boolean; showsDates: boolean; zone: string },
): string[] {
  const folders = new Map<string, string>();
  const once = uniqueNames();
  const seriesOf = Map.groupBy(files, (file) => file.study_id);
  return files.map((file) => {
    const kind = translateDynamic(how.language, "study", `kind.${file.kind}`, file.kind);
    const day = how.showsDates ? ` ${file.taken_at?.slice(0, 10) ?? localDayIn(how.zone, file.created_at)}` : "";
    const folder = folders.get(file.study_id) ?? once(safe(kind + day), "");
    folders.set(file.study_id, folder);
    const isSplit = new Set(seriesOf.get(file.study_id)?.map(({ series }) => series)).size > 1;
    const inner = isSplit ? `${folder}/${file.series + 1}` : folder;
    if (how.isNameless)
      return once(`${inner}/${String(file.place + 1).padStart(4, "0")}`, `.${fileExtensions[file.format]}`);
    const { base, ending } = splitExtension(
      safe(baseName(file.name)) || String(file.place + 1),
      fileExtensions[file.format],
    );
    return once(`${inner}/${base}`, ending);
  });
}

const fileExtensions: Record<PackedFile["format"], string> = {
  dicom: "dcm",
  jpeg: "jpg",
  png: "png",
  tiff: "tif",
  stl: "stl",
  ply: "ply",
  obj: "obj",
  "3mf": "3mf",
  mtl: "mtl",
  pdf: "pdf",
  mp4: "mp4",
};

const baseName = (name: string): string => name.split(/[\\/]/).at(-1) ?? "";

function splitExtension(name: string, usual: string): { base: string; ending: string } {
  const ending = /\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0];
  return ending ? { base: name.slice(0, -ending.length), ending } : { base: name, ending: `.${usual}` };
}
