import { landmarkPositions, ruler } from "./ceph-anatomy.ts";
import { createCephAttenuation, getRulerAttenuation } from "./ceph-attenuation.ts";
import type { HeadTooth, HeadTruth } from "../anatomy/head.ts";
import { addPatch, developPlate, createPlate, plateBits, getPlateBox } from "./plate.ts";
import { createProjectionElements } from "./projection-elements.ts";
import {
  writePhantomFile,
  defaultStudy,
  type SeriesContext,
  type PhantomFile,
  type PhantomPatient,
  type PhantomStudy,
} from "../phantom-study.ts";
import { addToothAttenuation } from "./tooth-attenuation.ts";

/** Detector of 240 × 280 mm; `zero` is the pixel of the head's origin (y = 0, z = 0). */
export const cephSize = { columns: 1920, rows: 2240, pixel: 0.125, enlarged: 1.1, zero: [1130, 1580] } as const;

/** A lateral cephalogram as a DICOM file (modality DX, 12 bits), the face to the right, with a ruler before the nose. */
export function createCephalogram(
  head: HeadTruth,
  patient: PhantomPatient,
  study?: Partial<PhantomStudy>,
): PhantomFile {
  const { columns, rows, pixel, enlarged } = cephSize;
  const occasion: SeriesContext = { head, patient, study: { ...defaultStudy, ...study }, series: cephSeries };
  const elements = createProjectionElements({
    pixels: { columns, rows, bitsStored: plateBits, data: createCephPixels(head) },
    pixel,
    enlarged,
    orientation: ["A", "F"],
    laterality: "U",
    positioner: "CEPHALOSTAT",
    region: ["69536005", "Head"],
  });
  return { name: "DX0001.dcm", bytes: writePhantomFile(occasion, 1, elements) };
}

const cephSeries: SeriesContext["series"] = {
  key: "ceph",
  number: 3,
  modality: "DX",
  sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1",
  description: "Lateral cephalogram",
};

/** The image row by row from the top, bright where dense. */
export function createCephPixels(head: HeadTruth): Uint16Array {
  const { columns, rows, pixel, enlarged, zero } = cephSize;
  const plate = createPlate(columns, rows, pixel, zero);
  const tissue = createCephAttenuation(head.scale);
  addPatch(plate, getPlateBox(plate), 0.4, (x, y) => tissue(x / enlarged, y / enlarged));
  for (const tooth of head.teeth) {
    const at = [-tooth.neck[1] * enlarged, tooth.neck[2] * enlarged] as const;
    addToothAttenuation(plate, tooth, { right: [0, -1, 0], up: [0, 0, 1], ray: [1, 0, 0], enlarged, at, bone: 0 }, 0.3);
  }
  addPatch(plate, { left: 70, right: 98, bottom: 40, top: 140 }, pixel, (x, y) =>
    getRulerAttenuation(x / enlarged, y / enlarged),
  );
  return developPlate(plate, { floor: 0.03, scale: 0.4, flatten: 0.35, grain: 0.011, seed: `ceph ${head.seed}` });
}

export type PixelPosition = { column: number; row: number };

/** The ruler's ends in pixels, and its marked length in mm of the head. */
export function getCephRulerEnds(): { from: PixelPosition; to: PixelPosition; length: number } {
  return { from: toPixel(ruler.x, ruler.low), to: toPixel(ruler.x, ruler.low + ruler.length), length: ruler.length };
}

/** The positions of the usual landmarks in pixels, as the image is drawn. */
export function getCephLandmarks(head: HeadTruth): Record<string, PixelPosition> {
  const marks: Record<string, PixelPosition> = {};
  for (const [name, [x, z]] of Object.entries(landmarkPositions)) marks[name] = toPixel(x * head.scale, z * head.scale);
  for (const [name, fdi] of [
    ["U1", 11],
    ["L1", 41],
  ] as const) {
    const tooth = head.teeth.find((one) => one.fdi === fdi);
    if (!tooth) continue;
    marks[`${name} tip`] = getToothPoint(tooth, tooth.shape.crown);
    marks[`${name} apex`] = getToothPoint(tooth, -tooth.shape.root);
  }
  return marks;
}

function getToothPoint({ neck, axes }: HeadTooth, h: number): PixelPosition {
  return toPixel(-(neck[1] + axes.crown[1] * h), neck[2] + axes.crown[2] * h);
}

function toPixel(x: number, z: number): PixelPosition {
  const { pixel, enlarged, zero } = cephSize;
  return { column: zero[0] + (x * enlarged) / pixel, row: zero[1] - (z * enlarged) / pixel };
}
