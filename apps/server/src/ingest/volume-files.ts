import { readFile } from "node:fs/promises";
import { readDicom, type DicomFile } from "@arcada/imaging/dicom/read";
import { toGrey8 } from "@arcada/imaging/picture/window";
import { encodeGroup, groupSize, makePreview } from "@arcada/imaging/volume/transport";
import { buildVolume, type Volume } from "@arcada/imaging/volume/volume";
import { thumbnailOf, write, writeGrey16 } from "./picture-files.ts";
import type { Made, PixelResult, PixelTask, VolumeStep } from "./pixel-tasks.ts";

/** A volume for viewers: the quarter-size preview, then all slices without loss in groups, each a file of its own. */
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
  const size = info.columns * info.rows;
  for (let first = 0; first < info.slices; first += groupSize) {
    const place = first / groupSize;
    if (have.includes(place)) continue;
    const slices = Array.from({ length: Math.min(groupSize, info.slices - first) }, (_, at) =>
      data.subarray((first + at) * size, (first + at + 1) * size),
    );
    const made = write(out, `group-${place}`, await encodeGroup(slices, info), "application/octet-stream");
    onStep({ share: 0.3 + (0.7 * (first + slices.length)) / info.slices, group: { ...made, place } });
  }
  return { did: "volume", info, preview: small.info, thumbnail, files: { preview } };
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
