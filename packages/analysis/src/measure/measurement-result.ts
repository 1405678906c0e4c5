import type { Abstention, MeasurementCode } from "@arcada/contract/analysis/observation";
import type { NewObservation } from "../engine.ts";

export interface MeasurementResult {
  observations: NewObservation[];
  abstentions: Abstention[];
}

/** One of the built-in engine's observations, by default of the whole image. */
export const createObservation = (
  code: MeasurementCode,
  value: NewObservation["value"],
  details: Partial<Pick<NewObservation, "target" | "unit" | "geometry" | "confidence">> = {},
): NewObservation => ({
  code,
  target: { kind: "image" },
  value: typeof value === "number" ? Number(value.toPrecision(6)) : value,
  unit: null,
  geometry: null,
  confidence: { basis: "none" },
  method: methodNames[code],
  ...details,
});

export const createAbstention = (code: MeasurementCode, reason: Abstention["reason"], detail: string): Abstention => ({
  code,
  target: { kind: "image" },
  reason,
  detail,
});

/** A short name of the method of each measurement; docs/analysis.md has more. */
const methodNames: Record<MeasurementCode, string> = {
  IQ_EXPOSURE: "median@1",
  IQ_CONTRAST: "percentiles@1",
  IQ_SHARPNESS: "gradient@1",
  IQ_CLIPPED: "saturation@1",
  IQ_SIZE: "size@1",
  PAN_OCCLUSAL_LINE: "valley-path@3",
  PAN_TILT: "equal-teeth@1",
  PAN_CURVE: "robust-parabola@2",
  PAN_MIDLINE: "mirror-consensus@1",
  PAN_SEXTANT: "lines@1",
  PAN_RADIOPAQUE: "density@1",
  CEPH_SCALE: "two-reading-comb@2",
  CEPH_PROFILE: "outer-edge@1",
  CBCT_ARCH: "ridge@1",
  CBCT_PANO: "slab@1",
  CBCT_CANAL: "dark-tube@1",
  CBCT_TOOTH: "bright-cores@1",
  CBCT_JAW: "filled-shells@1",
};
