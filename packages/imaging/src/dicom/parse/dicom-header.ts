import { readFrameGeometry, parseSpacing, type Triple } from "./frame-geometry.ts";
import type { DicomItem } from "./dicom-item.ts";
import { toIsoDate, toIsoTime, formatPersonName } from "./format-values.ts";
import { hasOverlay } from "../pixels/overlay.ts";
import { findPixelElement, readPixelShape } from "../pixels/pixel-shape.ts";
import { readPresentationHeader, type PresentationHeader } from "../presentation/presentation-state.ts";
import { tags, type Tag } from "./tags.ts";
import type { DicomFile } from "./dicom-file.ts";

/**
 * The stored metadata of a file besides its pixels; plain data that survives JSON. Lengths in mm, positions in patient
 * LPS.
 */
export interface DicomHeader {
  sopClassUid: string;
  sopInstanceUid: string;
  studyInstanceUid: string;
  seriesInstanceUid: string;
  transferSyntaxUid: string;
  modality: string;
  imageType: string[];
  /** Raw, component groups and carets kept. */
  patientName: string;
  /** For people: the ideographic group when there is one. */
  patientNameText: string;
  /** True when the name is not in the character set that the file declares: the text is a guess. */
  patientNameGuessed: boolean;
  patientId: string;
  /** yyyy-mm-dd, or null when absent or no real day. */
  patientBirthDate: string | null;
  patientSex: string;
  studyDate: string | null;
  studyTime: string | null;
  studyDescription: string;
  seriesDescription: string;
  protocolName: string;
  seriesNumber: number | null;
  acquisitionNumber: number | null;
  instanceNumber: number | null;
  institutionName: string;
  manufacturer: string;
  model: string;
  stationName: string;
  bodyPart: string;
  /** Code Meaning of the first Anatomic Region Sequence item. */
  anatomicRegion: string;
  viewPosition: string;
  laterality: string;
  rows: number;
  columns: number;
  frames: number;
  hasPixels: boolean;
  /** Drawings stored over the image (60xx). */
  hasOverlay: boolean;
  bitsAllocated: number;
  bitsStored: number;
  samplesPerPixel: number;
  photometric: string;
  /** True when values are two's complement (Pixel Representation 1). */
  signed: boolean;
  pixelRepresentation: number;
  /** [between rows, between columns]. */
  pixelSpacing: [number, number] | null;
  /** At the detector: larger than in the patient by the magnification. */
  imagerPixelSpacing: [number, number] | null;
  magnification: number | null;
  sliceThickness: number | null;
  gantryTilt: number | null;
  /** Centre of the first voxel; of the first frame where frames have their own. */
  imagePosition: Triple | null;
  /** Direction of a row (rising column index), then of a column (rising row index). */
  imageOrientation: [number, number, number, number, number, number] | null;
  /** One position per frame of a multi-frame file that has them all. */
  framePositions: Triple[] | null;
  frameOfReferenceUid: string;
  /** Lossy compression took place at some time, or the syntax allows it and the file does not state its absence. */
  lossy: boolean;
  /** Uncompressed to compressed size of each lossy step, the earliest first; empty where none is stated. */
  lossyRatios: number[];
  /** For a presentation state: the images that it applies to, and its parts that are not applied here. */
  presentation: PresentationHeader | null;
  kvp: number | null;
  tubeCurrent: number | null;
  exposureTime: number | null;
  exposure: number | null;
}

/** The header of an open file. Absent values are "", null or the default of the standard; nothing is thrown. */
export function readDicomHeader(file: DicomFile): DicomHeader {
  return {
    ...readIdentity(file),
    ...readDescription(file),
    ...readShape(file),
    ...readGeometry(file),
    ...readAcquisition(file),
    hasOverlay: hasOverlay(file),
    presentation: readPresentationHeader(file),
  };
}

const readText = (file: DicomItem, tag: Tag): string => file.text(tag) ?? "";

/** The part of the header that tells which object a file contains, and of what kind. */
type DicomObjectHeader = Pick<
  DicomHeader,
  "sopClassUid" | "sopInstanceUid" | "studyInstanceUid" | "seriesInstanceUid" | "hasPixels" | "presentation"
> & {
  /** The object itself states a position. Those of single frames are not read. */
  hasPosition: boolean;
};
/** Reads as `readDicomHeader` does, but only that part. */
export const readObjectHeader = (file: DicomFile): DicomObjectHeader => ({
  ...readUids(file),
  hasPixels: hasPixels(file),
  hasPosition: file.numbers(tags.imagePosition).length > 0,
  presentation: readPresentationHeader(file),
});

const readUids = (file: DicomFile) => ({
  sopClassUid: readText(file, tags.sopClass) || readText(file, "x00020002"),
  sopInstanceUid: readText(file, tags.sopInstance) || readText(file, "x00020003"),
  studyInstanceUid: readText(file, tags.studyInstance),
  seriesInstanceUid: readText(file, tags.seriesInstance),
});

const hasPixels = (file: DicomFile): boolean => (findPixelElement(file)?.length ?? 0) > 0;

function readIdentity(file: DicomFile) {
  const patientName = readText(file, tags.patientName);
  return {
    ...readUids(file),
    transferSyntaxUid: file.transferSyntax,
    patientName,
    patientNameText: formatPersonName(patientName),
    patientNameGuessed: file.isGuessed(tags.patientName),
    patientId: readText(file, tags.patientId),
    patientBirthDate: toIsoDate(file.text(tags.patientBirthDate)),
    patientSex: readText(file, tags.patientSex),
    studyDate: toIsoDate(file.text(tags.studyDate) ?? file.text(tags.acquisitionDate) ?? file.text(tags.contentDate)),
    studyTime: toIsoTime(file.text(tags.studyTime)),
  };
}

function readDescription(file: DicomFile) {
  return {
    modality: readText(file, tags.modality).toUpperCase(),
    imageType: file.texts(tags.imageType).map((value) => value.toUpperCase()),
    studyDescription: readText(file, tags.studyDescription),
    seriesDescription: readText(file, tags.seriesDescription),
    protocolName: readText(file, tags.protocolName),
    seriesNumber: file.number(tags.seriesNumber),
    acquisitionNumber: file.number(tags.acquisitionNumber),
    instanceNumber: file.number(tags.instanceNumber),
    institutionName: readText(file, tags.institutionName),
    manufacturer: readText(file, tags.manufacturer),
    model: readText(file, tags.manufacturerModel),
    stationName: readText(file, tags.stationName),
    bodyPart: readText(file, tags.bodyPart).toUpperCase(),
    anatomicRegion: file.sequence(tags.anatomicRegionSequence)[0]?.text(tags.codeMeaning) ?? "",
    viewPosition: readText(file, tags.viewPosition).toUpperCase(),
    laterality: readText(file, tags.laterality).toUpperCase(),
  };
}

function readShape(file: DicomFile) {
  const { rows, columns, frames, samples, bitsAllocated } = readPixelShape(file);
  const pixelRepresentation = file.uint16(tags.pixelRepresentation) ?? 0;
  return {
    rows,
    columns,
    frames,
    hasPixels: hasPixels(file),
    bitsAllocated,
    bitsStored: file.uint16(tags.bitsStored) ?? bitsAllocated,
    samplesPerPixel: samples,
    photometric: readText(file, tags.photometric),
    signed: pixelRepresentation === 1,
    pixelRepresentation,
  };
}

function readGeometry(file: DicomFile) {
  const frames = readFrameGeometry(file);
  return {
    pixelSpacing: frames.pixelSpacing,
    imagerPixelSpacing: parseSpacing(file.numbers(tags.imagerPixelSpacing)),
    magnification: positiveOrNull(file.number(tags.magnification)),
    sliceThickness: frames.sliceThickness,
    gantryTilt: file.number(tags.gantryTilt),
    imagePosition: frames.positions?.[0] ?? null,
    imageOrientation: frames.orientation,
    framePositions: readPixelShape(file).frames > 1 ? frames.positions : null,
    frameOfReferenceUid: readText(file, tags.frameOfReference),
  };
}

const positiveOrNull = (value: number | null): number | null => (value !== null && value > 0 ? value : null);

function readAcquisition(file: DicomFile) {
  return {
    lossy: isLossy(file),
    lossyRatios: plausibleRatios(file.numbers(tags.lossyRatio)),
    kvp: file.number(tags.kvp),
    tubeCurrent: file.number(tags.tubeCurrent),
    exposureTime: file.number(tags.exposureTime),
    exposure: file.number(tags.exposure),
  };
}

/** Lossy Image Compression (0028,2110) stays 01 once data was lossy, whatever encoding follows (PS3.3 C.7.6.1.1.5). */
function isLossy(file: DicomFile): boolean {
  const stated = file.text(tags.lossy);
  if (stated === "01" || lossySyntaxes.has(file.transferSyntax)) return true;
  const isSuspected =
    possiblyLossySyntaxes.has(file.transferSyntax) || file.numbers(tags.lossyRatio).some((ratio) => ratio > 1);
  return stated !== "00" && isSuspected;
}

/** JPEG baseline and extended cannot be lossless. */
const lossySyntaxes: ReadonlySet<string> = new Set(["1.2.840.10008.1.2.4.50", "1.2.840.10008.1.2.4.51"]);
/** JPEG-LS near-lossless, JPEG 2000 and HTJ2K hold either kind: data that do not state theirs count as lossy. */
const possiblyLossySyntaxes: ReadonlySet<string> = new Set(
  ["81", "91", "203"].map((last) => `1.2.840.10008.1.2.4.${last}`),
);

/** No image is compressed in more than a few steps: a hostile file states thousands, and each would reach the badge. */
const plausibleRatios = (ratios: readonly number[]): number[] =>
  ratios.filter((ratio) => ratio > 1 && ratio < 10_000).slice(0, 4);
