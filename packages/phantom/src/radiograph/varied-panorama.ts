import { getOcclusalHeight, makeHead, type HeadTruth } from "../anatomy/head.ts";
import { createPanoramaPixels, panoramaSize } from "./panorama.ts";
import { createRandom, type Random } from "../math/random.ts";

/**
 * A generated panorama of a patient who is badly positioned, is missing teeth, or was exposed differently, with its
 * truth in pixels.
 */
export interface VariedPanorama {
  columns: number;
  rows: number;
  samples: Float32Array;
  teethLost: number;
  /** The row in which the teeth meet; NaN in columns that show no place of the row. */
  biteRow: (column: number) => number;
  /** The point at which the midline of the teeth crosses the line on which they meet. */
  midline: readonly [number, number];
  /**
   * Degrees between a point on the right and the same point on the left of the patient; positive: the image's right is
   * lower.
   */
  tilt: number;
}

/** Half the detector's size: a panorama is analysed at 640 columns. */
const size = { columns: panoramaSize.columns / 2, rows: panoramaSize.rows / 2 } as const;
const half = size.columns / 2;

/** The same seed makes the same panorama. `mostLost`: the largest number of teeth lost besides those of every head. */
export function createVariedPanorama(seed: string, mostLost = 6): VariedPanorama {
  const random = createRandom("panorama variety", seed);
  const teethLost = Math.floor(random.between(0, mostLost + 1));
  const head = removeRandomTeeth(makeHead(`variety ${seed}`), teethLost, random);
  const pose = choosePose(random);
  const middle = toImagePoint(pose, getSourceOcclusion(head, 0));
  const ends = [-1, 1].map((side) => toImagePoint(pose, getSourceOcclusion(head, side * toothPlace)));
  const [[leftX, leftY], [rightX, rightY]] = [ends[0], ends[1]];
  return {
    ...size,
    samples: applyExposure(applyPose(downsampleByTwo(createPanoramaPixels(head)), pose), random),
    teethLost,
    biteRow: createOcclusionPath(head, pose),
    midline: middle,
    tilt: (Math.atan2(rightY - leftY, rightX - leftX) * 180) / Math.PI,
  };
}

/** Millimetres from the midline to the first molars, about. */
const toothPlace = 36;

function removeRandomTeeth(head: HeadTruth, count: number, random: Random): HeadTruth {
  const lost = new Set<number>();
  const present = head.teeth.filter(({ state }) => state !== "missing").map(({ fdi }) => fdi);
  while (lost.size < count) lost.add(random.pick(present));
  const teeth = head.teeth.map((tooth) => (lost.has(tooth.fdi) ? { ...tooth, state: "missing" as const } : tooth));
  return { ...head, teeth, implants: head.implants.filter(({ fdi }) => !lost.has(fdi)) };
}

/** The position of the head in the machine; lengths are shares of half the width. */
interface HeadPose {
  /** The patient is off to one side. */
  shift: number;
  /** The head is turned to one side: that side is shown narrower, the other wider. */
  turned: number;
  /** The chin is low (positive: the row of teeth is bent downwards in the middle) or high. */
  smile: number;
  /** The head is tilted; radians. */
  tilt: number;
}

const choosePose = (random: Random): HeadPose => ({
  shift: random.between(-0.08, 0.08),
  turned: random.between(-0.12, 0.12),
  smile: random.between(-0.1, 0.14),
  tilt: (random.between(-5, 5) * Math.PI) / 180,
});

/** The place on the undisturbed image that is shown here; both from the middle, in half widths. */
function toSourcePoint({ shift, turned, smile, tilt }: HeadPose, x: number, y: number): [number, number] {
  const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
  const [u, v] = [cos * (x - shift) + sin * y, cos * y - sin * (x - shift)];
  return [u + turned * u * u, v + smile * u * u];
}

/** The other way round, in pixels of the image. */
function toImagePoint(
  { shift, turned, smile, tilt }: HeadPose,
  [sourceX, sourceY]: readonly [number, number],
): [number, number] {
  const u = (2 * sourceX) / (1 + Math.sqrt(1 + 4 * turned * sourceX));
  const v = sourceY - smile * u * u;
  const [cos, sin] = [Math.cos(tilt), Math.sin(tilt)];
  return [half * (1 + shift + cos * u - sin * v), size.rows / 2 + half * (sin * u + cos * v)];
}

/** In the undisturbed image the teeth meet here, `place` mm along the jaw from the midline. */
function getSourceOcclusion({ scale }: HeadTruth, place: number): [number, number] {
  const { pixel, enlarged, columns, rows } = panoramaSize;
  const row = 590 - ((getOcclusalHeight(place, scale) + 0.0011 * place * place) * enlarged) / pixel;
  return [(place * enlarged) / pixel / (columns / 2), (row - rows / 2) / (columns / 2)];
}

function createOcclusionPath(head: HeadTruth, pose: HeadPose): (column: number) => number {
  const points = Array.from({ length: 241 }, (_, at) => toImagePoint(pose, getSourceOcclusion(head, (at - 120) / 2)));
  return (column) => {
    const at = points.findIndex(([x]) => x >= column);
    if (at < 1) return NaN;
    const [[fromX, fromY], [toX, toY]] = [points[at - 1], points[at]];
    return fromY + ((toY - fromY) * (column - fromX)) / (toX - fromX);
  };
}

function downsampleByTwo(pixels: Uint16Array): Float32Array {
  const wide = panoramaSize.columns;
  return Float32Array.from({ length: size.columns * size.rows }, (_, at) => {
    const from = 2 * Math.floor(at / size.columns) * wide + 2 * (at % size.columns);
    return (pixels[from] + pixels[from + 1] + pixels[from + wide] + pixels[from + wide + 1]) / 4;
  });
}

function applyPose(source: Float32Array, pose: HeadPose): Float32Array {
  const { columns, rows } = size;
  return Float32Array.from(source, (_, at) => {
    const [x, y] = toSourcePoint(
      pose,
      ((at % columns) + 0.5) / half - 1,
      (Math.floor(at / columns) + 0.5 - rows / 2) / half,
    );
    const column = Math.min(columns - 1, Math.max(0, Math.floor(half * (1 + x))));
    const row = Math.min(rows - 1, Math.max(0, Math.floor(rows / 2 + half * y)));
    return source[row * columns + column];
  });
}

/** Varies the appearance: darker or brighter middle tones, harder or softer edges, more noise. */
function applyExposure(source: Float32Array, random: Random): Float32Array {
  const { columns } = size;
  const [gamma, edge, noise] = [random.between(0.6, 1.7), random.between(-0.3, 1.2), random.between(0, 60)];
  return Float32Array.from(source, (value, at) => {
    const near = [at - columns, at - 1, at + 1, at + columns].map((one) => source[one] ?? value);
    const sharp = value + edge * (value - near.reduce((sum, one) => sum + one, 0) / 4);
    return 4095 * Math.min(1, Math.max(0, sharp / 4095)) ** gamma + noise * random.normal();
  });
}
