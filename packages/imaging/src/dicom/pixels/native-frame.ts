import { isLittleEndian } from "../parse/dicom-item.ts";
import { findPixelElement, readPixelShape } from "./pixel-shape.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

/** One frame of uncompressed pixel data in little endian, bits still packed where a sample has only one. A copy. */
export function readNativeFrame(file: DicomFile, frame: number): Uint8Array {
  const { bitsPerFrame, bitsAllocated } = readPixelShape(file);
  const element = findPixelElement(file);
  if (element === undefined) return new Uint8Array();
  const startBit = element.dataOffset * 8 + frame * bitsPerFrame;
  if (bitsAllocated === 1) return unpackBits(file.dataSet.byteArray, startBit, bitsPerFrame);
  const start = startBit / 8;
  if (isLittleEndian(file.dataSet)) return file.dataSet.byteArray.slice(start, start + bitsPerFrame / 8);
  // Samples of 8 bits in an OW element are 16-bit words too, and swapped as such (PS3.5 7.3 and A.3).
  const size = bitsAllocated === 8 && element.vr === "OW" ? 2 : bitsAllocated / 8;
  return swapBytes(file.dataSet.byteArray, element.dataOffset, start, bitsPerFrame / 8, size);
}

/** A bit per pixel, the first in the lowest bit; frames need not begin at a byte. */
export function unpackBits(bytes: Uint8Array, startBit: number, count: number): Uint8Array {
  return Uint8Array.from(
    { length: count },
    (_, index) => (bytes[(startBit + index) >>> 3] >>> ((startBit + index) & 7)) & 1,
  );
}

function swapBytes(bytes: Uint8Array, origin: number, start: number, length: number, size: number): Uint8Array {
  const out = new Uint8Array(length);
  for (let index = 0; index < length; index++) {
    const inElement = start - origin + index;
    const within = inElement % size;
    out[index] = bytes[origin + inElement - within + (size - 1 - within)];
  }
  return out;
}

/** Y Y Cb Cr of two pixels each become Y Cb Cr twice (PS3.3 C.7.6.3.1.2). */
export function expand422(bytes: Uint8Array, pixels: number): Uint8Array {
  const out = new Uint8Array(pixels * 3);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const pair = (pixel >> 1) * 4;
    out[pixel * 3] = bytes[pair + (pixel & 1)];
    out[pixel * 3 + 1] = bytes[pair + 2];
    out[pixel * 3 + 2] = bytes[pair + 3];
  }
  return out;
}
