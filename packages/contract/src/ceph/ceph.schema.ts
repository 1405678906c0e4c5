import { z } from "zod";
import { text } from "../kernel/fields.ts";

/**
 * The landmarks that can be marked on a lateral cephalogram; "L1" and "U1": edges of the most forward incisors, "…a":
 * their apices.
 */
export const cephLandmarks = [
  "S",
  "N",
  "Or",
  "Po",
  "A",
  "B",
  "Pog",
  "Me",
  "Gn",
  "Go",
  "L1",
  "U1",
  "Ls",
  "Li",
  "Sn",
  "PogS",
  "PNS",
  "ANS",
  "Ar",
  "U1a",
  "L1a",
  "U6",
  "L6",
  "U6D",
  "OcA",
  "OcP",
  "Co",
  "Ba",
  "Pt",
  "PM",
  "Xi",
  "D",
  "DC",
  "GS",
  "NS",
  "Prn",
  "Cm",
  "Stms",
  "Stmi",
  "Si",
  "GnS",
  "MeS",
  "C",
] as const;
export type CephLandmark = (typeof cephLandmarks)[number];

/** The populations whose norms a value can be compared with; a table never mixes two of them. */
export const cephPopulations = ["white", "sichuan", "peking"] as const;
export type CephPopulation = (typeof cephPopulations)[number];

/** In the image's own pixels, from the upper left corner of the first. */
const imagePoint = z.tuple([z.number().min(-2000).max(40_000), z.number().min(-2000).max(40_000)]);
export type CephImagePoint = z.output<typeof imagePoint>;

/** The tissue that a line of a tracing represents. */
export const cephTissues = ["bone", "tooth", "skin", "plane"] as const;
export type CephTissue = (typeof cephTissues)[number];

/**
 * The size of a pixel: from the file, from a ruler in the image, or from two points at a known distance. `width` is in
 * mm on the radiograph; in the patient it is smaller by `magnification`.
 */
export const cephCalibration = z.object({
  source: z.enum(["file", "ruler", "points"]),
  width: z.number().min(0.001).max(10),
  magnification: z.number().min(0.5).max(3),
  /** The two points and the mm between them. */
  line: z
    .object({ from: imagePoint, to: imagePoint, mm: z.number().min(1).max(500) })
    .nullable()
    .default(null),
});
export type CephCalibration = z.output<typeof cephCalibration>;

/** The marked landmarks and settings of one cephalogram. */
export const cephContent = z.object({
  landmarks: z.partialRecord(z.enum(cephLandmarks), imagePoint),
  /** Height of a pixel as a share of its width. */
  aspect: z.number().min(0.1).max(10).default(1),
  /** Null: angles and shares only. */
  calibration: cephCalibration.nullable().default(null),
  population: z.enum(cephPopulations).default("white"),
  remark: text(2000).nullable().default(null),
});
export type CephContent = z.output<typeof cephContent>;

/** Coordinates from the upper left corner of the upright cephalogram, in its widths. */
const drawingPoint = z.tuple([z.number(), z.number()]);
/** A tracing over its cephalogram as it is printed; a signed report keeps its lines. */
export const cephDrawing = z.object({
  /** Quarters clockwise until the head is upright. */
  turns: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /** The height of the upright cephalogram, in its widths. */
  height: z.number(),
  lines: z.array(z.object({ tissue: z.enum(cephTissues), points: z.array(drawingPoint) })),
  marks: z.array(z.object({ sign: z.string(), at: drawingPoint })),
});
export type CephDrawing = z.output<typeof cephDrawing>;
