import path from "node:path";
import { readDicom, type DicomFile } from "@arcada/imaging/dicom/read";
import { guessArch } from "@arcada/imaging/arch/guess";
import { toGrey8 } from "@arcada/imaging/picture/window";
import { makeHalf, needsHalf } from "@arcada/imaging/volume/half";
import { stackVolume, type StackedVolume } from "@arcada/imaging/volume/stack";
import type { Volume } from "@arcada/imaging/volume/volume";
import { groupSize } from "@arcada/imaging/volume/preview";
import { encodeGroup } from "@arcada/imaging/volume/transport";
import { middlePlanes } from "@arcada/imaging/view/middle-planes";
import type { VolumeInfo } from "../tables/study.ts";
import { sweep } from "../platform/jobs/sweeper.ts";
import { thumbnailOf, write, writeGrey16 } from "./picture-files.ts";
import { fileReader } from "./file-reader.ts";
import type { GroupPlace, Made, PixelResult, PixelTask, VolumeStep } from "./pixel-tasks.ts";
import { fileShelf } from "./slice-shelf.ts";

/**
 * Converts a volume for viewers: first the quarter-size preview, with which it can be viewed, then all slices without
 * loss in groups, each in its own file; for a large volume first the groups of its half size.
 */
export async function convertVolume(
  { paths, out, have }: Extract<PixelTask, { do: "volume" }>,
  onStep: (step: VolumeStep) => void,
  halfFrom?: number,
): Promise<PixelResult> {
  const shelf = fileShelf(path.join(out, "slices"));
  try {
    const files = filesOf(paths, (read) => onStep({ share: read * readShare }));
    const volume = await stackVolume(files, paths.length, shelf);
    const { info, preview } = volume;
    const shown = {
      info,
      preview: preview.info,
      thumbnail: await middleSlice(volume, out),
      files: {
        preview: writeGrey16(preview.data, out, "preview"),
        firstLook: writeGrey16(middlePlanes(info, preview), out, "first-look"),
      },
    };
    onStep({ share: readShare, shown });
    const half = needsHalf(info, halfFrom) ? 0.1 : 0;
    if (half > 0)
      await writeGroups(makeHalf(volume), "half", { out, have, span: [readShare, readShare + half], onStep });
    await writeGroups(volume, "group", { out, have, span: [readShare + half, 1], onStep });
    // Nothing waits for this: the volume can already be viewed.
    return { did: "volume", arch: archIn(preview) };
  } finally {
    shelf.close();
  }
}

const readShare = 0.3;

/** The arches of the jaws in mm, rounded to 0.01 mm; null if there are none. */
function archIn({ info, data }: Volume): VolumeInfo["arch"] {
  const found = guessArch(info, data);
  const rounded = (point: readonly number[]) => point.map((mm) => Math.round(mm * 100) / 100);
  if (!found) return null;
  const { up, edges } = found;
  return { upper: found.upper.map(rounded), lower: found.lower.map(rounded), up: [...up], edges };
}

interface Writing {
  out: string;
  have: readonly GroupPlace[];
  /** Begin and end of this step, as shares of the whole. */
  span: readonly [number, number];
  onStep: (step: VolumeStep) => void;
}

type Slices = Pick<StackedVolume, "info" | "slice">;

async function writeGroups(
  { info, slice }: Slices,
  role: GroupPlace["role"],
  { out, have, span: [from, to], onStep }: Writing,
): Promise<void> {
  const made = new Set(have.filter((one) => one.role === role).map(({ place }) => place));
  for (let first = 0; first < info.slices; first += groupSize) {
    const place = first / groupSize;
    if (made.has(place)) continue;
    const end = Math.min(first + groupSize, info.slices);
    const packed = await encodeGroup(slicesFrom(slice, first, end), info);
    const file = write(out, `${role}-${place}`, packed, "application/octet-stream");
    onStep({ share: from + ((to - from) * end) / info.slices, group: { ...file, role, place } });
    sweep("recent");
  }
}

function* slicesFrom(slice: Slices["slice"], first: number, end: number): Generator<Int16Array> {
  for (let place = first; place < end; place++) yield slice(place);
}

async function* filesOf(paths: readonly string[], onRead: (share: number) => void): AsyncGenerator<DicomFile> {
  const read = fileReader();
  for (const [place, path] of paths.entries()) {
    yield readDicom(read(path));
    if (place % groupSize > 0) continue;
    onRead((place + 1) / paths.length);
    sweep("recent");
  }
}

function middleSlice({ info, slice }: Slices, out: string): Promise<Made> {
  const data = slice(Math.floor(info.slices / 2));
  return thumbnailOf(
    {
      data: toGrey8({ data }, { ...info.window, inverted: false }),
      columns: info.columns,
      rows: info.rows,
      channels: 1,
    },
    out,
  );
}
