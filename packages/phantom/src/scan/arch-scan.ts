import { computeEnclosedVolume, type Mesh, type Point } from "@arcada/imaging/mesh/mesh";
import { extractSurfaceNet, type FieldGrid } from "@arcada/imaging/mesh/surface-net";
import { createArchCurve, type JawName } from "../anatomy/arch-curve.ts";
import { createGum, isErupted, type Gum } from "../anatomy/gum.ts";
import type { HeadTooth, HeadTruth } from "../anatomy/head.ts";
import { computeJawField } from "../cbct/jaw-curve-coordinates.ts";
import { computeScanColour } from "./scan-colour.ts";
import { clamp, smoothStep } from "../math/shape-functions.ts";
import { distanceToCrown, distanceToTooth } from "../anatomy/tooth-shape.ts";

/**
 * A surface as an intra-oral scanner makes it: gum and crowns with colours, open at its base,
 * in mm of the head's own space (DICOM patient LPS), so that it fits on the CBCT.
 * @param base closed as a plaster model is
 */
export function createArchScan(head: HeadTruth, jaw: JawName, base: "open" | "closed" = "open"): Mesh {
  const grid = createScanGrid(head, jaw);
  const teeth = head.teeth.filter((tooth) => tooth.jaw === jaw && isErupted(tooth));
  const gum = createGum(head, jaw);
  const field = computeGumField(gum, head, grid);
  const whole = field.slice();
  // A plaster model ends where a scan stops.
  if (base === "closed") whole.forEach((value, at) => Number.isNaN(value) && (whole[at] = spacing));
  const owner = new Uint8Array(field.length);
  teeth.forEach((tooth, i) => addTooth(whole, owner, i + 1, tooth, grid));
  const mesh = extractSurfaceNet(whole, grid);
  return { ...mesh, colours: computeVertexColours(mesh.positions, { grid, field, whole, owner, teeth, gum }) };
}

/** A hollow crown for one tooth (by its FDI number), closed all round, as a laboratory designs it; null for no such tooth. */
export function createCrownDesign(head: HeadTruth, fdi: number): Mesh | null {
  const tooth = head.teeth.find((one) => one.fdi === fdi);
  if (!tooth) return null;
  const { shape, neck, axes } = tooth;
  const spacing = 0.22;
  const size = [shape.width + 2, shape.depth + 2, shape.crown + 2.4].map((length) => Math.ceil(length / spacing) + 1);
  const grid: FieldGrid = {
    columns: size[0],
    rows: size[1],
    slices: size[2],
    spacing,
    origin: [-(size[0] - 1) * 0.5 * spacing, -(size[1] - 1) * 0.5 * spacing, -0.6],
  };
  const values = new Float32Array(size[0] * size[1] * size[2]);
  forEachGridPoint(grid, (at, m, b, h) => {
    const outside = Math.max(distanceToCrown(shape, m, b, h), 0.5 - h);
    const wall = 0.6 + 0.6 * smoothStep(0.5, 2.4, h);
    const stump = Math.max(distanceToCrown(shape, m, b, h) + wall, h - shape.crown + 2.1);
    values[at] = Math.max(outside, -stump);
  });
  const mesh = extractSurfaceNet(values, grid);
  for (let i = 0; i < mesh.positions.length; i += 3) {
    const [m, b, h] = mesh.positions.subarray(i, i + 3);
    for (let axis = 0; axis < 3; axis++)
      mesh.positions[i + axis] = neck[axis] + m * axes.mesial[axis] + b * axes.buccal[axis] + h * axes.crown[axis];
  }
  // In two of the four quadrants mesial, buccal and crown are a left-handed triple.
  return computeEnclosedVolume(mesh) < 0 ? invertTriangles(mesh) : mesh;
}

function invertTriangles(mesh: Mesh): Mesh {
  const indices = mesh.indices ? mesh.indices.slice() : null;
  for (let i = 0; indices && i < indices.length; i += 3) [indices[i], indices[i + 1]] = [indices[i + 1], indices[i]];
  return { ...mesh, indices };
}

const spacing = 0.5;

export function createScanGrid({ scale }: HeadTruth, jaw: JawName): FieldGrid {
  const [low, high] = jaw === "upper" ? [-4, 22] : [-19.5, 6];
  const box = { x: 42 * scale, front: -54 * scale, back: 32 * scale, low: low * scale, high: high * scale };
  return {
    columns: Math.ceil((2 * box.x) / spacing),
    rows: Math.ceil((box.back - box.front) / spacing),
    slices: Math.ceil((box.high - box.low) / spacing),
    spacing,
    origin: [-box.x, box.front, box.low],
  };
}

function forEachGridPoint(grid: FieldGrid, visit: (at: number, x: number, y: number, z: number) => void): void {
  let at = 0;
  for (let k = 0; k < grid.slices; k++) {
    for (let j = 0; j < grid.rows; j++) {
      for (let i = 0; i < grid.columns; i++, at++) {
        visit(
          at,
          grid.origin[0] + i * grid.spacing,
          grid.origin[1] + j * grid.spacing,
          grid.origin[2] + k * grid.spacing,
        );
      }
    }
  }
}

function computeGumField(gum: Gum, head: HeadTruth, grid: FieldGrid): Float32Array {
  const { columns, rows, origin } = grid;
  const jaw = computeJawField(createArchCurve(gum.jaw, head.scale), {
    columns,
    rows,
    voxel: spacing,
    x: origin[0],
    y: origin[1],
  });
  const values = new Float32Array(columns * rows * grid.slices);
  forEachGridPoint(grid, (at, x, y, z) => {
    const plane = at % (columns * rows);
    values[at] = gum.distance(x < 0 ? -jaw.u[plane] : jaw.u[plane], jaw.d[plane], x, y, z);
  });
  return values;
}

function addTooth(whole: Float32Array, owner: Uint8Array, number: number, tooth: HeadTooth, grid: FieldGrid): void {
  const { shape, state } = tooth;
  forEachPointAroundTooth(tooth, grid, (at, m, b, h) => {
    const distance = state === "implant" ? distanceToCrown(shape, m, b, h) : distanceToTooth(shape, m, b, h);
    if (!(distance < whole[at])) return;
    whole[at] = distance;
    owner[at] = number;
  });
}

/** Visits the grid around a tooth's crown, in the tooth's own directions. */
export function forEachPointAroundTooth(
  { neck, axes, shape }: HeadTooth,
  grid: FieldGrid,
  visit: (at: number, m: number, b: number, h: number) => void,
): void {
  const around = Math.hypot(shape.width, shape.depth) * 0.5 + 3;
  const range = [0, 1, 2].map((axis) => {
    const count = [grid.columns, grid.rows, grid.slices][axis];
    const ends = [-4, shape.crown + 1].map((h) => neck[axis] + axes.crown[axis] * h);
    const low = Math.floor((Math.min(...ends) - around - grid.origin[axis]) / grid.spacing);
    const high = Math.ceil((Math.max(...ends) + around - grid.origin[axis]) / grid.spacing);
    return [clamp(low, 0, count - 1), clamp(high, 0, count - 1)];
  });
  for (let k = range[2][0]; k <= range[2][1]; k++) {
    for (let j = range[1][0]; j <= range[1][1]; j++) {
      for (let i = range[0][0]; i <= range[0][1]; i++) {
        const at = i + grid.columns * (j + grid.rows * k);
        const offset: Point = [i, j, k].map(
          (n, axis) => grid.origin[axis] + n * grid.spacing - neck[axis],
        ) as unknown as Point;
        visit(at, dot(offset, axes.mesial), dot(offset, axes.buccal), dot(offset, axes.crown));
      }
    }
  }
}

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

type ScanFields = {
  grid: FieldGrid;
  field: Float32Array;
  whole: Float32Array;
  owner: Uint8Array;
  teeth: readonly HeadTooth[];
  gum: Gum;
};

function computeVertexColours(
  positions: Float32Array,
  { grid, field, whole, owner, teeth, gum }: ScanFields,
): Uint8Array {
  const colours = new Uint8Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const place: Point = [positions[i], positions[i + 1], positions[i + 2]];
    const [x, y, z] = place.map((value, axis) => Math.round((value - grid.origin[axis]) / grid.spacing));
    const at = x + grid.columns * (y + grid.rows * z);
    const tooth = owner[at] > 0 ? teeth[owner[at] - 1] : null;
    const share = tooth ? clamp((field[at] - whole[at]) / 0.7, 0, 1) : 0;
    colours.set(computeScanColour(place, tooth, share, gum.above(place)), i);
  }
  return colours;
}
