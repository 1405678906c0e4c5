import type { Point } from "@arcada/imaging/mesh/mesh";
import type { HeadTooth, HeadTruth } from "../anatomy/head.ts";
import { addPatch, developPlate, createPlate, plateBits, getPlateBox } from "./plate.ts";
import { createProjectionElements } from "./projection-elements.ts";
import { sampleTrabecularNoise } from "../math/random.ts";
import { clamp, findSmallest, smoothStep } from "../math/shape-functions.ts";
import {
  createCodeItem,
  writePhantomFile,
  defaultStudy,
  type SeriesContext,
  type PhantomFile,
  type PhantomPatient,
  type PhantomStudy,
} from "../phantom-study.ts";
import { addToothAttenuation } from "./tooth-attenuation.ts";

/** A sensor of size 2 lying on its side: 41 × 31 mm. */
export const intraoralSize = { columns: 1024, rows: 768, pixel: 0.04, enlarged: 1.05 } as const;

/**
 * An intra-oral X-ray of one tooth with its neighbours as a DICOM file (modality IO, 12 bits).
 * @param fdi the tooth in the middle; without it a filled tooth between two others
 */
export function createIntraoralRadiograph(
  head: HeadTruth,
  patient: PhantomPatient,
  study?: Partial<PhantomStudy>,
  fdi?: number,
): PhantomFile {
  const tooth = head.teeth.find((one) => one.fdi === fdi) ?? chooseRadiographTooth(head);
  const { columns, rows, pixel, enlarged } = intraoralSize;
  const occasion: SeriesContext = {
    head,
    patient,
    study: { ...defaultStudy, ...study },
    series: createIntraoralSeries(tooth),
  };
  const elements = createProjectionElements({
    pixels: { columns, rows, bitsStored: plateBits, data: createIntraoralPixels(head, tooth) },
    pixel,
    enlarged,
    orientation: ["L", "F"],
    laterality: tooth.place < 0 ? "R" : "L",
    positioner: "NONE",
    region: ["661005", "Jaw region"],
    // PS3.16 CID 8240 names the teeth by the two digits of ISO 3950.
    extra: [[0x00082228, "SQ", [createCodeItem(String(tooth.fdi), "ISO3950", `Tooth ${tooth.fdi}`)]]],
  });
  return { name: `IO${tooth.fdi}.dcm`, bytes: writePhantomFile(occasion, tooth.fdi, elements) };
}

const createIntraoralSeries = (tooth: HeadTooth): SeriesContext["series"] => ({
  key: `film ${tooth.fdi}`,
  number: 100 + tooth.fdi,
  modality: "IO",
  sopClassUid: "1.2.840.10008.5.1.4.1.1.1.3",
  description: `Intra-oral ${tooth.fdi}`,
});

/** Chooses the filled tooth with the fewest missing neighbours. */
export function chooseRadiographTooth(head: HeadTruth): HeadTooth {
  const gaps = (tooth: HeadTooth): number =>
    findNeighbours(head, tooth).filter((one) => one.state === "missing").length;
  return findSmallest(
    head.teeth.filter((tooth) => tooth.state === "filled"),
    gaps,
  );
}

const findNeighbours = (head: HeadTruth, tooth: HeadTooth): HeadTooth[] =>
  head.teeth.filter((one) => Math.abs(one.fdi - tooth.fdi) === 1 && one.jaw === tooth.jaw);

/** The image row by row from the top, bright where dense; crowns up for a lower tooth, down for an upper one. */
export function createIntraoralPixels(head: HeadTruth, middle: HeadTooth): Uint16Array {
  const { columns, rows, pixel, enlarged } = intraoralSize;
  const plate = createPlate(columns, rows, pixel, [columns / 2, rows / 2]);
  const up = middle.jaw === "lower" ? 1 : -1;
  const height = middle.neck[2] - up * 4;
  const near = head.teeth.filter((tooth) => tooth.jaw === middle.jaw && Math.abs(tooth.place - middle.place) < 32);
  const bone = createBoneAttenuation(near, middle, up);
  addPatch(plate, getPlateBox(plate), 0.1, (x, y) => bone(x / enlarged + middle.place, y / enlarged + height));
  for (const tooth of near) {
    const length = Math.hypot(tooth.axes.buccal[0], tooth.axes.buccal[1]);
    const out: Point = [tooth.axes.buccal[0] / length, tooth.axes.buccal[1] / length, 0];
    const at = [(tooth.place - middle.place) * enlarged, (tooth.neck[2] - height) * enlarged] as const;
    addToothAttenuation(
      plate,
      tooth,
      { right: [-out[1], out[0], 0], up: [0, 0, 1], ray: out, enlarged, at, bone: 9 },
      0.11,
    );
  }
  return developPlate(plate, {
    floor: 0.03,
    scale: 0.42,
    flatten: 0.15,
    grain: 0.016,
    seed: `${head.seed} ${middle.fdi}`,
  });
}

/** Spongy bone up to a crest that follows the necks, with gum above it. */
function createBoneAttenuation(
  near: readonly HeadTooth[],
  middle: HeadTooth,
  up: number,
): (place: number, z: number) => number {
  const necks = near.map((tooth) => ({
    place: tooth.place,
    z: tooth.axes.crown[2] * up > 0.8 ? tooth.neck[2] : middle.neck[2],
  }));
  const floor = (place: number): number => 12 + 1.2 * Math.sin(place / 4);
  return (place, z) => {
    const under = up * (getCrestHeight(necks, place) - z) - 1.3;
    const soft = 0.05 + 0.05 * smoothStep(-4.5, -2.5, under);
    if (under < -1) return soft;
    const bone = smoothStep(-0.3, 0.4, under) * (0.17 + 0.05 * smoothStep(0, 12, under) + getTrabeculae(place, z));
    const rim = 0.07 * clamp(1 - Math.abs(under - 0.5) / 0.7, 0, 1);
    if (up > 0) return soft + bone + rim;
    // The sinus with its bright floor is over the upper molars.
    const sinus = under - floor(place) - 0.4 * Math.sin(place * 0.9);
    const molar = Math.abs(middle.place) > 25 ? 1 : 0;
    return soft + bone + rim + molar * (0.09 * clamp(1 - Math.abs(sinus) / 0.5, 0, 1) - 0.11 * smoothStep(0, 1, sinus));
  };
}

function getCrestHeight(necks: readonly { place: number; z: number }[], place: number): number {
  let [weight, sum] = [0, 0];
  for (const neck of necks) {
    const share = Math.exp(-(((neck.place - place) / 5) ** 2)) + 1e-9;
    weight += share;
    sum += share * neck.z;
  }
  return sum / weight + 0.0001 * place;
}

/** Little beams of bone crossing each other, coarse ones with finer between. */
const getTrabeculae = (x: number, y: number): number =>
  0.045 * sampleTrabecularNoise(x / 0.62, y / 0.72, 1) +
  0.02 * sampleTrabecularNoise(x / 0.3, y / 0.34, 5) +
  0.03 * sampleTrabecularNoise(x / 3.2, y / 3.2, 8);
