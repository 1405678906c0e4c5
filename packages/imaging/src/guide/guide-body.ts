import { compose, transformPoint } from "../geometry/rigid-transform.ts";
import { lengthOf, plus, times, type Vector } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { extractSurfaceNet, type FieldGrid } from "../mesh/surface-net.ts";
import { computeBlockedDistances, type FieldBlock } from "./blocked-distance.ts";
import {
  computeGuideDistance,
  fieldReach,
  toLocalSleeve,
  toLocalWindow,
  type LocalSleeve,
  type LocalWindow,
} from "./guide-field.ts";
import { createFootprint, type GuideFootprint } from "./guide-footprint.ts";
import {
  defaultGuideSettings,
  GuideError,
  guideSettingLimits,
  type GuideInput,
  type GuideSettings,
} from "./guide-input.ts";
import { createHeightMap, type PlaneGrid } from "./height-map.ts";
import { createInsertionFrame, listTriangles, type InsertionFrame } from "./insertion-frame.ts";
import { keepLargeParts } from "./keep-large-parts.ts";
import { makeWellComposed } from "./well-composed.ts";

export interface GuideBody {
  /** Closed surface facing outwards, in the volume's frame (patient LPS, mm). */
  mesh: Mesh;
  /** mm³. */
  volume: number;
  /** Separate bodies: more than one cannot be used as a guide, and the region must be widened. */
  parts: number;
  /** The direction of insertion that was used, of length 1. */
  insertion: Vector;
  /** Distance between samples that was used, mm. */
  step: number;
}

/** The most samples of one guide: 96 MB. */
const maxSamples = 24_000_000;
/** Columns and rows of a block: its own fields take about 40 MB. */
const blockSize = 96;

/**
 * Makes the body of a surgical guide: a shell over the scan with a gap to it, with undercuts blocked along the direction
 * of insertion, and a bore for each sleeve. Takes seconds: call it in a worker, and end the worker to cancel.
 * @param onProgress called with the share that is done, 0 to 1
 * @throws {GuideError} if the input cannot become a guide
 */
export function makeGuideBody(input: GuideInput, onProgress: (share: number) => void = () => {}): GuideBody {
  const settings = { ...defaultGuideSettings, ...input.settings };
  checkMeasures(input, settings);
  const frame = createInsertionFrame(input);
  const plan = planField(input, settings, frame);
  onProgress(0.05);
  const values = fillField(plan, (share) => onProgress(0.05 + 0.8 * share));
  makeWellComposed(values, plan.grid, 1e-3 * plan.grid.spacing);
  const { mesh, parts, volume } = keepLargeParts(extractSurfaceNet(values, plan.grid));
  if (parts === 0) throw new GuideError("noScanInRegion");
  onProgress(1);
  return {
    mesh: moveMesh(mesh, frame),
    volume,
    parts,
    insertion: frame.insertion,
    step: settings.step,
  };
}

function checkMeasures({ sleeves, windows = [], region }: GuideInput, settings: GuideSettings): void {
  const isWithin = (value: number, least: number, most: number): boolean => value >= least && value <= most;
  const areSettingsGood = (Object.keys(guideSettingLimits) as (keyof GuideSettings)[]).every((key) =>
    isWithin(settings[key], ...guideSettingLimits[key]),
  );
  const areSleevesGood = sleeves.every(
    ({ axis, diameter, height, offset }) =>
      lengthOf(axis) > 0 && isWithin(diameter, 1, 12) && isWithin(height, 1, 20) && isWithin(offset, 0, 30),
  );
  const areWindowsGood = windows.every(({ axis, diameter }) => lengthOf(axis) > 0 && isWithin(diameter, 0.5, 12));
  const isRegionGood = region.kind === "radius" ? isWithin(region.mm, 3, 80) : region.points.length >= 3;
  if (sleeves.length === 0 || !areSettingsGood || !areSleevesGood || !areWindowsGood || !isRegionGood)
    throw new GuideError("badMeasures");
}

interface FieldPlan {
  settings: GuideSettings;
  triangles: Float32Array;
  sleeves: readonly LocalSleeve[];
  windows: readonly LocalWindow[];
  grid: FieldGrid;
  heights: Float32Array;
  footprint: GuideFootprint;
}

function planField(input: GuideInput, settings: GuideSettings, frame: InsertionFrame): FieldPlan {
  const triangles = listTriangles(input.scan, compose(frame.toLocal, input.transform));
  const sleeves = input.sleeves.map((sleeve) => toLocalSleeve(sleeve, settings, frame));
  const windows = (input.windows ?? []).map((window) => toLocalWindow(window, frame));
  const region =
    input.region.kind === "radius"
      ? input.region
      : { ...input.region, points: input.region.points.map((point) => transformPoint(frame.toLocal, point)) };
  const plane = createPlane(
    region.kind === "outline" ? region.points : [],
    sleeves,
    region.kind === "radius" ? region.mm : 0,
    settings,
  );
  const heights = createHeightMap(triangles, plane);
  const spots = sleeves.map(({ bottom: [x, y], outer }) => ({ x, y, radius: outer }));
  const footprint = createFootprint(heights, plane, region, settings.reach, spots);
  const grid = addSlices(plane, heights, footprint, sleeves, settings);
  return { settings, triangles, sleeves, windows, grid, heights, footprint };
}

function createPlane(
  outline: readonly Vector[],
  sleeves: readonly LocalSleeve[],
  radius: number,
  { step, gap, thickness }: GuideSettings,
): PlaneGrid {
  const margin = gap + thickness + 3 * step;
  const ends = sleeves.flatMap(({ bottom, axis, height, outer }) =>
    [bottom, plus(bottom, times(axis, height))].map((place) => ({ place, wide: Math.max(radius, outer + 3) })),
  );
  const all = [...ends, ...outline.map((place) => ({ place, wide: 0 }))];
  const edge = (axis: number, sign: 1 | -1): number =>
    Math.max(...all.map(({ place, wide }) => sign * place[axis] + wide)) + margin;
  const [x, y] = [-edge(0, -1), -edge(1, -1)];
  const columns = Math.ceil((edge(0, 1) - x) / step) + 1;
  const rows = Math.ceil((edge(1, 1) - y) / step) + 1;
  if (columns * rows > maxSamples / 20) throw new GuideError("tooLarge");
  return { columns, rows, step, x, y };
}

function addSlices(
  { columns, rows, step, x, y }: PlaneGrid,
  heights: Float32Array,
  { mask, lowest }: GuideFootprint,
  sleeves: readonly LocalSleeve[],
  { gap, thickness }: GuideSettings,
): FieldGrid {
  let [low, high] = [Infinity, -Infinity];
  for (let at = 0; at < mask.length; at++) {
    if (!mask[at] || heights[at] === -Infinity) continue;
    low = Math.min(low, lowest[at]);
    high = Math.max(high, heights[at] + gap + thickness);
  }
  if (high === -Infinity) throw new GuideError("noScanInRegion");
  for (const { bottom, axis, height, outer } of sleeves) high = Math.max(high, bottom[2] + height * axis[2] + outer);
  const bottom = low - 3 * step;
  const slices = Math.ceil((high + 3 * step - bottom) / step) + 1;
  if (columns * rows * slices > maxSamples) throw new GuideError("tooLarge");
  return { columns, rows, slices, spacing: step, origin: [x, y, bottom] };
}

function fillField(plan: FieldPlan, onProgress: (share: number) => void): Float32Array {
  const { columns, rows, slices } = plan.grid;
  const values = new Float32Array(columns * rows * slices).fill(1);
  const blocks = listBlocks(columns, rows);
  blocks.forEach((block, at) => {
    fillBlock(plan, block, values);
    onProgress((at + 1) / blocks.length);
  });
  return values;
}

function listBlocks(columns: number, rows: number): FieldBlock[] {
  // The outermost samples stay outside, which closes the surface.
  const starts = (count: number): number[] =>
    Array.from({ length: Math.ceil((count - 2) / blockSize) }, (_, i) => 1 + i * blockSize);
  return starts(rows).flatMap((rowFrom) =>
    starts(columns).map((columnFrom) => ({
      columnFrom,
      columnTo: Math.min(columns - 1, columnFrom + blockSize),
      rowFrom,
      rowTo: Math.min(rows - 1, rowFrom + blockSize),
    })),
  );
}

function fillBlock(plan: FieldPlan, block: FieldBlock, values: Float32Array): void {
  const { settings, grid, footprint, sleeves, windows } = plan;
  const { columns, rows, slices, spacing, origin } = grid;
  const reach = fieldReach(settings);
  const distances = computeBlockedDistances(plan.triangles, plan.heights, grid, block, reach);
  const [width, depth] = [block.columnTo - block.columnFrom, block.rowTo - block.rowFrom];
  for (let k = 1; k + 1 < slices; k++)
    for (let j = 0; j < depth; j++)
      for (let i = 0; i < width; i++) {
        const [column, row] = [block.columnFrom + i, block.rowFrom + j];
        const seen = row * columns + column;
        const sample = {
          place: [origin[0] + column * spacing, origin[1] + row * spacing, origin[2] + k * spacing] as const,
          blocked: distances[i + width * (j + depth * k)],
          aside: footprint.distance[seen],
          lowest: footprint.lowest[seen],
        };
        values[column + columns * (row + rows * k)] = computeGuideDistance(sample, settings, sleeves, windows);
      }
}

function moveMesh(mesh: Mesh, { toPatient }: InsertionFrame): Mesh {
  const positions = new Float32Array(mesh.positions.length);
  for (let at = 0; at < positions.length; at += 3)
    positions.set(transformPoint(toPatient, [mesh.positions[at], mesh.positions[at + 1], mesh.positions[at + 2]]), at);
  return { ...mesh, positions };
}
