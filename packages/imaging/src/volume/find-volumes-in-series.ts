import type { DicomHeader } from "../dicom/parse/dicom-header.ts";
import {
  dot,
  findGeometryProblems,
  sliceNormal,
  sortSlices,
  sliceSpacing,
  type GroupProblem,
  type Slice,
  type Vector,
} from "./slice-geometry.ts";

/** Images of one series that belong together. */
export interface SeriesGroup<H extends DicomHeader = DicomHeader> {
  kind: "volume" | "pictures";
  studyInstanceUid: string;
  seriesInstanceUid: string;
  /** A volume's slices in rising order along the normal; other images by instance number. */
  instances: H[];
  /** Frames of a multi-frame volume (its only instance) in rising order along the normal; null where a file is a slice. */
  frameOrder: number[] | null;
  /** [between columns, between rows, between slices] in mm; null for images that are no slices. */
  spacing: [number, number, number] | null;
  /**
   * Reasons for which slices are no volume, or the slices left out of one; "tilt" if a volume's planes lean and will be
   * straightened.
   */
  problems: GroupProblem[];
}

/**
 * Sorts the headers of an upload into volumes and single images: by study, series, size, orientation, pixel spacing and
 * image type. Localizers and secondary captures never join a volume. Each header comes out in exactly one group, but
 * for repetitions of a SOP Instance UID, of which the first is kept.
 */
export function groupSeries<H extends DicomHeader>(headers: readonly H[]): SeriesGroup<H>[] {
  const distinct = [
    ...new Map([...headers].reverse().map((header) => [header.sopInstanceUid || header, header])).values(),
  ].reverse();
  const stacks = new Map<string, H[][]>();
  const singleImages = new Map<string, H[]>();
  for (const header of distinct) {
    if (!isSlice(header)) singleImages.set(seriesKey(header), [...(singleImages.get(seriesKey(header)) ?? []), header]);
    else addToStack(stacks, header);
  }
  return [
    ...[...stacks.values()].flat().flatMap(groupStack),
    ...[...singleImages.values()].map((images) => makeImageGroup(images, [])),
  ];
}

/** Presentation states may be in a series of images, but are no images. */
const seriesKey = ({ studyInstanceUid, seriesInstanceUid, presentation }: DicomHeader): string =>
  `${studyInstanceUid}|${seriesInstanceUid}|${presentation ? "state" : ""}`;

function isSlice(header: DicomHeader): boolean {
  const hasPosition = header.frames > 1 ? header.framePositions !== null : header.imagePosition !== null;
  if (
    !hasPosition ||
    !header.hasPixels ||
    header.samplesPerPixel !== 1 ||
    header.pixelSpacing === null ||
    header.imageOrientation === null
  )
    return false;
  if (header.bitsAllocated === 1 || header.modality === "SEG" || header.modality === "RTDOSE") return false;
  if (header.imageType.some((value) => /LOCALIZER|SCOUT|TOPOGRAM/.test(value))) return false;
  // Secondary captures are screen images, unless they are multi-frame with a position for every frame.
  return (
    !header.sopClassUid.startsWith("1.2.840.10008.5.1.4.1.1.7") ||
    header.sopClassUid.startsWith("1.2.840.10008.5.1.4.1.1.77") ||
    header.frames > 1
  );
}

function addToStack<H extends DicomHeader>(stacks: Map<string, H[][]>, header: H): void {
  const spacing = header.pixelSpacing?.map((value) => value.toPrecision(4)).join("×");
  const multi = header.frames > 1 ? header.sopInstanceUid : "";
  const key = [
    seriesKey(header),
    header.rows,
    header.columns,
    spacing,
    header.imageType.slice(0, 3).join(),
    multi,
  ].join("|");
  const found = stacks.get(key) ?? [];
  stacks.set(key, found);
  const same = found.find(([first]) => isParallel(first, header));
  if (same) same.push(header);
  else found.push([header]);
}

/** Row and column directions within about one degree. */
function isParallel(one: DicomHeader, other: DicomHeader): boolean {
  const [a, b] = [one.imageOrientation, other.imageOrientation];
  if (a === null || b === null) return false;
  return dot(part(a, 0), part(b, 0)) > 0.9998 && dot(sliceNormal(a), sliceNormal(b)) > 0.9998;
}

const part = (values: readonly number[], from: number): Vector => [values[from], values[from + 1], values[from + 2]];

function groupStack<H extends DicomHeader>(stack: readonly H[]): SeriesGroup<H>[] {
  const slices = sortSlices(stack);
  const [row, column] = stack[0].pixelSpacing ?? [1, 1];
  const problems = findGeometryProblems(slices, Math.min(row, column));
  if (problems.some(({ code }) => code === "duplicate") && stack.length > 1)
    return separateDuplicates(stack, slices, problems);
  return [isVolume(problems) ? makeVolumeGroup(slices, problems) : makeImageGroup(stack, withoutTilt(problems))];
}

/** A tilted stack is straightened (`buildVolume`), so tilt alone keeps nothing from being a volume. */
const isVolume = (problems: readonly GroupProblem[]): boolean => problems.every(({ code }) => code === "tilt");
const withoutTilt = (problems: readonly GroupProblem[]): GroupProblem[] =>
  problems.filter(({ code }) => code !== "tilt");

function makeVolumeGroup<H extends DicomHeader>(slices: readonly Slice<H>[], problems: GroupProblem[]): SeriesGroup<H> {
  const first = slices[0].header;
  const [row, column] = first.pixelSpacing ?? [1, 1];
  const isMultiFrame = first.framePositions !== null;
  return {
    kind: "volume",
    studyInstanceUid: first.studyInstanceUid,
    seriesInstanceUid: first.seriesInstanceUid,
    instances: isMultiFrame ? [first] : slices.map(({ header }) => header),
    frameOrder: isMultiFrame ? slices.map(({ frame }) => frame) : null,
    spacing: [column, row, sliceSpacing(slices)],
    problems,
  };
}

function makeImageGroup<H extends DicomHeader>(images: readonly H[], problems: GroupProblem[]): SeriesGroup<H> {
  const sorted = [...images].sort(
    (one, other) => (one.instanceNumber ?? Infinity) - (other.instanceNumber ?? Infinity) || 0,
  );
  const { studyInstanceUid, seriesInstanceUid } = sorted[0];
  return {
    kind: "pictures",
    studyInstanceUid,
    seriesInstanceUid,
    instances: sorted,
    frameOrder: null,
    spacing: null,
    problems,
  };
}

/**
 * Repeated scans in one series are distinguished by acquisition; otherwise the first at each place stays and the others
 * become a separate group.
 */
function separateDuplicates<H extends DicomHeader>(
  stack: readonly H[],
  slices: readonly Slice<H>[],
  problems: GroupProblem[],
): SeriesGroup<H>[] {
  const acquisitions = [...Map.groupBy(stack, (header) => header.acquisitionNumber).values()];
  if (acquisitions.length > 1 && acquisitions.every((part) => !hasDuplicates(sortSlices(part))))
    return acquisitions.flatMap(groupStack);
  const kept = slices.filter((slice, index) => index === 0 || !isSamePosition(slice, slices[index - 1]));
  const others = stack.filter((header) => !kept.some((slice) => slice.header === header));
  const [row, column] = stack[0].pixelSpacing ?? [1, 1];
  const remaining = findGeometryProblems(kept, Math.min(row, column));
  const duplicate = problems.filter(({ code }) => code === "duplicate");
  if (!isVolume(remaining)) return [makeImageGroup(stack, [...duplicate, ...withoutTilt(remaining)])];
  return [makeVolumeGroup(kept, [...duplicate, ...remaining]), makeImageGroup(others, duplicate)];
}

const hasDuplicates = (slices: readonly Slice[]): boolean =>
  slices.some((slice, index) => index > 0 && isSamePosition(slice, slices[index - 1]));

const isSamePosition = (one: Slice, other: Slice): boolean => Math.abs(one.along - other.along) <= 0.011;
