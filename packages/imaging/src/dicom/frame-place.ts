import type { DicomFile } from "./read.ts";
import { isLittleEndian } from "./item.ts";
import { isNative, pixelElement, pixelShape } from "./pixel-length.ts";

/** Frames of one length, one after another in a file's bytes. */
export interface FramePlace {
  /** The offset of the first frame from the file's first byte. */
  at: number;
  bytes: number;
}

/**
 * Returns the place of the frames in a file of `size` bytes if they can be sent unchanged: plain values in whole bytes
 * of little endian, or the one codestream of a single frame. Null if they have to be extracted first.
 */
export function framePlace(file: DicomFile, size: number): FramePlace | null {
  const element = pixelElement(file);
  // A preamble was added to a file without one, and a deflated file was inflated: neither has this form on the disk.
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
