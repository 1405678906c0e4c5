import type { Point } from "@arcada/imaging/mesh/mesh";
import { drawBones } from "./bones.ts";
import { applyDeviceEffects } from "./device-effects.ts";
import { drawSoftTissue } from "./soft-tissue.ts";
import { drawTeeth, placeTeeth, type CbctScene } from "./teeth.ts";
import { createArchCurve, createJawCurve } from "../anatomy/arch-curve.ts";
import { createSkeleton } from "../anatomy/skeleton.ts";
import type { HeadTruth } from "../anatomy/head.ts";
import { computeJawField, type SliceGrid } from "./jaw-curve-coordinates.ts";
import {
  formatDecimalString,
  writePhantomFile,
  createPixelElements,
  defaultStudy,
  type SeriesContext,
  type PhantomFile,
  type PhantomPatient,
  type PhantomStudy,
} from "../phantom-study.ts";
import { deriveUid, type DicomDataset } from "@arcada/imaging/dicom/write/write-dicom";

export type CbctSize = {
  columns: number;
  rows: number;
  slices: number;
  /** mm, the same in all directions */ voxel: number;
};

/** `data[slice][row][column]`, grey values; x to the patient's left with the column, y to the back with the row, z up with the slice. */
export type CbctVolume = CbctSize & {
  /** Middle of the first voxel, mm in patient space. */
  origin: Point;
  data: Int16Array;
};

export const cbctDemoSize: CbctSize = { columns: 256, rows: 256, slices: 160, voxel: 0.6 };

/** The volume that a CBCT device would make of the head, with metal streaks and noise, inside a round field of view. */
export function createCbctVolume(head: HeadTruth, size: CbctSize): CbctVolume {
  const data = new Int16Array(size.columns * size.rows * size.slices);
  const one = size.columns * size.rows;
  let at = 0;
  for (const slice of createCbctSlices(head, size)) {
    data.set(slice, at);
    at += one;
  }
  return { ...size, origin: getCbctOrigin(size), data };
}

/** The volume as a series of CT Image Storage, one file for each slice, from below upwards. */
export function* createCbctFiles(
  head: HeadTruth,
  patient: PhantomPatient,
  { size = cbctDemoSize, study }: CbctOptions = {},
): Generator<PhantomFile> {
  const occasion: SeriesContext = {
    head,
    patient,
    study: { ...defaultStudy, ...study },
    series: createCbctSeries(size),
  };
  let number = 0;
  for (const data of createCbctSlices(head, size)) {
    number++;
    const bytes = writePhantomFile(occasion, number, createSliceElements(occasion, size, number, data));
    yield { name: `CT${String(number).padStart(4, "0")}.dcm`, bytes };
  }
}

export type CbctOptions = { size?: CbctSize; study?: Partial<PhantomStudy> };

const createCbctSeries = ({ voxel }: CbctSize): SeriesContext["series"] => ({
  key: "cbct",
  number: 1,
  modality: "CT",
  sopClassUid: "1.2.840.10008.5.1.4.1.1.2",
  description: `CBCT ${voxel} mm`,
});

function createSliceElements(
  { head, patient, study }: SeriesContext,
  size: CbctSize,
  number: number,
  data: Int16Array,
): DicomDataset {
  const { columns, rows, voxel } = size;
  const [x, y, bottom] = getCbctOrigin(size);
  const z = bottom + (number - 1) * voxel;
  return [
    [0x00080008, "CS", ["ORIGINAL", "PRIMARY", "AXIAL"]],
    [0x00180050, "DS", formatDecimalString(voxel)],
    [0x00180060, "DS", "90"],
    [0x00180088, "DS", formatDecimalString(voxel)],
    [0x00180090, "DS", formatDecimalString(columns * voxel)],
    [0x00181150, "IS", "12000"],
    [0x00181151, "IS", "8"],
    [0x00185100, "CS", "HFS"],
    [0x00200012, "IS", "1"],
    [0x00200032, "DS", [x, y, z].map(formatDecimalString)],
    [0x00200037, "DS", ["1", "0", "0", "0", "1", "0"]],
    [0x00200052, "UI", deriveUid("frame of reference", head.seed, patient.id, study.key)],
    [0x00201040, "LO", ""],
    [0x00201041, "DS", formatDecimalString(z)],
    [0x00280030, "DS", [formatDecimalString(voxel), formatDecimalString(voxel)]],
    [0x00281050, "DS", "900"],
    [0x00281051, "DS", "3600"],
    [0x00281052, "DS", "0"],
    [0x00281053, "DS", "1"],
    // No Rescale Type: PS3.3 C.8.2.1 allows nothing but HU in an original CT image, and these are grey values.
    ...createPixelElements({ columns, rows, bitsStored: 16, data }),
  ];
}

/** The middle of the volume is between the cheeks, 8 mm behind the first molars, 3 mm over the occlusal plane. */
export function getCbctOrigin({ columns, rows, slices, voxel }: CbctSize): Point {
  return [(-(columns - 1) / 2) * voxel, 8 - ((rows - 1) / 2) * voxel, 3 - ((slices - 1) / 2) * voxel];
}

/** The slices from below upwards; each is a new array. */
export function* createCbctSlices(head: HeadTruth, size: CbctSize): Generator<Int16Array> {
  const { columns, rows, voxel } = size;
  const [x, y, z] = getCbctOrigin(size);
  const grid: SliceGrid = { columns, rows, voxel, x, y };
  const scene: CbctScene = {
    head,
    skeleton: createSkeleton(head.scale),
    lower: computeJawField(createJawCurve(head.scale), grid),
    upper: computeJawField(createArchCurve("upper", head.scale), grid),
    teeth: placeTeeth(head, voxel),
  };
  const values = new Float32Array(columns * rows);
  for (let k = 0; k < size.slices; k++) {
    const height = z + k * voxel;
    drawSoftTissue(values, grid, height, scene);
    drawBones(values, grid, height, scene);
    const metals = drawTeeth(values, grid, height, scene);
    yield applyDeviceEffects(values, grid, k, metals);
  }
}
