import { decodeHtj2k } from "./codec/htj2k.ts";
import { decodeJpeg12 } from "./codec/jpeg-dct.ts";
import { decodeJpeg2000, decodeJpeg8, decodeJpegLs } from "./codec/jpeg-family.ts";
import { decodeJpegLossless } from "./codec/jpeg-lossless.ts";
import { namesColours, precisionOf } from "./codec/jpeg-markers.ts";
import { decodeRle } from "./codec/rle.ts";
import type { Expected, WasmFrame } from "./codec/wasm.ts";
import { inflated, mostInflated } from "./deflate.ts";
import { DicomError } from "./error.ts";
import { frameCodestream } from "./frame-bytes.ts";
import { expand422, nativeFrame, unpackBits } from "./native.ts";
import { floatBits, isNative, pixelElement, pixelShape, type PixelShape } from "./pixel-length.ts";
import type { DicomFile } from "./read.ts";
import { clampAbove, signExtended, toFloats, toSamples, type RawFrame } from "./samples.ts";
import { tags } from "./tags.ts";

export { isColour, rgbOf, type ColourFrame } from "./colour.ts";
export { greyOf, type GreyFrame } from "./grey.ts";
export type { RawFrame } from "./samples.ts";

/** More than any dental image has; prevents a forged header from taking all memory. */
const maxFrameBytes = 1 << 27;

/**
 * The stored pixel values of one frame (counted from 0).
 * @throws DicomError noPixels; truncated when the coded data ends early; unsupported transfer syntax or layout.
 */
export async function decodeFrame(file: DicomFile, frame: number): Promise<RawFrame> {
  const element = pixelElement(file);
  if (element === undefined || element.length === 0) throw new DicomError("noPixels", "the file has no pixel data");
  const shape = pixelShape(file);
  const floats = floatBits(file);
  checkShape(shape, frame, floats > 0 ? [floats] : [1, 8, 16, 32]);
  if (floats > 0) return floatFrame(file, shape, frame);
  const { bytes, photometric, bits } =
    element.encapsulatedPixelData === true ? await decodeCoded(file, shape, frame) : decodeNative(file, shape, frame);
  const bitsStored = Math.min(file.uint16(tags.bitsStored) ?? shape.bitsAllocated, bits);
  const signed = file.uint16(tags.pixelRepresentation) === 1 && shape.samples === 1;
  // Compressed samples sit at the low end already; native ones may have an offset, and overlay bits above.
  const high = element.encapsulatedPixelData === true ? bitsStored - 1 : (file.uint16(tags.highBit) ?? bitsStored - 1);
  const data = signExtended(bytes, bitsStored, Math.max(0, high + 1 - bitsStored), signed);
  return { rows: shape.rows, columns: shape.columns, samples: shape.samples, bitsStored, signed, photometric, data };
}

function floatFrame(file: DicomFile, shape: PixelShape, frame: number): RawFrame {
  const { rows, columns, samples, photometric, bitsAllocated } = shape;
  if (!isNative(file.transferSyntax)) throw new DicomError("unsupported", `transfer syntax ${file.transferSyntax}`);
  if (samples !== 1) throw new DicomError("unsupported", "floating point numbers in colour");
  const data = toFloats(nativeFrame(file, frame), bitsAllocated);
  return { rows, columns, samples, bitsStored: bitsAllocated, signed: true, photometric, data };
}

function checkShape(
  { rows, columns, samples, frames, bitsAllocated }: PixelShape,
  frame: number,
  sizes: readonly number[],
): void {
  if (rows === 0 || columns === 0) throw new DicomError("noPixels", "the picture has no rows or no columns");
  if (frame < 0 || frame >= frames) throw new DicomError("noPixels", `there is no frame ${frame} among ${frames}`);
  if (samples !== 1 && samples !== 3) throw new DicomError("unsupported", `${samples} samples per pixel`);
  if (!sizes.includes(bitsAllocated)) throw new DicomError("unsupported", `${bitsAllocated} bits allocated`);
  if (rows * columns * samples * (bitsAllocated / 8) > maxFrameBytes)
    throw new DicomError("unsupported", `a frame of ${columns}×${rows} is too large`);
}

interface Decoded {
  /** Unsigned samples, interleaved. */
  bytes: Uint8Array | Uint16Array | Uint32Array;
  photometric: string;
  bits: number;
}

function decodeNative(file: DicomFile, shape: PixelShape, frame: number): Decoded {
  if (!isNative(file.transferSyntax)) throw new DicomError("unsupported", `transfer syntax ${file.transferSyntax}`);
  const pixels = shape.rows * shape.columns;
  const bytes = nativeFrame(file, frame);
  const bits = shape.bitsAllocated;
  if (shape.bitsPerFrame < pixels * shape.samples * bits)
    return { bytes: expand422(bytes, pixels), photometric: shape.photometric.replace("_422", ""), bits };
  const samples = toSamples(bytes, bits);
  const planar = shape.samples > 1 && file.uint16(tags.planarConfiguration) === 1;
  return { bytes: planar ? interleaved(samples, pixels) : samples, photometric: shape.photometric, bits };
}

type Decode = (
  codestream: Uint8Array,
  shape: PixelShape,
) => Promise<{ bytes: Decoded["bytes"]; bits: number; isRgb: boolean }>;

async function decodeCoded(file: DicomFile, shape: PixelShape, frame: number): Promise<Decoded> {
  const decode = decoders[file.transferSyntax.replace("1.2.840.10008.1.2.", "")];
  if (decode === undefined) throw new DicomError("unsupported", `transfer syntax ${file.transferSyntax}`);
  const codestream = frameCodestream(file, frame);
  if (/\.2\.4\.\d+$/.test(file.transferSyntax) && !hasEnd(codestream))
    throw new DicomError("truncated", "the codestream lacks its end marker");
  const { bytes, bits, isRgb } = await decode(codestream, shape);
  // Lossy coding may overshoot the stored bits; cutting them off would turn the brightest into the darkest.
  const stored = file.uint16(tags.bitsStored) ?? bits;
  if (isLossy(file) && stored < bits && file.uint16(tags.pixelRepresentation) !== 1) clampAbove(bytes, 2 ** stored - 1);
  const photometric = isRgb || /^YBR_(RCT|ICT)$/.test(shape.photometric) ? "RGB" : shape.photometric;
  return { bytes, bits, photometric };
}

const isLossy = (file: DicomFile): boolean => /\.4\.(51|81|91|203)$/.test(file.transferSyntax);

/** EOI and EOC are both FF D9; a padding byte, or a few, may follow. */
function hasEnd(codestream: Uint8Array): boolean {
  for (let at = codestream.length - 2; at >= 0 && at > codestream.length - 64; at--) {
    if (codestream[at] === 0xff && codestream[at + 1] === 0xd9) return true;
  }
  return false;
}

const rle: Decode = async (codestream, { rows, columns, samples, bitsAllocated }) => {
  const pixels = rows * columns;
  // PS3.5 8.2.2: a frame of single bits is packed before it is coded, and begins at a byte.
  if (bitsAllocated === 1) return plainBits(decodeRle(codestream, Math.ceil(pixels / 8), samples, 1), pixels);
  const planes = toSamples(decodeRle(codestream, pixels, samples, bitsAllocated / 8), bitsAllocated);
  return { bytes: samples > 1 ? interleaved(planes, pixels) : planes, bits: bitsAllocated, isRgb: false };
};

/** Deflated Image Frame Compression (PS3.5 A.4.13): every frame by itself, laid out as if it were not compressed. */
const deflatedFrame: Decode = async (codestream, { rows, columns, samples, bitsAllocated }) => {
  const pixels = rows * columns;
  const needed = Math.ceil((pixels * samples * bitsAllocated) / 8);
  const bytes = inflated(codestream, Math.min(needed + 2, mostInflated(codestream)));
  if (bytes.length < needed) throw new DicomError("truncated", `a frame of ${bytes.length} bytes, ${needed} expected`);
  if (samples > 1) throw new DicomError("unsupported", "deflated frames in colour");
  if (bitsAllocated === 1) return plainBits(bytes, pixels);
  return { bytes: toSamples(bytes.slice(0, needed), bitsAllocated), bits: bitsAllocated, isRgb: false };
};

const plainBits = (packed: Uint8Array, pixels: number) => ({
  bytes: unpackBits(packed, 0, pixels),
  bits: 1,
  isRgb: false,
});

const jpegLossless: Decode = async (codestream, shape) => {
  const { data, bits } = decodeJpegLossless(codestream, shape);
  return { bytes: data, bits, isRgb: false };
};

/** libjpeg assumes YCbCr unless a segment states otherwise; the header of the file knows better. */
const jpeg8: Decode = async (codestream, shape) => {
  const isBareRgb = shape.samples === 3 && shape.photometric === "RGB" && !namesColours(codestream);
  return byWasm(decodeJpeg8, true)(isBareRgb ? withAdobeRgb(codestream) : codestream, shape);
};

/** Process 4 may have 12 bits, which no published codec for browsers decodes. */
const jpegExtended: Decode = async (codestream, shape) => {
  if (precisionOf(codestream) <= 8) return jpeg8(codestream, shape);
  const { data, bits } = decodeJpeg12(codestream, shape);
  return { bytes: data, bits, isRgb: false };
};

/** Inserts an Adobe APP14 segment after SOI. Its transform 0 states that three components are RGB (T.872 6.5.3). */
function withAdobeRgb(codestream: Uint8Array): Uint8Array {
  const segment = [0xff, 0xee, 0x00, 0x0e, 0x41, 0x64, 0x6f, 0x62, 0x65, 0x00, 0x64, 0x00, 0x00, 0x00, 0x00, 0x00];
  const out = new Uint8Array(codestream.length + segment.length);
  out.set(codestream.subarray(0, 2));
  out.set(segment, 2);
  out.set(codestream.subarray(2), 2 + segment.length);
  return out;
}

const byWasm =
  (decode: (codestream: Uint8Array, expected: Expected) => Promise<WasmFrame>, colourIsRgb: boolean): Decode =>
  async (codestream, shape) => {
    const { bytes, info, planar } = await decode(codestream, shape);
    const samples = toSamples(bytes, info.bitsPerSample > 8 ? 16 : 8);
    const isRgb = colourIsRgb && shape.samples === 3;
    return {
      bytes: planar && shape.samples > 1 ? interleaved(samples, shape.rows * shape.columns) : samples,
      bits: info.bitsPerSample,
      isRgb,
    };
  };

/** By the end of the transfer syntax UID, after 1.2.840.10008.1.2. */
const decoders: Record<string, Decode> = {
  "5": rle,
  "8.1": deflatedFrame,
  "4.50": jpeg8,
  "4.51": jpegExtended,
  "4.57": jpegLossless,
  "4.70": jpegLossless,
  "4.80": byWasm(decodeJpegLs, false),
  "4.81": byWasm(decodeJpegLs, false),
  "4.90": byWasm(decodeJpeg2000, false),
  "4.91": byWasm(decodeJpeg2000, false),
  "4.201": byWasm(decodeHtj2k, false),
  "4.202": byWasm(decodeHtj2k, false),
  "4.203": byWasm(decodeHtj2k, false),
};

/** Three planes one after another become three samples per pixel. */
function interleaved<T extends Uint8Array | Uint16Array | Uint32Array>(planes: T, pixels: number): T {
  const out = planes.slice() as T;
  for (let pixel = 0; pixel < pixels; pixel++) {
    for (let sample = 0; sample < 3; sample++) out[pixel * 3 + sample] = planes[sample * pixels + pixel];
  }
  return out;
}
