import path from "node:path";
import { closeSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { defaultJaw } from "@arcada/imaging/arch/arch-display-settings";
import { encodeArchImages, renderArchImages } from "@arcada/imaging/arch/arch-images";
import { guessArch } from "@arcada/imaging/arch/detection/detect-arches";
import { toVector } from "@arcada/imaging/geometry/vector";
import { toGrey8 } from "@arcada/imaging/image/voi-window";
import { buildHalfResolution, needsHalfResolution } from "@arcada/imaging/volume/half-resolution";
import { stackVolume, type StackedVolume, type SliceStore } from "@arcada/imaging/volume/stack-volume";
import type { Volume } from "@arcada/imaging/volume/volume";
import { slicesPerGroup } from "@arcada/imaging/volume/volume-preview";
import { encodeSliceGroup } from "@arcada/imaging/volume/slice-group-codec";
import { sampleMiddlePlanes } from "@arcada/imaging/view/middle-planes";
import type { VolumeInfo } from "../../tables/study-columns.ts";
import { collectGarbage } from "../../platform/runtime/garbage-collection.ts";
import { writeGzip, writeThumbnail, writeFile, writeGrey16 } from "./write-image-files.ts";
import { createFileReader } from "../read/file-reader.ts";
import { transientErrorMessage } from "../transient-error.ts";
import type { GroupPlace, DerivedFile, PixelResult, PixelTask, VolumeStep } from "./pixel-task-types.ts";
import type { DicomFile } from "@arcada/imaging/dicom/parse/dicom-file";

/**
 * Converts a volume for viewers: first the quarter-size preview, with which it can be viewed, then all slices without
 * loss in groups, each in its own file; for a large volume first the groups of its half size.
 */
export async function convertVolume(
  { paths, out, existing }: Extract<PixelTask, { do: "volume" }>,
  onStep: (step: VolumeStep) => void,
  halfFrom?: number,
): Promise<PixelResult> {
  const sliceStore = createFileSliceStore(path.join(out, "slices"));
  try {
    const files = readSliceFiles(paths, (read) => onStep({ share: read * readingShare }));
    const volume = await stackVolume(files, paths.length, sliceStore);
    const { info, preview } = volume;
    const published = {
      info,
      preview: preview.info,
      thumbnail: await writeMiddleSlice(volume, out),
      files: {
        preview: writeGrey16(preview.data, out, "preview"),
        firstLook: writeGrey16(sampleMiddlePlanes(info, preview), out, "first-look"),
      },
    };
    onStep({ share: readingShare, published });
    const half = needsHalfResolution(info, halfFrom) ? 0.1 : 0;
    if (half > 0)
      await writeGroups(buildHalfResolution(volume), "half", {
        out,
        existing,
        span: [readingShare, readingShare + half],
        onStep,
      });
    await writeGroups(volume, "group", { out, existing, span: [readingShare + half, 1], onStep });
    // The volume can already be viewed.
    const arch = findArch(preview);
    return { did: "volume", arch, archImages: arch ? writeArchImagesIfPossible(info, preview, arch, out) : null };
  } finally {
    sliceStore.close();
    collectGarbage("all");
  }
}

/** A fault of these images alone must not cost the volume; one that passes, such as a full disk, is thrown. */
function writeArchImagesIfPossible(...given: Parameters<typeof writeArchImages>): ReturnType<typeof writeArchImages> {
  try {
    return writeArchImages(...given);
  } catch (error) {
    if (transientErrorMessage(error)) throw error;
    return null;
  }
}

/** Slices wait in a private file, so that a volume of any size needs only the memory of one slice. */
function createFileSliceStore(file: string): SliceStore & { close(): void } {
  // Overwrites the file that a dead thread has left.
  const handle = openSync(file, "w+", 0o600);
  let buffer = new Int16Array();
  return {
    put: (place, slice) => {
      const bytes = new Uint8Array(slice.buffer, slice.byteOffset, slice.byteLength);
      // On a disk that is nearly full a write may be shorter than requested.
      for (let done = 0; done < bytes.length;)
        done += writeSync(handle, bytes, done, bytes.length - done, place * bytes.length + done);
      if (buffer.length !== slice.length) buffer = new Int16Array(slice.length);
    },
    get: (place) => {
      const bytes = new Uint8Array(buffer.buffer);
      for (let done = 0; done < bytes.length;) {
        const read = readSync(handle, bytes, done, bytes.length - done, place * bytes.length + done);
        if (read === 0) throw new Error(`slice ${place} is not on its shelf`);
        done += read;
      }
      return buffer;
    },
    close: () => {
      closeSync(handle);
      unlinkSync(file);
    },
  };
}

const readingShare = 0.3;

/** The arches of the jaws in mm, rounded to 0.01 mm; null if there are none. */
function findArch({ info, data }: Volume): VolumeInfo["arch"] {
  const found = guessArch(info, data);
  const rounded = (point: readonly number[]) => point.map((mm) => Math.round(mm * 100) / 100);
  if (!found) return null;
  const { up, edges } = found;
  return { upper: found.upper.map(rounded), lower: found.lower.map(rounded), up: [...up], edges };
}

/** Renders from the rounded points, from which a viewer renders, too. */
function writeArchImages(
  info: StackedVolume["info"],
  preview: Volume,
  arch: NonNullable<VolumeInfo["arch"]>,
  out: string,
): DerivedFile | null {
  const line = { points: arch[defaultJaw].map(toVector), up: toVector(arch.up) };
  const images = renderArchImages(info, preview, line);
  return images && writeGzip(encodeArchImages(images), out, "arch-images");
}

interface GroupWriting {
  out: string;
  existing: readonly GroupPlace[];
  /** Begin and end of this step, as shares of the whole. */
  span: readonly [number, number];
  onStep: (step: VolumeStep) => void;
}

type Slices = Pick<StackedVolume, "info" | "slice">;

async function writeGroups(
  { info, slice }: Slices,
  role: GroupPlace["role"],
  { out, existing, span: [from, to], onStep }: GroupWriting,
): Promise<void> {
  const made = new Set(existing.filter((one) => one.role === role).map(({ place }) => place));
  for (let first = 0; first < info.slices; first += slicesPerGroup) {
    const place = first / slicesPerGroup;
    if (made.has(place)) continue;
    const end = Math.min(first + slicesPerGroup, info.slices);
    const packed = await encodeSliceGroup(slicesFrom(slice, first, end), info);
    const file = writeFile(out, `${role}-${place}`, packed, "application/octet-stream");
    onStep({ share: from + ((to - from) * end) / info.slices, group: { ...file, role, place } });
    collectGarbage("recent");
  }
}

function* slicesFrom(slice: Slices["slice"], first: number, end: number): Generator<Int16Array> {
  for (let place = first; place < end; place++) yield slice(place);
}

async function* readSliceFiles(paths: readonly string[], onRead: (share: number) => void): AsyncGenerator<DicomFile> {
  const read = createFileReader();
  for (const [place, path] of paths.entries()) {
    yield readDicom(read(path));
    if (place % slicesPerGroup > 0) continue;
    onRead((place + 1) / paths.length);
    collectGarbage("recent");
  }
}

function writeMiddleSlice({ info, slice }: Slices, out: string): Promise<DerivedFile> {
  const data = slice(Math.floor(info.slices / 2));
  return writeThumbnail(
    {
      data: toGrey8({ data }, { ...info.window, inverted: false }),
      columns: info.columns,
      rows: info.rows,
      channels: 1,
    },
    out,
  );
}
