import type { SegmentedSeries, SourceSlice } from "@arcada/imaging/dicom/segmentation/write-segmentation";

/** DICOM JSON (PS3.18 F.2). */
type Metadata = Record<string, { Value?: unknown[] } | undefined>;

/**
 * The geometry and identity of a series out of the metadata of its instances; null if they are no slices in one
 * direction of one frame of reference.
 * @param texts the DICOM JSON of each instance, or of the only one of a multi-frame volume
 */
export function readSegmentedSeries(texts: readonly string[]): SegmentedSeries | null {
  const files = texts.map((text) => JSON.parse(text) as Metadata);
  const [first] = files;
  if (!first) return null;
  const shared = firstItem(first, "52009229");
  const perFrame = items(first, "52009230");
  const measures = firstItem(shared, "00289110") ?? firstItem(perFrame[0], "00289110") ?? first;
  const plane = firstItem(shared, "00209116") ?? firstItem(perFrame[0], "00209116") ?? first;
  const orientation = numbers(plane, "00200037");
  const [rows, columns] = [Number(value(first, "00280010")), Number(value(first, "00280011"))];
  const [betweenRows, betweenColumns] = numbers(measures, "00280030");
  const frameOfReferenceUid = text(first, "00200052");
  if (orientation.length !== 6 || !betweenRows || !betweenColumns || !frameOfReferenceUid || !rows || !columns)
    return null;
  const slices = sortAlong(
    perFrame.length > 1 && files.length === 1 ? framesOf(first, perFrame) : files.map(sliceOf),
    orientation,
  );
  if (!slices) return null;
  return {
    studyInstanceUid: text(first, "0020000D"),
    seriesInstanceUid: text(first, "0020000E"),
    frameOfReferenceUid,
    patient: readPatient(first),
    study: readStudy(first),
    rows,
    columns,
    pixelSpacing: [betweenRows, betweenColumns],
    sliceSpacing: slices.spacing || Number(value(measures, "00180050")) || betweenRows,
    orientation,
    slices: slices.sorted,
  };
}

const readPatient = (file: Metadata): SegmentedSeries["patient"] => ({
  name: personName(file, "00100010"),
  id: text(file, "00100020"),
  birthDate: text(file, "00100030"),
  sex: text(file, "00100040"),
});
const readStudy = (file: Metadata): SegmentedSeries["study"] => ({
  date: text(file, "00080020"),
  time: text(file, "00080030"),
  id: text(file, "00200010"),
  accessionNumber: text(file, "00080050"),
  referringPhysician: personName(file, "00080090"),
});

const value = (data: Metadata, tag: string): unknown => data[tag]?.Value?.[0];
const text = (data: Metadata, tag: string): string => {
  const found = value(data, tag);
  return typeof found === "string" || typeof found === "number" ? String(found) : "";
};
const numbers = (data: Metadata, tag: string): number[] => (data[tag]?.Value ?? []).map(Number);
const items = (data: Metadata | undefined, tag: string): Metadata[] => (data?.[tag]?.Value ?? []) as Metadata[];
const firstItem = (data: Metadata | undefined, tag: string): Metadata | undefined => items(data, tag)[0];

/** PS3.5 6.2: the three ways in which a name is written, joined by "=". */
function personName(data: Metadata, tag: string): string {
  const groups = value(data, tag) as Partial<Record<"Alphabetic" | "Ideographic" | "Phonetic", string>> | undefined;
  const parts = [groups?.Alphabetic ?? "", groups?.Ideographic ?? "", groups?.Phonetic ?? ""];
  while (parts.at(-1) === "") parts.pop();
  return parts.join("=");
}

type Position = SourceSlice["position"];
const toPosition = (values: readonly number[]): Position => [values[0] ?? NaN, values[1] ?? NaN, values[2] ?? NaN];

const sliceOf = (file: Metadata): SourceSlice => ({
  sopClassUid: text(file, "00080016"),
  sopInstanceUid: text(file, "00080018"),
  position: toPosition(numbers(file, "00200032")),
});

const framesOf = (file: Metadata, perFrame: readonly Metadata[]): SourceSlice[] =>
  perFrame.map((frame, place) => ({
    sopClassUid: text(file, "00080016"),
    sopInstanceUid: text(file, "00080018"),
    frame: place + 1,
    position: toPosition(numbers(firstItem(frame, "00209113") ?? {}, "00200032")),
  }));

/** Slices in rising order along their normal, and the mm between them; null if one has no position. */
function sortAlong(
  slices: readonly SourceSlice[],
  [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[],
): { sorted: SourceSlice[]; spacing: number } | null {
  const normal = [b * f - c * e, c * d - a * f, a * e - b * d] as const;
  const along = ({ position: [x, y, z] }: SourceSlice): number => x * normal[0] + y * normal[1] + z * normal[2];
  if (!slices.every((slice) => Number.isFinite(along(slice)))) return null;
  const sorted = slices.toSorted((one, other) => along(one) - along(other));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) return null;
  return { sorted, spacing: sorted.length > 1 ? (along(last) - along(first)) / (sorted.length - 1) : 0 };
}
