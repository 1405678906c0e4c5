import { DicomError } from "../dicom-error.ts";
import { checkShape, type ExpectedShape } from "./wasm-decoder.ts";

/**
 * Checks that a JPEG 2000 or HTJ2K codestream is complete and has the expected shape, before anything is decoded: the
 * decoders return an image of half a codestream without an error. Source: ITU-T T.800 Annex A (SIZ, SOT).
 * @throws DicomError truncated, or unsupported when the shape is another one.
 */
export function checkJpeg2000(codestream: Uint8Array, expected: ExpectedShape): void {
  // A JP2 file instead of a bare codestream is against PS3.5 but occurs; the decoder reads its boxes.
  if (codestream[0] === 0) return;
  const view = new DataView(codestream.buffer, codestream.byteOffset, codestream.byteLength);
  let at = 2;
  while (at + 12 <= codestream.length && view.getUint16(at) !== marker.startOfTile) {
    if (view.getUint16(at) === marker.size) checkSize(view, at, expected);
    at += 2 + view.getUint16(at + 2);
  }
  while (at + 12 <= codestream.length && view.getUint16(at) === marker.startOfTile) {
    const length = view.getUint32(at + 6);
    if (length === 0) return;
    at += length;
  }
  if (at + 2 > codestream.length || view.getUint16(at) !== marker.end)
    throw new DicomError("truncated", "a tile part of the JPEG 2000 codestream is cut");
}

const marker = { size: 0xff51, startOfTile: 0xff90, end: 0xffd9 } as const;

function checkSize(view: DataView, at: number, expected: ExpectedShape): void {
  if (at + 40 > view.byteLength) throw new DicomError("truncated", "the JPEG 2000 header is cut");
  const width = view.getUint32(at + 6) - view.getUint32(at + 14);
  const height = view.getUint32(at + 10) - view.getUint32(at + 18);
  checkShape({ width, height, componentCount: view.getUint16(at + 38) }, expected);
}
