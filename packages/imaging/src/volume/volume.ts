import type { VoiWindow } from "../image/voi-window.ts";

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
