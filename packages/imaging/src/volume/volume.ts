import type { DicomFile } from "../dicom/parse/read-dicom.ts";
import type { VoiWindow } from "../image/voi-window.ts";
import { stackVolume, type SliceStore } from "./stack-volume.ts";

/** The geometry of a volume and the meaning of its values. Lengths in mm, coordinates in DICOM patient LPS. */
export interface VolumeInfo {
  columns: number;
  rows: number;
  slices: number;
  /** [between columns, between rows, between slices]. */
  spacing: [number, number, number];
  /** Centre of voxel (0, 0, 0). */
  origin: [number, number, number];
  /** Three unit vectors one after another: of rising column, row and slice index. Their determinant is +1. */
  direction: [number, number, number, number, number, number, number, number, number];
  /** The range of the data as stored; the value itself is data × valueScale + valueOffset. */
  min: number;
  max: number;
  /** 0 but for 16-bit unsigned values that reach above 32767, and where values have a scale. */
  valueOffset: number;
  /** 1 but where the slope of the files is no whole number. */
  valueScale: number;
  /** The initial window, in terms of the data as stored. */
  window: VoiWindow;
  /** The window that the file names, where it would show bone and teeth as one white and is not used at first. */
  fileWindow?: VoiWindow | undefined;
  /** Cone-beam grey values are never Hounsfield units, whatever the file states. */
  valueName: "HU" | "grey";
}

export interface Volume {
  info: VolumeInfo;
  /** `[slice][row][column]`, after the modality transformation. */
  data: Int16Array;
}

/**
 * Decodes the slices of a volume group, in the group's order; a multi-frame file is a volume by itself. The planes of a
 * tilted gantry are straightened into a grid at right angles that keeps every place in the patient.
 * @param files all of one size and orientation; one after another, so that they need not all be in memory
 * @throws DicomError of decoding; unsupported when sizes differ or values span more than 16 bits
 */
export async function buildVolume(files: Iterable<DicomFile> | AsyncIterable<DicomFile>): Promise<Volume> {
  const { info, slice } = await stackVolume(files, Array.isArray(files) ? files.length : 1, createMemoryStore());
  const size = info.columns * info.rows;
  const data = new Int16Array(size * info.slices);
  for (let index = 0; index < info.slices; index++) data.set(slice(index), index * size);
  return { info, data };
}

function createMemoryStore(): SliceStore {
  const slices: Int16Array[] = [];
  return { put: (index, slice) => void (slices[index] = slice.slice()), get: (index) => slices[index] };
}
