import { isLittleEndian } from "../parse/dicom-item.ts";
import { isNative, findPixelElement, readPixelShape } from "./pixel-shape.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

/** Frames of one length, one after another in a file's bytes. */
export interface FrameByteRange {
  /** The offset of the first frame from the file's first byte. */
  offset: number;
  bytesPerFrame: number;
}

/**
 * Returns the place of the frames in a file of `size` bytes if they can be sent unchanged: plain values in whole bytes
 * of little endian, or the one codestream of a single frame. Null if they have to be extracted first.
 */
export function findFrameByteRange(file: DicomFile, size: number): FrameByteRange | null {
  const element = findPixelElement(file);
  // A preamble was added to a file without one, and a deflated file was inflated: neither has this form on the disk.
  if (element === undefined || file.dataSet.byteArray !== file.bytes || file.bytes.length !== size) return null;
  const { frames, bitsAllocated, bitsPerFrame } = readPixelShape(file);
  if (element.encapsulatedPixelData === true) {
    const [only, more] = element.fragments ?? [];
    return only && !more && frames === 1 ? { offset: only.position, bytesPerFrame: only.length } : null;
  }
  const whole = bitsAllocated > 1 && bitsPerFrame > 0 && bitsPerFrame % 8 === 0;
  const fits = isNative(file.transferSyntax) && isLittleEndian(file.dataSet);
  return whole && fits ? { offset: element.dataOffset, bytesPerFrame: bitsPerFrame / 8 } : null;
}
