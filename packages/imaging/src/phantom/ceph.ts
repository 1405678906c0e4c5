import { landmarkPlaces, ruler } from "./ceph-form.ts";
import { cephTissue, cephRuler } from "./ceph-tissue.ts";
import type { HeadTooth, HeadTruth } from "./head.ts";
import { addPatch, developed, newPlate, plateBits, wholeBox } from "./plate.ts";
import { projectionElements } from "./projection.ts";
import {
  phantomFile,
  plainStudy,
  type Occasion,
  type PhantomFile,
  type PhantomPatient,
  type PhantomStudy,
} from "./study.ts";
import { addTooth } from "./tooth-shadow.ts";

/** Detector of 240 × 280 mm; `zero` is the pixel of the head's origin (y = 0, z = 0). */
export const cephSize = { columns: 1920, rows: 2240, pixel: 0.125, enlarged: 1.1, zero: [1130, 1580] } as const;

/** A lateral cephalogram as a DICOM file (modality DX, 12 bits), the face to the right, with a ruler before the nose. */
export function ceph(head: HeadTruth, patient: PhantomPatient, study?: Partial<PhantomStudy>): PhantomFile {
  const { columns, rows, pixel, enlarged } = cephSize;
  const occasion: Occasion = { head, patient, study: { ...plainStudy, ...study }, series: cephSeries };
  const elements = projectionElements({
    pixels: { columns, rows, bitsStored: plateBits, data: cephPixels(head) },
    pixel,
    enlarged,
    orientation: ["A", "F"],
    laterality: "U",
    positioner: "CEPHALOSTAT",
    region: ["69536005", "Head"],
  });
  return { name: "DX0001.dcm", bytes: phantomFile(occasion, 1, elements) };
}

const cephSeries: Occasion["series"] = {
  key: "ceph",
  number: 3,
  modality: "DX",
  sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1",
  description: "Lateral cephalogram",
};

/** The image row by row from the top, bright where dense. */
export function cephPixels(head: HeadTruth): Uint16Array {
  const { columns, rows, pixel, enlarged, zero } = cephSize;
  const plate = newPlate(columns, rows, pixel, zero);
  const tissue = cephTissue(head.scale);
  addPatch(plate, wholeBox(plate), 0.4, (x, y) => tissue(x / enlarged, y / enlarged));
  for (const tooth of head.teeth) {
    const at = [-tooth.neck[1] * enlarged, tooth.neck[2] * enlarged] as const;
    addTooth(plate, tooth, { right: [0, -1, 0], up: [0, 0, 1], ray: [1, 0, 0], enlarged, at, bone: 0 }, 0.3);
  }
  addPatch(plate, { left: 70, right: 98, bottom: 40, top: 140 }, pixel, (x, y) =>
    cephRuler(x / enlarged, y / enlarged),
  );
  return developed(plate, { floor: 0.03, scale: 0.4, flatten: 0.35, grain: 0.011, seed: `ceph ${head.seed}` });
}

export type PixelPlace = { column: number; row: number };

/** The ruler's ends in pixels, and its marked length in mm of the head. */
export function cephRulerEnds(): { from: PixelPlace; to: PixelPlace; length: number } {
  return { from: pixelAt(ruler.x, ruler.low), to: pixelAt(ruler.x, ruler.low + ruler.length), length: ruler.length };
}

/** Places of the usual landmarks in pixels, as the image is drawn. */
export function cephLandmarks(head: HeadTruth): Record<string, PixelPlace> {
  const marks: Record<string, PixelPlace> = {};
  for (const [name, [x, z]] of Object.entries(landmarkPlaces)) marks[name] = pixelAt(x * head.scale, z * head.scale);
  for (const [name, fdi] of [
    ["U1", 11],
    ["L1", 41],
  ] as const) {
    const tooth = head.teeth.find((one) => one.fdi === fdi);
    if (!tooth) continue;
    marks[`${name} tip`] = along(tooth, tooth.shape.crown);
    marks[`${name} apex`] = along(tooth, -tooth.shape.root);
  }
  return marks;
}

function along({ neck, axes }: HeadTooth, h: number): PixelPlace {
  return pixelAt(-(neck[1] + axes.crown[1] * h), neck[2] + axes.crown[2] * h);
}

function pixelAt(x: number, z: number): PixelPlace {
  const { pixel, enlarged, zero } = cephSize;
  return { column: zero[0] + (x * enlarged) / pixel, row: zero[1] - (z * enlarged) / pixel };
}
