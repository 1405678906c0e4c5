import { readFileSync } from "node:fs";
import sharp from "sharp";
import { EngineFault, type EngineInput, type EnginePicture } from "@arcada/analysis/engine";
import { DicomError } from "@arcada/imaging/dicom/error";
import { decodeFrame, greyOf, isColour, rgbOf } from "@arcada/imaging/dicom/pixels";
import { readDicom } from "@arcada/imaging/dicom/read";
import { decodeGroup } from "@arcada/imaging/volume/transport";
import type { EngineSource, FileAt } from "./engine-task.ts";

/**
 * Returns the pixels of a stored image or volume. It runs in a thread or process that hostile bytes may end.
 * @throws EngineFault imageUnreadable; errors of the file system as they are
 */
export async function readInput(source: EngineSource): Promise<EngineInput> {
  try {
    return source.kind === "volume" ? await readVolume(source) : await readPicture(source);
  } catch (error) {
    if (error instanceof EngineFault || isSystemError(error)) throw error;
    const detail = error instanceof DicomError ? error.reason : error instanceof Error ? error.message : "";
    throw new EngineFault("imageUnreadable", detail.slice(0, 200));
  }
}

const isSystemError = (error: unknown): boolean => error instanceof Error && "syscall" in error;

type PictureSource = Extract<EngineSource, { kind: "picture" }>;

async function readPicture({ path, format, shows, spacing }: PictureSource): Promise<EnginePicture> {
  const pixels = format === "dicom" ? await fromDicom(path) : await fromPlain(path, format);
  return { kind: "picture", shows, spacing, ...pixels };
}

type Pixels = Pick<EnginePicture, "columns" | "rows" | "samples">;

async function fromDicom(path: FileAt): Promise<Pixels> {
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

const mostPixels = 120_000_000;

async function fromPlain(path: FileAt, format: "jpeg" | "png"): Promise<Pixels> {
  const image = sharp(readFileSync(path), { limitInputPixels: mostPixels, failOn: "truncated", autoOrient: true });
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
  const values = groups === null ? int16Of(readFileSync(path)) : new Int16Array(size * geometry.slices);
  let at = 0;
  for (const group of groups ?? [])
    for (const slice of await decodeGroup(readFileSync(group))) {
      if (slice.length !== size || at + size > values.length)
        throw new EngineFault("imageUnreadable", "slices of another size");
      values.set(slice, at);
      at += size;
    }
  if (values.length !== size * geometry.slices || (groups !== null && at !== values.length))
    throw new EngineFault("imageUnreadable", "slices are missing");
  return { kind: "volume", geometry, values };
}

const int16Of = (bytes: Buffer): Int16Array =>
  new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength - (bytes.byteLength % 2)));
