import { nameScansForThreeShape } from "@arcada/exchange/three-shape/three-shape-names";
import type { ScanNames } from "@arcada/exchange/three-shape/three-shape-names";
import { uniqueNames, toSafeFileName } from "../../platform/http/zip-archive-routes.ts";
import { translate } from "../../platform/text/texts.ts";
import { isVolume } from "../files/file-view.ts";
import { nameForExocad } from "./exocad-layout.ts";
import type { AccessibleFile } from "../files/file-access.ts";
import type { ArchiveContent, ArchiveFile } from "./archive-types.ts";

/**
 * Returns the paths of the files in the archive: a folder for each kind of file, for each revision and for each volume,
 * in the reader's language; each name once.
 */
export function nameArchiveFiles(content: ArchiveContent): ArchiveFile[] {
  const uniqueName = uniqueNames();
  return content.accessibleFiles.flatMap((one): ArchiveFile[] => {
    const folder = folderOf(content, one);
    if (isVolume(one.file)) return nameSlices(content, one, uniqueName(folder, ""));
    const { base, extension } = splitExtension(toSafeFileName(one.name.split(/[\\/]/).at(-1) ?? "") || one.file.role);
    const projectName = nameForProgram(content, one);
    return [toArchiveFile(one, one.file, uniqueName(projectName ?? `${folder}/${base}`, extension))];
  });
}

/** Null for files that the program does not look for, and for folders. */
function nameForProgram(content: ArchiveContent, one: AccessibleFile): string | null {
  if (content.layout === "exocad") return nameForExocad(content, one);
  if (content.layout === "folders" || !isScan(one.file.role)) return null;
  return nameScansForThreeShape(content.order.rx.items.flatMap(({ teeth }) => teeth))[one.file.role];
}
const isScan = (role: string): role is keyof ScanNames =>
  role === "upperScan" || role === "lowerScan" || role === "bite";

function folderOf({ language, revisions }: ArchiveContent, { file }: AccessibleFile): string {
  const revision = revisions.find(({ id }) => id === file.revision_id);
  return toSafeFileName(
    revision
      ? translate(language, "order", `detail.${revision.kind}Number`, { number: revision.number })
      : translate(language, "order", `role.${file.role}`),
  );
}

/** Numbered if nothing may name the patient; several series have a folder each. */
function nameSlices({ slices }: ArchiveContent, one: AccessibleFile, folder: string): ArchiveFile[] {
  const own = slices.filter(({ study_id }) => study_id === one.file.id);
  const isSplit = new Set(own.map(({ series }) => series)).size > 1;
  const uniqueName = uniqueNames();
  return own.map((slice) => {
    const inner = isSplit ? `${folder}/${slice.series + 1}` : folder;
    const number = String(slice.place + 1).padStart(4, "0");
    const name = one.deidentifyFor === null ? toSafeFileName(slice.name.split(/[\\/]/).at(-1) ?? "") || number : number;
    const { base, extension } = splitExtension(name);
    return toArchiveFile(one, slice, uniqueName(`${inner}/${base}`, extension || ".dcm"));
  });
}

const toArchiveFile = (
  { file, deidentifyFor }: AccessibleFile,
  { sha256, bytes, created_at }: { sha256: string; bytes: number; created_at: string },
  path: string,
): ArchiveFile => ({
  path,
  role: file.role,
  at: new Date(created_at),
  iid: file.owner_id,
  sha256,
  bytes,
  isDicom: file.content === "dicom",
  deidentifyFor,
});

function splitExtension(name: string): { base: string; extension: string } {
  const extension = /\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0] ?? "";
  return { base: name.slice(0, name.length - extension.length), extension };
}
