import { z } from "zod";
import { fdi } from "../chart/chart.shape.ts";
import { id, text } from "../kernel/fields.ts";

export const engineKinds = ["measurement", "learned", "remote", "human"] as const;
/** DICOM's modalities that engines look at: panoramic, other projection, intra-oral, CT, photographs. */
export const engineModalities = ["PX", "DX", "IO", "CT", "XC"] as const;

export const target = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("image") }),
  z.object({ kind: z.literal("tooth"), fdi }),
  z.object({ kind: z.literal("region"), from: fdi.nullable(), to: fdi.nullable(), name: text(60).nullable() }),
  z.object({ kind: z.literal("landmark"), id: text(20) }),
]);
export type Target = z.output<typeof target>;

/** How sure something is; never a bare percentage. */
export const confidence = z.discriminatedUnion("basis", [
  /** Of what scored like this on that set of n, the share p was right. */
  z.object({ basis: z.literal("calibrated"), p: z.number().min(0).max(1), n: z.int().positive(), set: text(200) }),
  /** A score without calibration: shown as low, medium, high. */
  z.object({ basis: z.literal("score"), value: z.number().min(0).max(1) }),
  z.object({ basis: z.literal("error"), plusMinus: z.number().nonnegative(), unit: text(10), set: text(200) }),
  z.object({ basis: z.literal("none") }),
]);
export type Confidence = z.output<typeof confidence>;

const point = z.tuple([z.number(), z.number()]);
/** In the picture's own pixels, from the upper left corner of the first. */
export const geometry = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("point"), at: point }),
  z.object({ kind: z.literal("line"), points: z.array(point).min(2).max(4000) }),
  z.object({ kind: z.literal("box"), left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }),
  z.object({ kind: z.literal("polygon"), points: z.array(point).min(3).max(4000) }),
]);
export type Geometry = z.output<typeof geometry>;

/** What an engine, or a person, saw or measured; never changed afterwards. */
export const observation = z.object({
  id,
  code: text(40),
  target,
  value: z.union([z.number(), z.string(), z.boolean(), z.null()]),
  unit: text(10).nullable().default(null),
  geometry: geometry.nullable().default(null),
  confidence,
  method: text(60),
});
export type Observation = z.output<typeof observation>;

export const abstentionReasons = ["notSupported", "quality", "outOfRange", "selfCheckFailed"] as const;
/** What an engine did not answer, and why. */
export const abstention = z.object({
  code: text(40),
  target,
  reason: z.enum(abstentionReasons),
  detail: text(300).nullable().default(null),
});
export type Abstention = z.output<typeof abstention>;

/** What an engine says of itself before it is used. `produces`: the only codes that it may answer. */
export const engineInfo = z.object({
  id: text(80),
  version: text(40),
  kind: z.enum(engineKinds),
  tasks: z.array(text(60)),
  modalities: z.array(z.enum(engineModalities)),
  produces: z.array(text(40)),
  card: z.object({
    intendedUse: text(2000),
    limits: text(2000),
    licence: text(200),
    trainedOn: text(2000).nullable().default(null),
    clearance: text(400).nullable().default(null),
    metrics: z.array(
      z.object({ name: text(80), value: z.number(), n: z.int().positive(), set: text(200), date: text(20) }),
    ),
    sha256: text(64).nullable().default(null),
  }),
  /** Analyses that one run takes from the organisation's quota. */
  quotaCost: z.int().nonnegative(),
});
export type EngineInfo = z.output<typeof engineInfo>;
