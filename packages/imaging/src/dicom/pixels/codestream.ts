import type { Element, Fragment } from "dicom-parser";
import { joinBytes } from "../../join-bytes.ts";
import { DicomError } from "../dicom-error.ts";
import { readPixelShape } from "./pixel-shape.ts";
import { tags } from "../parse/tags.ts";
import type { DicomFile } from "../parse/dicom-file.ts";

/** The codestream of one frame of encapsulated pixel data, its fragments joined (PS3.5 A.4). */
export function readCodestream(file: DicomFile, frame: number): Uint8Array {
  const element = file.dataSet.elements[tags.pixels];
  const fragments = findFragments(file, element, frame);
  const bytes = file.dataSet.byteArray;
  const parts = fragments.map(({ position, length }) => bytes.subarray(position, position + length));
  if (parts.length === 1) return parts[0];
  return joinBytes(parts);
}

function findFragments(file: DicomFile, element: Element, frame: number): Fragment[] {
  const fragments = element.fragments ?? [];
  const { frames } = readPixelShape(file);
  if (frames === 1) return fragments;
  if (fragments.length === frames) return [fragments[frame]];
  const starts = findFrameStarts(file, element, fragments, frames);
  return fragments.slice(starts[frame], starts[frame + 1] ?? fragments.length);
}

/** Index of the first fragment of each frame: by the offset tables, else by the codestreams' own beginnings. */
function findFrameStarts(file: DicomFile, element: Element, fragments: Fragment[], frames: number): number[] {
  const offsets = readOffsetTable(file, element);
  const byTable = offsets.map((offset) => fragments.findIndex((fragment) => fragment.offset === offset));
  if (byTable.length === frames && !byTable.includes(-1)) return byTable;
  const bytes = file.dataSet.byteArray;
  // SOI of JPEG and JPEG-LS, SOC of JPEG 2000.
  const startsCodestream = ({ position }: Fragment) =>
    bytes[position] === 0xff && (bytes[position + 1] === 0xd8 || bytes[position + 1] === 0x4f);
  const byMarker = fragments.flatMap((fragment, index) => (startsCodestream(fragment) ? [index] : []));
  if (byMarker.length === frames) return byMarker;
  throw new DicomError(
    "unsupported",
    `${fragments.length} fragments for ${frames} frames and no table that says which`,
  );
}

function readOffsetTable(file: DicomFile, element: Element): number[] {
  const extended = file.rawValue(tags.extendedOffsets);
  if (extended === null) return element.basicOffsetTable ?? [];
  const view = new DataView(extended.buffer, extended.byteOffset, extended.byteLength);
  return Array.from({ length: Math.trunc(extended.length / 8) }, (_, index) =>
    Number(view.getBigUint64(index * 8, true)),
  );
}
