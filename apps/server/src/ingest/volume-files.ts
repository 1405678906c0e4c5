import { readFile } from "node:fs/promises";
import { readDicom, type DicomFile } from "@arcada/imaging/dicom/read";
import { toGrey8 } from "@arcada/imaging/picture/window";
import { makeHalf, needsHalf } from "@arcada/imaging/volume/half";
import { encodeGroup, groupSize, makePreview } from "@arcada/imaging/volume/transport";
import { buildVolume, type Volume } from "@arcada/imaging/volume/volume";
import { thumbnailOf, write, writeGrey16 } from "./picture-files.ts";
import type { GroupPlace, Made, PixelResult, PixelTask, VolumeStep } from "./pixel-tasks.ts";

/**
 * A volume for viewers: the quarter-size preview, then all slices without loss in groups, each a file of its own; of
 * a large one those of its half before.
 */
export async function convertVolume(
  { paths, out, have }: Extract<PixelTask, { do: "volume" }>,
  onStep: (step: VolumeStep) => void,
): Promise<PixelResult> {
  const volume = await buildVolume(
    filesOf(paths, (read) => onStep({ share: read * 0.3 })),
    paths.length > 1 ? paths.length : undefined,
  );
  const { info, data } = volume;
  const small = makePreview(info, data);
  const preview = writeGrey16(small.data, out, "preview");
  const thumbnail = await middleSlice(volume, out);
  const half = needsHalf(info) ? 0.1 : 0;
  if (half > 0) await writeGroups(makeHalf(volume), "half", { out, have, span: [0.3, 0.3 + half], onStep });
  await writeGroups(volume, "group", { out, have, span: [0.3 + half, 1], onStep });
  return { did: "volume", info, preview: small.info, thumbnail, files: { preview } };
}

interface Writing {
  out: string;
  have: readonly GroupPlace[];
  /** Where in the whole this begins and ends. */
  span: readonly [number, number];
  onStep: (step: VolumeStep) => void;
}

async function writeGroups(
  { info, data }: Volume,
  role: GroupPlace["role"],
  { out, have, span: [from, to], onStep }: Writing,
): Promise<void> {
  const made = new Set(have.filter((one) => one.role === role).map(({ place }) => place));
  const size = info.columns * info.rows;
  for (let first = 0; first < info.slices; first += groupSize) {
    const place = first / groupSize;
    if (made.has(place)) continue;
    const slices = Array.from({ length: Math.min(groupSize, info.slices - first) }, (_, at) =>
      data.subarray((first + at) * size, (first + at + 1) * size),
    );
    const file = write(out, `${role}-${place}`, await encodeGroup(slices, info), "application/octet-stream");
    const share = from + ((to - from) * (first + slices.length)) / info.slices;
    onStep({ share, group: { ...file, role, place } });
  }
}

async function* filesOf(paths: readonly string[], onRead: (share: number) => void): AsyncGenerator<DicomFile> {
  for (const [place, path] of paths.entries()) {
    yield readDicom(await readFile(path));
    onRead((place + 1) / paths.length);
  }
}

function middleSlice({ info, data }: Volume, out: string): Promise<Made> {
  const size = info.columns * info.rows;
  const middle = Math.floor(info.slices / 2);
  const slice = data.subarray(middle * size, (middle + 1) * size);
  return thumbnailOf(
    {
      data: toGrey8({ data: slice }, { ...info.window, inverted: false }),
      columns: info.columns,
      rows: info.rows,
      channels: 1,
    },
    out,
  );
}
