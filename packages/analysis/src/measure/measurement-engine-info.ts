import { measurementCodes, type EngineInfo } from "@arcada/contract/analysis/observation";

/** The built-in engine's description of itself; docs/analysis.md lists the figures and their sources. */
export const measurementInfo: EngineInfo = {
  id: "arcada.measurement",
  version: "1.4.0",
  kind: "measurement",
  tasks: ["quality", "panorama", "ceph", "arch"],
  modalities: ["PX", "DX", "IO", "CT", "XC"],
  produces: [...measurementCodes],
  card: {
    intendedUse: "Measurement of the image for reference, not a diagnosis.",
    limits:
      "Finds no disease, counts and numbers no teeth. Nerve canals, teeth and the lower jaw of a volume are suggestions; canals and teeth were measured on drawn jaws alone, the lower jaw also on one labelled skull. Abstains where its own checks fail. The figures are those of the methods' studies; midline and tilt of a panorama are those of films that this version was not tuned on.",
    licence: "Apache-2.0",
    trainedOn: null,
    clearance: null,
    metrics: [
      metric("PAN_OCCLUSAL_LINE: columns between the rows of teeth", 0.987, 363, "panoramas with 20 teeth or more"),
      metricOfUntunedFilms("PAN_TILT: RMS deviation from equal teeth left and right, °", 0.5, 21),
      metricOfUntunedFilms("PAN_MIDLINE: RMS deviation from the incisors' contacts, % of the width", 0.7, 43),
      metric("PAN_RADIOPAQUE: area under the curve, whole picture", 0.944, 278, "panoramas without appliances"),
      {
        name: "CEPH_SCALE: a scale alone within 1 %",
        value: 1,
        n: 134,
        set: "134 of 160 drawn cephalograms with rulers of sixteen kinds; 26 got no scale, or two to choose from",
        date: "2026",
      },
      metric("CEPH_PROFILE: lower lip within 2 mm", 0.993, 150, "cephalograms"),
    ],
    sha256: null,
  },
  quotaCost: 0,
};

function metric(name: string, value: number, n: number, set: string): EngineInfo["card"]["metrics"][number] {
  return { name, value, n, set: `${n} ${set}, study of the method`, date: "2026" };
}

/** Radiographs of another clinic, read by eye before the engine's answers were seen: docs/analysis.md. */
function metricOfUntunedFilms(name: string, value: number, n: number): EngineInfo["card"]["metrics"][number] {
  return { name, value, n, set: `${n} panoramas that the method was not tuned on`, date: "2026" };
}
