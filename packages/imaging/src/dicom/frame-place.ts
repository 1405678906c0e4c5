import type { DicomFile } from "./read.ts";
import { isLittleEndian } from "./item.ts";
import { isNative, pixelElement, pixelShape } from "./pixel-length.ts";

/** Frames of one length that lie one after another in a file's bytes. */
export interface FramePlace {
  /** Where the first begins, from the file's first byte. */
  at: number;
  bytes: number;
}

/**
 * Where the frames stand in the file of `size` bytes as they are sent: plain values in whole bytes of little endian, or
 * the one codestream of a single frame. Null where they have to be taken apart first.
 */
export function framePlace(file: DicomFile, size: number): FramePlace | null {
  const element = pixelElement(file);
  // A file without preamble was given one, a deflated one was inflated: neither lies so on the disk.
  if (element === undefined || file.dataSet.byteArray !== file.bytes || file.bytes.length !== size) return null;
  const { frames, bitsAllocated, bitsPerFrame } = pixelShape(file);
  if (element.encapsulatedPixelData === true) {
    const [only, more] = element.fragments ?? [];
    return only && !more && frames === 1 ? { at: only.position, bytes: only.length } : null;
  }
  const whole = bitsAllocated > 1 && bitsPerFrame > 0 && bitsPerFrame % 8 === 0;
  const fits = isNative(file.transferSyntax) && isLittleEndian(file.dataSet);
  return whole && fits ? { at: element.dataOffset, bytes: bitsPerFrame / 8 } : null;
}
