import { onceEach, safeName } from "../platform/http/archive-routes.ts";
import { textOf } from "../platform/text/texts.ts";
import type { Wanted } from "./download.archive.ts";
import type { Packed } from "./download.manifest.ts";
import { isVolume } from "./order.file-view.ts";
import type { Taken } from "./order.takes.ts";

/**
 * Returns the paths of the files in the archive: a folder for each kind of file, for each revision and for each volume,
 * in the reader's language; each name once.
 */
export function packedFiles(wanted: Wanted): Packed[] {
  const once = onceEach();
  return wanted.taken.flatMap((one): Packed[] => {
    const folder = folderOf(wanted, one);
    if (isVolume(one.file)) return slicesIn(wanted, one, once(folder, ""));
    const { base, ending } = split(safeName(one.name.split(/[\\/]/).at(-1) ?? "") || one.file.role);
    return [packed(one, one.file, once(`${folder}/${base}`, ending))];
  });
}

function folderOf({ language, revisions }: Wanted, { file }: Taken): string {
  const revision = revisions.find(({ id }) => id === file.revision_id);
  return safeName(
    revision
      ? textOf(language, "order", `detail.${revision.kind}Number`, { number: revision.number })
      : textOf(language, "order", `role.${file.role}`),
  );
}

/** Numbered if nothing may name the patient; several series have a folder each. */
function slicesIn({ slices }: Wanted, one: Taken, folder: string): Packed[] {
  const own = slices.filter(({ study_id }) => study_id === one.file.id);
  const isSplit = new Set(own.map(({ series }) => series)).size > 1;
  const once = onceEach();
  return own.map((slice) => {
    const inner = isSplit ? `${folder}/${slice.series + 1}` : folder;
    const number = String(slice.place + 1).padStart(4, "0");
    const name = one.clean === null ? safeName(slice.name.split(/[\\/]/).at(-1) ?? "") || number : number;
    const { base, ending } = split(name);
    return packed(one, slice, once(`${inner}/${base}`, ending || ".dcm"));
  });
}

const packed = (
  { file, clean }: Taken,
  { sha256, bytes, created_at }: { sha256: string; bytes: number; created_at: string },
  path: string,
): Packed => ({
  path,
  role: file.role,
  at: new Date(created_at),
  iid: file.owner_id,
  sha256,
  bytes,
  isDicom: file.content === "dicom",
  clean,
});

function split(name: string): { base: string; ending: string } {
  const ending = /\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0] ?? "";
  return { base: name.slice(0, name.length - ending.length), ending };
}
