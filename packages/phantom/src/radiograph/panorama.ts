import type { Point } from "@arcada/imaging/mesh/mesh";
import type { HeadTooth, HeadTruth } from "../anatomy/head.ts";
import { addLeadMarker } from "./lead-marker.ts";
import { createPanoramaAttenuation } from "./panorama-attenuation.ts";
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
import type { ToothState } from "../anatomy/tooth-material.ts";
import { addToothAttenuation, type ToothProjection } from "./tooth-attenuation.ts";

/** Detector of 300 × 150 mm; everything is shown larger than it is by this factor, as panoramic machines do. */
export const panoramaSize = { columns: 2400, rows: 1200, pixel: 0.125, enlarged: 1.25 } as const;

/** The row of the detector on which heights are 0. */
const zeroRow = 590;

/** A panoramic X-ray of the head as a DICOM file (modality PX, 12 bits). */
export function createPanorama(head: HeadTruth, patient: PhantomPatient, study?: Partial<PhantomStudy>): PhantomFile {
  const { columns, rows, pixel, enlarged } = panoramaSize;
  const occasion: SeriesContext = { head, patient, study: { ...defaultStudy, ...study }, series: panoramaSeries };
  const elements = createProjectionElements({
    pixels: { columns, rows, bitsStored: plateBits, data: createPanoramaPixels(head) },
    pixel,
    enlarged,
    orientation: ["L", "F"],
    laterality: "B",
    positioner: "PANORAMIC",
    region: ["661005", "Jaw region"],
  });
  return { name: "PX0001.dcm", bytes: writePhantomFile(occasion, 1, elements) };
}

const panoramaSeries: SeriesContext["series"] = {
  key: "panorama",
  number: 2,
  modality: "PX",
  sopClassUid: "1.2.840.10008.5.1.4.1.1.1.1",
  description: "Panoramic",
};

/** The image row by row from the top, bright where dense; the patient's right is on the left. */
export function createPanoramaPixels(head: HeadTruth): Uint16Array {
  const { columns, rows, pixel } = panoramaSize;
  const plate = createPlate(columns, rows, pixel, [columns / 2, zeroRow]);
  const tissue = createPanoramaAttenuation(head);
  addPatch(plate, getPlateBox(plate), 0.3, (x, y) => {
    const [place, z] = toJawPlace(x, y, head.scale);
    return tissue(place, z);
  });
  for (const tooth of head.teeth) addToothAttenuation(plate, tooth, createToothProjection(tooth), 0.25);
  addLeadMarker(plate, "R", -138, 40, 7);
  addLeadMarker(plate, "L", 133, 40, 7);
  return developPlate(plate, { floor: 0.09, scale: 0.38, flatten: 0.5, grain: 0.011, seed: head.seed });
}

/** Returns the boxes of the teeth in the image, in its pixels; missing teeth have the box of their usual place. */
export function locatePanoramaTeeth(head: HeadTruth): { fdi: number; state: ToothState; box: PixelBox }[] {
  const { columns, pixel } = panoramaSize;
  return head.teeth.map((tooth) => {
    const sight = createToothProjection(tooth);
    const seen = getOuterPoints(tooth).map((point): readonly [number, number] => [
      columns / 2 + (sight.at[0] + sight.enlarged * dot(sight.right, point)) / pixel,
      zeroRow - (sight.at[1] + sight.enlarged * dot(sight.up, point)) / pixel,
    ]);
    const [across, down] = [seen.map(([x]) => x), seen.map(([, y]) => y)];
    const box = {
      left: Math.min(...across),
      top: Math.min(...down),
      right: Math.max(...across),
      bottom: Math.max(...down),
    };
    return { fdi: tooth.fdi, state: tooth.state, box };
  });
}
export type PixelBox = { left: number; top: number; right: number; bottom: number };

/** From the neck's middle, mm in the head: the corners of the crown and the tips of the roots. */
function getOuterPoints({ axes, shape }: HeadTooth): Point[] {
  const inHead = (m: number, b: number, h: number): Point => [
    m * axes.mesial[0] + b * axes.buccal[0] + h * axes.crown[0],
    m * axes.mesial[1] + b * axes.buccal[1] + h * axes.crown[1],
    m * axes.mesial[2] + b * axes.buccal[2] + h * axes.crown[2],
  ];
  const half = shape.width / 2;
  return [
    ...[-half, half].flatMap((m) => [0, shape.crown].map((h) => inHead(m, 0, h))),
    ...shape.roots.map(({ to: [m, b], length }) => inHead(m, b, -length)),
  ];
}
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * Returns the extra height, above its true one, at which a point at the jaw's sides is shown: the head is tilted a
 * little ("smile line").
 */
const getSmileLift = (u: number): number => 0.0011 * u * u;

/** Returns the position along the jaw and the height in the head for a point on the detector (both mm). */
function toJawPlace(x: number, y: number, scale: number): [number, number] {
  const u = x / panoramaSize.enlarged;
  return [u, y / panoramaSize.enlarged - getSmileLift(u) / scale];
}

function createToothProjection(tooth: HeadTooth): ToothProjection {
  const { neck, axes, place } = tooth;
  const length = Math.hypot(axes.buccal[0], axes.buccal[1]);
  const out: Point = [axes.buccal[0] / length, axes.buccal[1] / length, 0];
  const { enlarged } = panoramaSize;
  return {
    right: [-out[1], out[0], 0],
    up: [0, 0, 1],
    ray: out,
    enlarged,
    at: [place * enlarged, (neck[2] + getSmileLift(place)) * enlarged] as const,
    bone: 13,
  };
}
