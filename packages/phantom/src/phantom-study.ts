import { deriveUid, writeDicom, type DicomDataset, type DicomElement } from "@arcada/imaging/dicom/write/write-dicom";
import type { HeadTruth } from "./anatomy/head.ts";

/** `name` as DICOM writes it, for instance "Zhang^Wei=张^伟"; `birthDate` YYYYMMDD. */
export type PhantomPatient = { id: string; name: string; sex: "M" | "F" | "O"; birthDate: string };

/** The data that the images of one visit share: files made with the same key belong to one study. */
export type PhantomStudy = {
  key: string;
  /** YYYYMMDD and HHMMSS */
  date: string;
  time: string;
  description: string;
  clinic: string;
};

export type PhantomFile = { name: string; bytes: Uint8Array<ArrayBuffer> };

export const defaultStudy: PhantomStudy = {
  key: "1",
  date: "20260312",
  time: "101500",
  description: "Dental imaging",
  clinic: "Example Dental Clinic",
};

export type PhantomSeries = {
  /** Distinguishes the series of a study. */
  key: string;
  number: number;
  modality: "CT" | "PX" | "DX" | "IO";
  sopClassUid: string;
  description: string;
};

export type SeriesContext = { head: HeadTruth; patient: PhantomPatient; study: PhantomStudy; series: PhantomSeries };

/** The same for the same head, patient, study and series, so that a phantom made twice is the same series. */
export const createSeriesUid = ({ head, patient, study, series }: SeriesContext): string =>
  deriveUid("series", head.seed, patient.id, study.key, series.key);

/** Writes one image with the modules that all kinds share (patient, study, series, equipment). */
export function writePhantomFile(context: SeriesContext, number: number, own: DicomDataset): Uint8Array<ArrayBuffer> {
  const { head, patient, study, series } = context;
  const sopInstanceUid = deriveUid("instance", head.seed, patient.id, study.key, series.key, number);
  const dataset: DicomElement[] = [
    ...createPatientAndStudyElements(patient, study),
    ...createSeriesAndDeviceElements(context),
    ...own,
  ];
  dataset.push([0x00200013, "IS", String(number)]);
  return writeDicom(dataset, { sopClassUid: series.sopClassUid, sopInstanceUid, charset: "ISO_IR 192" });
}

const createPatientAndStudyElements = (patient: PhantomPatient, study: PhantomStudy): DicomDataset => [
  [0x00080020, "DA", study.date],
  [0x00080030, "TM", study.time],
  [0x00080050, "SH", ""],
  [0x00080080, "LO", study.clinic],
  [0x00080090, "PN", ""],
  [0x00081030, "LO", study.description],
  [0x00100010, "PN", patient.name],
  [0x00100020, "LO", patient.id],
  [0x00100030, "DA", patient.birthDate],
  [0x00100040, "CS", patient.sex],
  [0x0020000d, "UI", deriveUid("study", patient.id, study.key)],
  [0x00200010, "SH", study.key.slice(0, 16)],
];

function createSeriesAndDeviceElements(context: SeriesContext): DicomDataset {
  const { study, series } = context;
  return [
    [0x00080012, "DA", study.date],
    [0x00080013, "TM", study.time],
    [0x00080021, "DA", study.date],
    [0x00080022, "DA", study.date],
    [0x00080023, "DA", study.date],
    [0x00080031, "TM", study.time],
    [0x00080032, "TM", study.time],
    [0x00080033, "TM", study.time],
    [0x00080060, "CS", series.modality],
    [0x00080070, "LO", "Arcada"],
    [0x0008103e, "LO", series.description],
    [0x00081090, "LO", "Generated head"],
    [0x00180015, "CS", "JAW"],
    [0x00181000, "LO", "1"],
    [0x00181020, "LO", "1"],
    [0x0020000e, "UI", createSeriesUid(context)],
    [0x00200011, "IS", String(series.number)],
  ];
}

/** PS3.3 table 8.8-1: a coded value. */
export const createCodeItem = (value: string, scheme: string, meaning: string): DicomDataset => [
  [0x00080100, "SH", value],
  [0x00080102, "SH", scheme],
  [0x00080104, "LO", meaning],
];

export type PixelData = { columns: number; rows: number; bitsStored: number; data: Int16Array | Uint16Array };

/** The image pixel module (PS3.3 C.7.6.3) of one grey frame; `data` row by row, 16 bits allocated. */
export const createPixelElements = ({ columns, rows, bitsStored, data }: PixelData): DicomDataset => [
  [0x00280002, "US", 1],
  [0x00280004, "CS", "MONOCHROME2"],
  [0x00280010, "US", rows],
  [0x00280011, "US", columns],
  [0x00280100, "US", 16],
  [0x00280101, "US", bitsStored],
  [0x00280102, "US", bitsStored - 1],
  [0x00280103, "US", data instanceof Int16Array ? 1 : 0],
  [0x7fe00010, "OW", data],
];

/** A decimal string holds 16 characters at most (PS3.5 6.2). */
export const formatDecimalString = (value: number): string => String(Number(value.toFixed(5)));
