import type { DicomItem } from "./dicom-item.ts";
import { tags } from "./tags.ts";

export type Triple = [number, number, number];

export interface FrameGeometry {
  pixelSpacing: [number, number] | null;
  sliceThickness: number | null;
  /** Null where frames have different ones. */
  orientation: [number, number, number, number, number, number] | null;
  /** One per frame; null if a frame has no position of its own. */
  positions: Triple[] | null;
}

/** Geometry from the image's own elements, else from the functional groups of enhanced multi-frame images (PS3.3 C.7.6.16). */
export function readFrameGeometry(file: DicomItem): FrameGeometry {
  const shared = file.sequence(tags.sharedGroups)[0];
  const perFrame = file.sequence(tags.perFrameGroups);
  const groups = [shared, perFrame[0]].filter((group) => group !== undefined);
  const measures = groups.flatMap((group) => group.sequence(tags.pixelMeasuresSequence))[0] ?? file;
  const plane = groups.flatMap((group) => group.sequence(tags.planeOrientationSequence))[0] ?? file;
  const orientation = parseOrientation(plane.numbers(tags.imageOrientation));
  const framePositions = perFrame.map((frame) => readPosition(frame.sequence(tags.planePositionSequence)[0] ?? file));
  const positions =
    framePositions.length > 0
      ? framePositions
      : [readPosition(shared?.sequence(tags.planePositionSequence)[0] ?? file)];
  return {
    pixelSpacing: parseSpacing(measures.numbers(tags.pixelSpacing)),
    sliceThickness: measures.number(tags.sliceThickness),
    orientation: perFrame.every((frame) => hasSameOrientation(frame, orientation)) ? orientation : null,
    positions: positions.every((position) => position !== null) ? positions : null,
  };
}

/** Frames of several directions, as those of a localizer, are no stack and have no common orientation. */
function hasSameOrientation(frame: DicomItem, common: FrameGeometry["orientation"]): boolean {
  const own = parseOrientation(frame.sequence(tags.planeOrientationSequence)[0]?.numbers(tags.imageOrientation) ?? []);
  return own === null || common === null || own.every((value, at) => Math.abs(value - common[at]) < 0.02);
}

/** [between rows, between columns] in mm, as Pixel Spacing has them; null where one is missing or not positive. */
export const parseSpacing = (values: number[]): [number, number] | null =>
  values.length >= 2 && values[0] > 0 && values[1] > 0 ? [values[0], values[1]] : null;

function readPosition(item: DicomItem): Triple | null {
  const [x, y, z] = item.numbers(tags.imagePosition);
  return z === undefined ? null : [x, y, z];
}

/** Six cosines, made unit length; null when they are no two perpendicular directions. */
function parseOrientation(values: number[]): FrameGeometry["orientation"] {
  if (values.length < 6) return null;
  const row = toUnitVector(values.slice(0, 3));
  const column = toUnitVector(values.slice(3, 6));
  if (row === null || column === null) return null;
  const dot = row[0] * column[0] + row[1] * column[1] + row[2] * column[2];
  return Math.abs(dot) > 0.01 ? null : [...row, ...column];
}

function toUnitVector([x, y, z]: number[]): Triple | null {
  const length = Math.hypot(x, y, z);
  return length > 0.9 && length < 1.1 ? [x / length, y / length, z / length] : null;
}
