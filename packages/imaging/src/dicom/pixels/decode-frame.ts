import { decodeHtj2k } from "../codec/htj2k.ts";
import { decodeJpeg12 } from "../codec/jpeg-12-bit.ts";
import { decodeJpeg2000, decodeJpeg8, decodeJpegLs } from "../codec/jpeg-wasm-decoders.ts";
import { decodeJpegLossless } from "../codec/jpeg-lossless.ts";
import { declaresColourSpace, readPrecision } from "../codec/jpeg-markers.ts";
import { decodeRle } from "../codec/rle.ts";
import type { ExpectedShape, WasmFrame } from "../codec/wasm-decoder.ts";
import { inflateRaw, maxInflatedSize } from "../parse/inflate.node.ts";
import { DicomError } from "../dicom-error.ts";
import { readCodestream } from "./codestream.ts";
import { expand422, readNativeFrame, unpackBits } from "./native-frame.ts";
import { floatPixelBits, isNative, findPixelElement, readPixelShape, type PixelShape } from "./pixel-shape.ts";
import { clampAbove, extractStoredValues, toFloats, toSamples, type RawFrame } from "./pixel-samples.ts";
import { tags } from "../parse/tags.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

export { isColour, toRgbFrame as rgbOf, type ColourFrame } from "./rgb-frame.ts";
export { toGreyFrame as greyOf, type GreyFrame } from "./grey-frame.ts";
export type { RawFrame } from "./pixel-samples.ts";

/** More than any dental image has; prevents a forged header from taking all memory. */
const maxFrameBytes = 1 << 27;

/**
 * The stored pixel values of one frame (counted from 0).
 * @throws DicomError noPixels; truncated when the coded data ends early; unsupported transfer syntax or layout.
 */
export async function decodeFrame(file: DicomFile, frame: number): Promise<RawFrame> {
  const element = findPixelElement(file);
  if (element === undefined || element.length === 0) throw new DicomError("noPixels", "the file has no pixel data");
  const shape = readPixelShape(file);
  const floats = floatPixelBits(file);
  checkShape(shape, frame, floats > 0 ? [floats] : [1, 8, 16, 32]);
  if (floats > 0) return readFloatFrame(file, shape, frame);
  const { bytes, photometric, bits } =
    element.encapsulatedPixelData === true
      ? await decodeCompressed(file, shape, frame)
      : decodeNative(file, shape, frame);
  const bitsStored = Math.min(file.uint16(tags.bitsStored) ?? shape.bitsAllocated, bits);
  const signed = file.uint16(tags.pixelRepresentation) === 1 && shape.samples === 1;
  // Compressed samples sit at the low end already; native ones may have an offset, and overlay bits above.
  const high = element.encapsulatedPixelData === true ? bitsStored - 1 : (file.uint16(tags.highBit) ?? bitsStored - 1);
  const data = extractStoredValues(bytes, bitsStored, Math.max(0, high + 1 - bitsStored), signed);
  return { rows: shape.rows, columns: shape.columns, samples: shape.samples, bitsStored, signed, photometric, data };
}

function readFloatFrame(file: DicomFile, shape: PixelShape, frame: number): RawFrame {
  const { rows, columns, samples, photometric, bitsAllocated } = shape;
  if (!isNative(file.transferSyntax)) throw new DicomError("unsupported", `transfer syntax ${file.transferSyntax}`);
  if (samples !== 1) throw new DicomError("unsupported", "floating point numbers in colour");
  const data = toFloats(readNativeFrame(file, frame), bitsAllocated);
  return { rows, columns, samples, bitsStored: bitsAllocated, signed: true, photometric, data };
}

function checkShape(
  { rows, columns, samples, frames, bitsAllocated }: PixelShape,
  frame: number,
  allowedBits: readonly number[],
): void {
  if (rows === 0 || columns === 0) throw new DicomError("noPixels", "the picture has no rows or no columns");
  if (frame < 0 || frame >= frames) throw new DicomError("noPixels", `there is no frame ${frame} among ${frames}`);
  if (samples !== 1 && samples !== 3) throw new DicomError("unsupported", `${samples} samples per pixel`);
  if (!allowedBits.includes(bitsAllocated)) throw new DicomError("unsupported", `${bitsAllocated} bits allocated`);
  if (rows * columns * samples * (bitsAllocated / 8) > maxFrameBytes)
    throw new DicomError("unsupported", `a frame of ${columns}×${rows} is too large`);
}

interface DecodedFrame {
  /** Unsigned samples, interleaved. */
  bytes: Uint8Array | Uint16Array | Uint32Array;
  photometric: string;
  bits: number;
}

function decodeNative(file: DicomFile, shape: PixelShape, frame: number): DecodedFrame {
  if (!isNative(file.transferSyntax)) throw new DicomError("unsupported", `transfer syntax ${file.transferSyntax}`);
  const pixels = shape.rows * shape.columns;
  const bytes = readNativeFrame(file, frame);
  const bits = shape.bitsAllocated;
  if (shape.bitsPerFrame < pixels * shape.samples * bits)
    return { bytes: expand422(bytes, pixels), photometric: shape.photometric.replace("_422", ""), bits };
  const samples = toSamples(bytes, bits);
  const planar = shape.samples > 1 && file.uint16(tags.planarConfiguration) === 1;
  return { bytes: planar ? interleave(samples, pixels) : samples, photometric: shape.photometric, bits };
}

type FrameDecoder = (
  codestream: Uint8Array,
  shape: PixelShape,
) => Promise<{ bytes: DecodedFrame["bytes"]; bits: number; isRgb: boolean }>;

async function decodeCompressed(file: DicomFile, shape: PixelShape, frame: number): Promise<DecodedFrame> {
  const decode = decoders[file.transferSyntax.replace("1.2.840.10008.1.2.", "")];
  if (decode === undefined) throw new DicomError("unsupported", `transfer syntax ${file.transferSyntax}`);
  const codestream = readCodestream(file, frame);
  if (/\.2\.4\.\d+$/.test(file.transferSyntax) && !hasEndMarker(codestream))
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
function hasEndMarker(codestream: Uint8Array): boolean {
  for (let at = codestream.length - 2; at >= 0 && at > codestream.length - 64; at--) {
    if (codestream[at] === 0xff && codestream[at + 1] === 0xd9) return true;
  }
  return false;
}

const decodeRleFrame: FrameDecoder = async (codestream, { rows, columns, samples, bitsAllocated }) => {
  const pixels = rows * columns;
  // PS3.5 8.2.2: a frame of single bits is packed before it is coded, and begins at a byte.
  if (bitsAllocated === 1) return unpackBitFrame(decodeRle(codestream, Math.ceil(pixels / 8), samples, 1), pixels);
  const planes = toSamples(decodeRle(codestream, pixels, samples, bitsAllocated / 8), bitsAllocated);
  return { bytes: samples > 1 ? interleave(planes, pixels) : planes, bits: bitsAllocated, isRgb: false };
};

/** Deflated Image Frame Compression (PS3.5 A.4.13): every frame by itself, laid out as if it were not compressed. */
const decodeDeflatedFrame: FrameDecoder = async (codestream, { rows, columns, samples, bitsAllocated }) => {
  const pixels = rows * columns;
  const needed = Math.ceil((pixels * samples * bitsAllocated) / 8);
  const bytes = inflateRaw(codestream, Math.min(needed + 2, maxInflatedSize(codestream)));
  if (bytes.length < needed) throw new DicomError("truncated", `a frame of ${bytes.length} bytes, ${needed} expected`);
  if (samples > 1) throw new DicomError("unsupported", "deflated frames in colour");
  if (bitsAllocated === 1) return unpackBitFrame(bytes, pixels);
  return { bytes: toSamples(bytes.slice(0, needed), bitsAllocated), bits: bitsAllocated, isRgb: false };
};

const unpackBitFrame = (packed: Uint8Array, pixels: number) => ({
  bytes: unpackBits(packed, 0, pixels),
  bits: 1,
  isRgb: false,
});

const decodeLosslessFrame: FrameDecoder = async (codestream, shape) => {
  const { data, bits } = decodeJpegLossless(codestream, shape);
  return { bytes: data, bits, isRgb: false };
};

/** libjpeg assumes YCbCr unless a segment states otherwise; the header of the file knows better. */
const decodeJpeg8Frame: FrameDecoder = async (codestream, shape) => {
  const isBareRgb = shape.samples === 3 && shape.photometric === "RGB" && !declaresColourSpace(codestream);
  return decodeWithWasm(decodeJpeg8, true)(isBareRgb ? withAdobeRgb(codestream) : codestream, shape);
};

/** Process 4 may have 12 bits, which no published codec for browsers decodes. */
const decodeExtendedFrame: FrameDecoder = async (codestream, shape) => {
  if (readPrecision(codestream) <= 8) return decodeJpeg8Frame(codestream, shape);
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

const decodeWithWasm =
  (
    decode: (codestream: Uint8Array, expected: ExpectedShape) => Promise<WasmFrame>,
    colourIsRgb: boolean,
  ): FrameDecoder =>
  async (codestream, shape) => {
    const { bytes, info, planar } = await decode(codestream, shape);
    const samples = toSamples(bytes, info.bitsPerSample > 8 ? 16 : 8);
    const isRgb = colourIsRgb && shape.samples === 3;
    return {
      bytes: planar && shape.samples > 1 ? interleave(samples, shape.rows * shape.columns) : samples,
      bits: info.bitsPerSample,
      isRgb,
    };
  };

/** By the end of the transfer syntax UID, after 1.2.840.10008.1.2. */
const decoders: Record<string, FrameDecoder> = {
  "5": decodeRleFrame,
  "8.1": decodeDeflatedFrame,
  "4.50": decodeJpeg8Frame,
  "4.51": decodeExtendedFrame,
  "4.57": decodeLosslessFrame,
  "4.70": decodeLosslessFrame,
  "4.80": decodeWithWasm(decodeJpegLs, false),
  "4.81": decodeWithWasm(decodeJpegLs, false),
  "4.90": decodeWithWasm(decodeJpeg2000, false),
  "4.91": decodeWithWasm(decodeJpeg2000, false),
  "4.201": decodeWithWasm(decodeHtj2k, false),
  "4.202": decodeWithWasm(decodeHtj2k, false),
  "4.203": decodeWithWasm(decodeHtj2k, false),
};

/** Three planes one after another become three samples per pixel. */
function interleave<T extends Uint8Array | Uint16Array | Uint32Array>(planes: T, pixels: number): T {
  const out = planes.slice() as T;
  for (let pixel = 0; pixel < pixels; pixel++) {
    for (let sample = 0; sample < 3; sample++) out[pixel * 3 + sample] = planes[sample * pixels + pixel];
  }
  return out;
}
