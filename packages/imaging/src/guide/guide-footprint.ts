import type { Vector } from "../geometry/vector.ts";
import { filterExtreme, findNearestInMask, type PlaneGrid } from "./height-map.ts";
import type { GuideRegion } from "./guide-input.ts";

/** The place of the guide, seen along the insertion: for every sample of the plane. */
export interface GuideFootprint {
  /** mm from the covered part of the scan; 0 within it. */
  distance: Float32Array;
  /** The height below which the guide does not reach. */
  lowest: Float32Array;
  /** Samples of the covered part: 1 within it. */
  mask: Uint8Array;
}

/** A sleeve's place in the plane, with the radius of the body around it. */
export interface PlaneSpot {
  x: number;
  y: number;
  radius: number;
}

/** mm around a place in which the crowns' tops are looked for. */
const topReach = 10;
/** mm below the covered ridge at which the guide ends, so that its rounded rim does not thin the shell on the ridge. */
const belowRidge = 1;
/** mm: gaps between crowns up to twice this are bridged. */
const bridgeReach = 3;

/**
 * Finds the part of the scan that the guide covers.
 * @param region with its points already in the insertion's frame
 */
export function createFootprint(
  heights: Float32Array,
  grid: PlaneGrid,
  region: GuideRegion,
  reach: number,
  spots: readonly PlaneSpot[],
): GuideFootprint {
  const limits = new Float32Array(heights.length).fill(Infinity);
  const mask =
    region.kind === "radius"
      ? coverCrowns(heights, grid, { region, reach, spots, limits })
      : fillOutline(heights, grid, region.points, limits);
  markSpots(mask, grid, spots, 0);
  const filled = fillGaps(heights, grid);
  const lowest = filled.map((height, at) => Math.min(height - belowRidge, limits[at]));
  const nearest = findNearestInMask(mask, grid);
  const spread = lowest.map((_, at) => lowest[Math.max(0, nearest.index[at])]);
  const cells = Math.round(1.4 / grid.step);
  return { mask, distance: nearest.distance, lowest: blurTwice(filterExtreme(spread, grid, cells, -1), grid, cells) };
}

interface CrownSearch {
  region: Extract<GuideRegion, { kind: "radius" }>;
  reach: number;
  spots: readonly PlaneSpot[];
  /** Receives the height below which the walls do not reach. */
  limits: Float32Array;
}

function coverCrowns(
  heights: Float32Array,
  grid: PlaneGrid,
  { region, reach, spots, limits }: CrownSearch,
): Uint8Array {
  const tops = filterExtreme(heights, grid, Math.round(topReach / grid.step), 1);
  const mask = new Uint8Array(heights.length);
  const links = linkSpots(spots);
  for (let at = 0; at < mask.length; at++) {
    limits[at] = tops[at] - reach;
    if (!(heights[at] >= limits[at])) continue;
    const x = grid.x + (at % grid.columns) * grid.step;
    const y = grid.y + Math.floor(at / grid.columns) * grid.step;
    if (links.some(([a, b]) => measureToSegment(x, y, a, b) <= region.mm)) mask[at] = 1;
  }
  for (const [a, b] of links) markSpots(mask, grid, sampleLink(a, b, grid.step), 0);
  return erode(dilate(mask, grid, bridgeReach), grid, bridgeReach);
}

/** The shortest set of lines that joins all spots (R. C. Prim 1957); a single spot is joined with itself. */
function linkSpots(spots: readonly PlaneSpot[]): [PlaneSpot, PlaneSpot][] {
  if (spots.length === 1) return [[spots[0], spots[0]]];
  const links: [PlaneSpot, PlaneSpot][] = [];
  const joined = new Set([spots[0]]);
  while (joined.size < spots.length) {
    const pairs = [...joined].flatMap((from) =>
      spots.filter((to) => !joined.has(to)).map((to): [PlaneSpot, PlaneSpot] => [from, to]),
    );
    const far = ([a, b]: [PlaneSpot, PlaneSpot]): number => Math.hypot(a.x - b.x, a.y - b.y);
    const best = pairs.reduce((least, pair) => (far(pair) < far(least) ? pair : least));
    links.push(best);
    joined.add(best[1]);
  }
  return links;
}

/** Implants whose gap is longer than this do not stand beside each other, and are not joined by a bar. */
const longestBar = 18;

function sampleLink(a: PlaneSpot, b: PlaneSpot, step: number): PlaneSpot[] {
  const length = Math.hypot(a.x - b.x, a.y - b.y);
  if (length > longestBar) return [];
  const count = Math.max(1, Math.ceil(length / step));
  return Array.from({ length: count + 1 }, (_, i) => ({
    x: a.x + ((b.x - a.x) * i) / count,
    y: a.y + ((b.y - a.y) * i) / count,
    radius: Math.min(a.radius, b.radius) * 0.8,
  }));
}

function measureToSegment(x: number, y: number, a: PlaneSpot, b: PlaneSpot): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const square = dx * dx + dy * dy || 1;
  const t = Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / square));
  return Math.hypot(x - a.x - t * dx, y - a.y - t * dy);
}

function markSpots(mask: Uint8Array, grid: PlaneGrid, spots: readonly PlaneSpot[], more: number): void {
  for (const { x, y, radius } of spots) {
    const wide = radius + more;
    const [left, right] = [x - wide, x + wide].map((edge) => (edge - grid.x) / grid.step);
    const [low, high] = [y - wide, y + wide].map((edge) => (edge - grid.y) / grid.step);
    for (let row = Math.max(0, Math.ceil(low)); row <= Math.min(grid.rows - 1, high); row++)
      for (let column = Math.max(0, Math.ceil(left)); column <= Math.min(grid.columns - 1, right); column++)
        if (Math.hypot(grid.x + column * grid.step - x, grid.y + row * grid.step - y) <= wide)
          mask[row * grid.columns + column] = 1;
  }
}

const dilate = (mask: Uint8Array, grid: PlaneGrid, reach: number): Uint8Array =>
  Uint8Array.from(findNearestInMask(mask, grid).distance, (far) => (far <= reach ? 1 : 0));

const erode = (mask: Uint8Array, grid: PlaneGrid, reach: number): Uint8Array =>
  dilate(
    mask.map((value) => 1 - value),
    grid,
    reach,
  ).map((value) => 1 - value);

/** Samples within a closed line; `limits` receives the line's own height along it. */
function fillOutline(
  heights: Float32Array,
  grid: PlaneGrid,
  points: readonly Vector[],
  limits: Float32Array,
): Uint8Array {
  const mask = new Uint8Array(heights.length);
  const flat = points.map(([x, y]) => [(x - grid.x) / grid.step, (y - grid.y) / grid.step] as const);
  for (let row = 0; row < grid.rows; row++) {
    const crossings = flat
      .flatMap(([ax, ay], at) => {
        const [bx, by] = flat[(at + 1) % flat.length];
        return ay > row === by > row ? [] : [ax + ((row - ay) / (by - ay)) * (bx - ax)];
      })
      .sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2)
      for (
        let column = Math.max(0, Math.ceil(crossings[i]));
        column <= Math.min(grid.columns - 1, crossings[i + 1]);
        column++
      )
        mask[row * grid.columns + column] = 1;
  }
  points.forEach((a, at) => markLine(mask, grid, limits, a, points[(at + 1) % points.length]));
  return mask;
}

function markLine(mask: Uint8Array, grid: PlaneGrid, limits: Float32Array, a: Vector, b: Vector): void {
  const count = Math.max(1, Math.ceil((2 * Math.hypot(a[0] - b[0], a[1] - b[1])) / grid.step));
  for (let i = 0; i <= count; i++) {
    const [x, y, z] = [0, 1, 2].map((axis) => a[axis] + ((b[axis] - a[axis]) * i) / count);
    const [column, row] = [Math.round((x - grid.x) / grid.step), Math.round((y - grid.y) / grid.step)];
    if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) continue;
    const place = row * grid.columns + column;
    mask[place] = 1;
    limits[place] = Math.min(limits[place], z);
  }
}

/** Heights with the samples that no triangle covers filled from the nearest one. */
function fillGaps(heights: Float32Array, grid: PlaneGrid): Float32Array {
  const { index } = findNearestInMask(
    Uint8Array.from(heights, (height) => (height > -Infinity ? 1 : 0)),
    grid,
  );
  return heights.map((_, at) => heights[Math.max(0, index[at])]);
}

function blurTwice(values: Float32Array, { columns, rows }: PlaneGrid, reach: number): Float32Array {
  const pass = (from: Float32Array, dx: number, dy: number): Float32Array =>
    from.map((_, at) => {
      const [x, y] = [at % columns, Math.floor(at / columns)];
      let [sum, count] = [0, 0];
      for (let i = -reach; i <= reach; i++) {
        const [nx, ny] = [x + i * dx, y + i * dy];
        if (nx < 0 || ny < 0 || nx >= columns || ny >= rows) continue;
        sum += from[ny * columns + nx];
        count++;
      }
      return sum / count;
    });
  return pass(pass(values, 1, 0), 0, 1);
}
