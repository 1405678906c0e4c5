import { readFileSync } from "node:fs";
import sharp from "sharp";
import { EngineFault, type EngineInput, type EngineImage } from "@arcada/analysis/engine";
import { DicomError } from "@arcada/imaging/dicom/dicom-error";
import { decodeFrame, greyOf, isColour, rgbOf } from "@arcada/imaging/dicom/pixels/decode-frame";
import { readDicom } from "@arcada/imaging/dicom/parse/read-dicom";
import { decodeSliceGroup } from "@arcada/imaging/volume/slice-group-codec";
import type { EngineSource, FileReference } from "./engine-task-types.ts";

/**
 * Returns the pixels of a stored image or volume. It runs in a thread or process that hostile bytes may end.
 * @throws EngineFault imageUnreadable; errors of the file system as they are
 */
export async function readEngineInput(source: EngineSource): Promise<EngineInput> {
  try {
    return source.kind === "volume" ? await readVolume(source) : await readImage(source);
  } catch (error) {
    if (error instanceof EngineFault || isSystemError(error)) throw error;
    const detail = error instanceof DicomError ? error.reason : error instanceof Error ? error.message : "";
    throw new EngineFault("imageUnreadable", detail.slice(0, 200));
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && "syscall" in error;

type ImageSource = Extract<EngineSource, { kind: "picture" }>;

async function readImage({ path, format, shows, spacing }: ImageSource): Promise<EngineImage> {
  const pixels = format === "dicom" ? await readDicomImage(path) : await readPlainImage(path, format);
  return { kind: "picture", shows, spacing, ...pixels };
}

type Pixels = Pick<EngineImage, "columns" | "rows" | "samples">;

async function readDicomImage(path: FileReference): Promise<Pixels> {
  const file = readDicom(readFileSync(path));
  const raw = await decodeFrame(file, 0);
  if (isColour(raw)) {
    const { data, columns, rows } = rgbOf(file, raw);
    return { columns, rows, samples: luminance(data) };
  }
  const { data, columns, rows, inverted, scale, offset, min, max } = greyOf(file, raw);
  const samples = Float32Array.from(data, (value) => (inverted ? min + max - value : value) * scale + offset);
  return { columns, rows, samples };
}

/** Returns the luminance by Rec. 709, from the display values. */
function luminance(rgb: ArrayLike<number>): Float32Array {
  const out = new Float32Array(rgb.length / 3);
  for (let at = 0; at < out.length; at++)
    out[at] = 0.2126 * rgb[3 * at]! + 0.7152 * rgb[3 * at + 1]! + 0.0722 * rgb[3 * at + 2]!;
  return out;
}

const maxPixels = 120_000_000;

async function readPlainImage(path: FileReference, format: "jpeg" | "png"): Promise<Pixels> {
  const image = sharp(readFileSync(path), { limitInputPixels: maxPixels, failOn: "truncated", autoOrient: true });
  const found = await image.metadata();
  if (found.format !== format) throw new EngineFault("imageUnreadable", `a ${found.format} under another name`);
  const isDeep = found.depth === "ushort";
  const { data, info } = await image
    .flatten({ background: "#fff" })
    .toColourspace(isDeep ? "grey16" : "b-w")
    .raw({ depth: isDeep ? "ushort" : "uchar" })
    .toBuffer({ resolveWithObject: true });
  const values = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  const { width: columns, height: rows, channels } = info;
  const samples = new Float32Array(columns * rows);
  for (let at = 0; at < samples.length; at++) samples[at] = values[at * channels]!;
  return { columns, rows, samples };
}

type VolumeSource = Extract<EngineSource, { kind: "volume" }>;

async function readVolume({ geometry, path, groups }: VolumeSource): Promise<EngineInput> {
  const size = geometry.columns * geometry.rows;
  const values = groups === null ? toInt16Array(readFileSync(path)) : new Int16Array(size * geometry.slices);
  let at = 0;
  for (const group of groups ?? [])
    for (const slice of await decodeSliceGroup(readFileSync(group))) {
      if (slice.length !== size || at + size > values.length)
        throw new EngineFault("imageUnreadable", "slices of another size");
      values.set(slice, at);
      at += size;
    }
  if (values.length !== size * geometry.slices || (groups !== null && at !== values.length))
    throw new EngineFault("imageUnreadable", "slices are missing");
  return { kind: "volume", geometry, values };
}

const toInt16Array = (bytes: Buffer): Int16Array =>
  new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength - (bytes.byteLength % 2)));
