import { DicomError } from "../dicom-error.ts";

/**
 * Decodes a DICOM RLE frame (PS3.5 Annex G) into one plane per sample, bytes of a sample in little endian.
 * @throws DicomError truncated when a segment ends early.
 */
export function decodeRle(coded: Uint8Array, pixels: number, samples: number, bytesPerSample: number): Uint8Array {
  if (coded.length < 64) throw new DicomError("truncated", "RLE frame without its header");
  const view = new DataView(coded.buffer, coded.byteOffset, coded.byteLength);
  const count = view.getUint32(0, true);
  if (count !== samples * bytesPerSample)
    throw new DicomError("unsupported", `RLE with ${count} segments, ${samples * bytesPerSample} expected`);
  // Two bytes unpack to 128 at most: a forged size is refused before memory is taken for it.
  if (coded.length * 64 < pixels * samples * bytesPerSample)
    throw new DicomError("truncated", "RLE frame too short for its size");
  const out = new Uint8Array(pixels * samples * bytesPerSample);
  for (let segment = 0; segment < count; segment++) {
    const from = view.getUint32(4 + segment * 4, true);
    const to = segment + 1 < count ? view.getUint32(8 + segment * 4, true) : coded.length;
    const sample = Math.trunc(segment / bytesPerSample);
    // The most significant byte of a sample has its segment first.
    const byte = bytesPerSample - 1 - (segment % bytesPerSample);
    unpackSegment(coded.subarray(from, to), out, sample * pixels * bytesPerSample + byte, bytesPerSample, pixels);
  }
  return out;
}

/** PackBits; each byte goes `step` further in `out`. */
function unpackSegment(packed: Uint8Array, out: Uint8Array, start: number, step: number, pixels: number): void {
  let at = 0;
  let done = 0;
  while (done < pixels && at < packed.length) {
    const head = packed[at++];
    if (head === 128) continue;
    const run = Math.min(head < 128 ? head + 1 : 257 - head, pixels - done);
    if (at + (head < 128 ? run : 1) > packed.length) break;
    for (let index = 0; index < run; index++) out[start + (done + index) * step] = packed[head < 128 ? at + index : at];
    at += head < 128 ? head + 1 : 1;
    done += run;
  }
  if (done < pixels) throw new DicomError("truncated", `RLE segment of ${done} bytes, ${pixels} expected`);
}
