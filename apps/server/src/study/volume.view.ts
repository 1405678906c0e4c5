import { halfResolutionInfo, needsHalfResolution } from "@arcada/imaging/volume/half-resolution";
import type { Series } from "@arcada/contract/study/study.schema";
import { archImagesPlace, firstLookPlace } from "../tables/study-columns.ts";
import type { FileAddress } from "../platform/storage/file-url.ts";
import type { DerivedFileRow, SeriesRow, StudyRecord } from "./study.store.ts";

// Tuples, which the contract writes down as lists.
type WholeVolume = Parameters<typeof halfResolutionInfo>[0];

/** Slices in one file; packages/imaging/volume/transport packs them so. */
const slicesPerGroup = 8;

/** Returns the addresses of the parts of a volume that are converted so far; null for a series without one. */
export function toVolume(
  row: SeriesRow,
  { state }: StudyRecord,
  files: readonly DerivedFileRow[],
  sign: (file: FileAddress) => string,
): Series["volume"] {
  if (!row.volume) return null;
  const address = (file: DerivedFileRow, name: string, gzip: boolean) =>
    sign({ area: "converted", iid: row.institution_id, sha256: file.sha256, name, type: file.type, gzip });
  const [preview, firstLook, archImages] = [0, firstLookPlace, archImagesPlace].map((place) =>
    files.find((file) => file.role === "preview" && file.place === place),
  );
  const groupsOf = (wanted: "group" | "half", slices: number) => {
    const groups = Array.from({ length: Math.ceil(slices / slicesPerGroup) }, (): string | null => null);
    for (const file of files)
      if (file.role === wanted) groups[file.place] = address(file, `${wanted}-${file.place}.acvg`, false);
    return groups;
  };
  const isGrowing = row.volume.partial === true && state === "converting";
  const hasHalf = files.some(({ role }) => role === "half") || (isGrowing && needsHalfResolution(row.volume));
  const half = hasHalf ? halfResolutionInfo(row.volume as WholeVolume) : null;
  return {
    ...row.volume,
    preview: preview && row.preview ? { url: address(preview, "preview.i16", true), info: row.preview } : null,
    firstLook: firstLook && row.preview ? address(firstLook, "first-look.i16", true) : null,
    archImages: archImages && row.volume.arch ? address(archImages, "arch-images.bin", true) : null,
    half: half && { info: half, groups: groupsOf("half", half.slices) },
    groups: groupsOf("group", row.volume.slices),
    groupSize: slicesPerGroup,
    isGrowing,
  };
}
