import { deriveUid, implementation, writeDicom, type DicomDataset, type DicomElement } from "../write/write-dicom.ts";
import { packBits } from "../write/encode-plain-data-set.ts";

/** PS3.6 table A-1: Segmentation Storage. */
export const segmentationClass = "1.2.840.10008.5.1.4.1.1.66.4";

/** A slice of the series that was segmented. */
export interface SourceSlice {
  sopClassUid: string;
  sopInstanceUid: string;
  /** The frame of a multi-frame image, counted from 1. */
  frame?: number;
  /** Image Position (Patient): centre of the first voxel, mm, DICOM patient LPS. */
  position: readonly [number, number, number];
}
export interface SegmentedSeries {
  studyInstanceUid: string;
  seriesInstanceUid: string;
  frameOfReferenceUid: string;
  patient: { name: string; id: string; birthDate: string; sex: string };
  study: { date: string; time: string; id: string; accessionNumber: string; referringPhysician: string };
  rows: number;
  columns: number;
  /** [between rows, between columns] and between slices, mm. */
  pixelSpacing: readonly [number, number];
  sliceSpacing: number;
  /** Image Orientation (Patient): direction of the rows, then of the columns. */
  orientation: readonly number[];
  slices: readonly SourceSlice[];
}
export interface SegmentCode {
  value: string;
  scheme: string;
  meaning: string;
}
export interface Segment {
  label: string;
  /** MANUAL segments name no algorithm (PS3.3 C.8.20.4). */
  algorithm: { type: "AUTOMATIC" | "SEMIAUTOMATIC"; name: string } | { type: "MANUAL" };
  property: SegmentCode;
  /** `[row][column]` of a slice, 0 or 1; null: nothing of the segment is in it. */
  maskOf(slice: number): Uint8Array | null;
}

/** The canals and roots of both jaws have a tenth of this. The whole object is in memory, more than once. */
const maxMaskBytes = 256_000_000;
/** The masks of the segments need more memory than a server may give them. */
export class SegmentationTooLargeError extends Error {
  override name = "SegmentationTooLargeError";
}

/** PS3.16 CID 7150. */
const anatomicalStructure: SegmentCode = { value: "123037004", scheme: "SCT", meaning: "Anatomical Structure" };

/**
 * Writes a Segmentation object (PS3.3 A.51), BINARY, one frame for each slice that a segment occupies. It refers to
 * the series that was segmented, in its frame of reference.
 * @throws RangeError if no segment has a voxel: an object without frames is none; SegmentationTooLargeError above 256 MB
 */
export function writeSegmentation(
  series: SegmentedSeries,
  segments: readonly Segment[],
  created: { date: string; time: string; seriesNumber: number; version: string },
): Uint8Array<ArrayBuffer> {
  const bits = series.rows * series.columns;
  let bytes = 0;
  const frames = segments.flatMap((segment, place) =>
    series.slices.flatMap((_, slice) => {
      const mask = segment.maskOf(slice);
      if (!mask?.includes(1)) return [];
      bytes += Math.ceil(bits / 8);
      if (bytes > maxMaskBytes) throw new SegmentationTooLargeError();
      // Packed at once, an eighth of the memory.
      return [{ segment: place + 1, slice, mask: packBits([mask]) }];
    }),
  );
  if (frames.length === 0) throw new RangeError("no segment has a voxel");
  const key = [series.seriesInstanceUid, created.date, created.time, ...segments.map(({ label }) => label)];
  const packed = joinPackedFrames(
    frames.map(({ mask }) => mask),
    bits,
  );
  const dimensions = deriveUid("segmentation dimensions", ...key);
  return writeDicom(
    [
      ...patientAndStudy(series),
      ...equipmentAndSeries(series, created, deriveUid("segmentation series", ...key)),
      ...imageElements(series, frames.length),
      [0x00081115, "SQ", [referencedSeries(series)]],
      [0x00209221, "SQ", [[[0x00209164, "UI", dimensions]]]],
      [
        0x00209222,
        "SQ",
        [dimension(dimensions, 0x0062000b, 0x0062000a), dimension(dimensions, 0x00200032, 0x00209113)],
      ],
      [0x00620002, "SQ", segments.map((segment, place) => segmentItem(segment, place + 1))],
      [0x52009229, "SQ", [sharedGroups(series)]],
      [0x52009230, "SQ", frames.map((frame) => frameGroups(series, frame))],
      [0x7fe00010, "OB", packed],
    ],
    {
      sopClassUid: segmentationClass,
      sopInstanceUid: deriveUid("segmentation", ...key),
      charset: "ISO_IR 192",
    },
  );
}

/** Joins frames of so many bits, which follow each other without a gap (PS3.5 8.1.1), to an even number of bytes. */
function joinPackedFrames(frames: readonly Uint8Array[], bits: number): Uint8Array {
  const length = Math.ceil((frames.length * bits) / 8);
  const joined = new Uint8Array(length + (length % 2));
  for (const [place, frame] of frames.entries()) {
    const [first, shift] = [Math.floor((place * bits) / 8), (place * bits) % 8];
    for (let at = 0; at < frame.length; at++) {
      joined[first + at]! |= frame[at]! << shift;
      if (shift > 0 && first + at + 1 < length) joined[first + at + 1]! |= frame[at]! >> (8 - shift);
    }
  }
  return joined;
}

const patientAndStudy = ({ patient, study, ...series }: SegmentedSeries): DicomElement[] => [
  [0x00100010, "PN", patient.name],
  [0x00100020, "LO", patient.id],
  [0x00100030, "DA", patient.birthDate],
  [0x00100040, "CS", patient.sex],
  [0x0020000d, "UI", series.studyInstanceUid],
  [0x00080020, "DA", study.date],
  [0x00080030, "TM", study.time],
  [0x00080050, "SH", study.accessionNumber],
  [0x00080090, "PN", study.referringPhysician],
  [0x00200010, "SH", study.id],
  [0x00200052, "UI", series.frameOfReferenceUid],
  [0x00201040, "LO", null],
];

const equipmentAndSeries = (
  _: SegmentedSeries,
  { date, time, seriesNumber, version }: { date: string; time: string; seriesNumber: number; version: string },
  seriesUid: string,
): DicomElement[] => [
  [0x00080060, "CS", "SEG"],
  [0x0020000e, "UI", seriesUid],
  [0x00200011, "IS", String(seriesNumber)],
  [0x0008103e, "LO", "Segmentation"],
  [0x00080070, "LO", "Arcada"],
  [0x00081090, "LO", implementation.name],
  [0x00181000, "LO", implementation.uid.slice(-16)],
  [0x00181020, "LO", version],
  [0x00080023, "DA", date],
  [0x00080033, "TM", time],
  [0x00200013, "IS", "1"],
  [0x00700080, "CS", "SEGMENTATION"],
  [0x00700081, "LO", "Structures of the jaws"],
  [0x00700084, "PN", null],
];

const imageElements = ({ rows, columns }: SegmentedSeries, frames: number): DicomElement[] => [
  [0x00080008, "CS", ["DERIVED", "PRIMARY"]],
  [0x00280002, "US", 1],
  [0x00280004, "CS", "MONOCHROME2"],
  [0x00280008, "IS", String(frames)],
  [0x00280010, "US", rows],
  [0x00280011, "US", columns],
  // PS3.3 C.8.20.2: a binary segmentation has one bit for each voxel.
  [0x00280100, "US", 1],
  [0x00280101, "US", 1],
  [0x00280102, "US", 0],
  [0x00280103, "US", 0],
  [0x00282110, "CS", "00"],
  [0x00620001, "CS", "BINARY"],
];

const codeItem = ({ value, scheme, meaning }: SegmentCode): DicomDataset => [
  [0x00080100, "SH", value],
  [0x00080102, "SH", scheme],
  [0x00080104, "LO", meaning],
];

const reference = ({ sopClassUid, sopInstanceUid }: SourceSlice): DicomElement[] => [
  [0x00081150, "UI", sopClassUid],
  [0x00081155, "UI", sopInstanceUid],
];

const referencedSeries = ({ seriesInstanceUid, slices }: SegmentedSeries): DicomDataset => [
  [0x0008114a, "SQ", [...new Map(slices.map((slice) => [slice.sopInstanceUid, slice])).values()].map(reference)],
  [0x0020000e, "UI", seriesInstanceUid],
];

const dimension = (organisation: string, index: number, group: number): DicomDataset => [
  [0x00209164, "UI", organisation],
  [0x00209165, "AT", index],
  [0x00209167, "AT", group],
];

const segmentItem = ({ label, algorithm, property }: Segment, number: number): DicomDataset => [
  [0x00620003, "SQ", [codeItem(anatomicalStructure)]],
  [0x00620004, "US", number],
  [0x00620005, "LO", label],
  [0x00620008, "CS", algorithm.type],
  ...(algorithm.type === "MANUAL" ? [] : [[0x00620009, "LO", algorithm.name] as const]),
  [0x0062000f, "SQ", [codeItem(property)]],
];

const sharedGroups = ({ orientation, pixelSpacing, sliceSpacing }: SegmentedSeries): DicomDataset => [
  [0x00209116, "SQ", [[[0x00200037, "DS", orientation.map(formatDecimal)]]]],
  [
    0x00289110,
    "SQ",
    [
      [
        [0x00180050, "DS", formatDecimal(sliceSpacing)],
        [0x00180088, "DS", formatDecimal(sliceSpacing)],
        [0x00280030, "DS", pixelSpacing.map(formatDecimal)],
      ],
    ],
  ],
];

/** PS3.16: codes of the derivation, and of the purpose for which the slice is referred to. */
const segmentationCode: SegmentCode = { value: "113076", scheme: "DCM", meaning: "Segmentation" };
const sourceCode: SegmentCode = {
  value: "121322",
  scheme: "DCM",
  meaning: "Source image for image processing operation",
};

function frameGroups({ slices }: SegmentedSeries, frame: { segment: number; slice: number }): DicomDataset {
  const source = slices[frame.slice]!;
  const sourceItem: DicomDataset = [
    ...reference(source),
    ...(source.frame === undefined ? [] : [[0x00081160, "IS", String(source.frame)] as const]),
    [0x0040a170, "SQ", [codeItem(sourceCode)]],
  ];
  return [
    [
      0x00089124,
      "SQ",
      [
        [
          [0x00082112, "SQ", [sourceItem]],
          [0x00089215, "SQ", [codeItem(segmentationCode)]],
        ],
      ],
    ],
    [0x00209111, "SQ", [[[0x00209157, "UL", [frame.segment, frame.slice + 1]]]]],
    [0x00209113, "SQ", [[[0x00200032, "DS", source.position.map(formatDecimal)]]]],
    [0x0062000a, "SQ", [[[0x0062000b, "US", frame.segment]]]],
  ];
}

/** PS3.5 6.2: a decimal string has sixteen characters at most. */
function formatDecimal(value: number): string {
  const plain = String(value);
  return plain.length <= 16 ? plain : String(Number(value.toPrecision(9)));
}
