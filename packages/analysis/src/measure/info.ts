import { measurementCodes, type EngineInfo } from "@arcada/contract/analysis/observation";

/** What the built-in engine says of itself; figures and their sources stand in docs/analysis.md. */
export const measurementInfo: EngineInfo = {
  id: "arcada.measurement",
  version: "1.0.0",
  kind: "measurement",
  tasks: ["quality", "panorama", "ceph", "arch"],
  modalities: ["PX", "DX", "IO", "CT", "XC"],
  produces: [...measurementCodes],
  card: {
    intendedUse: "Measurement of the image for reference, not a diagnosis.",
    limits: "Finds no disease, counts and numbers no teeth.",
    licence: "Apache-2.0",
    trainedOn: null,
    clearance: null,
    metrics: [],
    sha256: null,
  },
  quotaCost: 0,
};
