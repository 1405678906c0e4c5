import { z } from "zod";
import { greyWindow } from "./image-presentation.schema.ts";

const vector3 = z.array(z.number()).length(3);

/** Geometry of a volume in DICOM patient LPS, mm. `direction`: three unit vectors one after another, of rising column, row and slice. */
export const volumeInfo = z.object({
  columns: z.int(),
  rows: z.int(),
  slices: z.int(),
  spacing: vector3,
  origin: vector3,
  direction: z.array(z.number()).length(9),
  min: z.number(),
  max: z.number(),
  window: greyWindow,
  /** The window that the file names, where another is used at first, since this one shows bone and teeth as one white. */
  fileWindow: greyWindow.optional(),
  /** A value is the stored number × valueScale + valueOffset; min, max and window are as stored. */
  valueOffset: z.number().default(0),
  valueScale: z.number().default(1),
  /** Cone-beam values are never Hounsfield units. */
  valueName: z.enum(["HU", "grey"]).default("grey"),
});

/**
 * The parts of the lower jaw that a panorama does not show, because they are at the edge of the field or beyond; a
 * ramus includes its condyle.
 */
export const panoramaEdges = ["rightRamus", "leftRamus", "rightCondyle", "leftCondyle", "chin"] as const;

/**
 * The lines of both jaws as detected by the software: control points (patient LPS, mm) from the patient's right to the
 * left, and the upward normal of the occlusal plane. They continue behind the teeth along the rami; those without
 * `edges` are older and end with the teeth.
 */
export const detectedArch = z.object({
  upper: z.array(vector3),
  lower: z.array(vector3),
  up: vector3,
  edges: z.array(z.enum(panoramaEdges)).optional(),
});
