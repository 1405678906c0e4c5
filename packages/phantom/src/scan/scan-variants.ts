import type { Mesh, Point } from "@arcada/imaging/mesh/mesh";
import { extractSurfaceNet } from "@arcada/imaging/mesh/surface-net";
import { isErupted } from "../anatomy/gum.ts";
import type { HeadTooth, HeadTruth } from "../anatomy/head.ts";
import { forEachPointAroundTooth, createScanGrid } from "./arch-scan.ts";
import { smoothIntersection, findSmallest } from "../math/shape-functions.ts";
import { distanceToCrown, distanceToTooth } from "../anatomy/tooth-shape.ts";
import type { JawName } from "../anatomy/arch-curve.ts";

/** The crowns of one jaw without gum, each closed where it is cut off at its neck; `teeth` by FDI number, all where absent. */
export function createCrownScan(head: HeadTruth, jaw: JawName, teeth?: readonly number[]): Mesh {
  const grid = createScanGrid(head, jaw);
  const values = new Float32Array(grid.columns * grid.rows * grid.slices).fill(far);
  for (const tooth of getVisibleTeeth(head, jaw, teeth)) {
    forEachPointAroundTooth(tooth, grid, (at, m, b, h) => {
      values[at] = Math.min(values[at], getCrownDistance(tooth, m, b, h));
    });
  }
  return extractSurfaceNet(values, grid);
}

/** A splint over the crowns of one jaw: smooth outside, their print inside. */
export function createSplintDesign(head: HeadTruth, jaw: JawName): Mesh {
  const grid = createScanGrid(head, jaw);
  const count = grid.columns * grid.rows * grid.slices;
  const crowns = new Float32Array(count).fill(far);
  const around = new Float32Array(count).fill(far);
  for (const tooth of getVisibleTeeth(head, jaw)) {
    forEachPointAroundTooth(tooth, grid, (at, m, b, h) => {
      const plain = Math.hypot(Math.max(0, Math.hypot(m, b) - tooth.shape.width * 0.35), Math.max(0, h - 4)) - 3.4;
      crowns[at] = Math.min(crowns[at], distanceToTooth(tooth.shape, m, b, h) - 0.1);
      around[at] = Math.min(around[at], Math.max(plain, 2.5 - h));
    });
  }
  return extractSurfaceNet(
    around.map((value, at) => Math.max(value, -crowns[at])),
    grid,
  );
}

/** The part of a surface around these teeth (FDI numbers), open where it is cut. */
export const cutOutTeeth = (mesh: Mesh, head: HeadTruth, jaw: JawName, teeth: readonly number[]): Mesh =>
  cutMesh(mesh, (point) => teeth.includes(findNearestTooth(head, jaw, point).fdi));

/** Crowns without the face with which they were closed at their necks. */
export const openCrowns = (mesh: Mesh, head: HeadTruth, jaw: JawName): Mesh =>
  cutMesh(mesh, (point) => {
    const { neck, axes } = findNearestTooth(head, jaw, point);
    return point.reduce((sum, value, axis) => sum + (value - neck[axis]) * axes.crown[axis], 0) > 0.9;
  });

/** The same head with these teeth ground to stumps for crowns. */
export const prepareTeeth = (head: HeadTruth, teeth: readonly number[]): HeadTruth => ({
  ...head,
  teeth: head.teeth.map((tooth) => (teeth.includes(tooth.fdi) ? { ...tooth, shape: createStump(tooth) } : tooth)),
});

/** The same head without these teeth. */
export const removeTeeth = (head: HeadTruth, teeth: readonly number[]): HeadTruth => ({
  ...head,
  teeth: head.teeth.map((tooth) => (teeth.includes(tooth.fdi) ? { ...tooth, state: "missing" } : tooth)),
});

const far = 5;

const getVisibleTeeth = (head: HeadTruth, jaw: JawName, teeth?: readonly number[]): HeadTooth[] =>
  head.teeth.filter((tooth) => tooth.jaw === jaw && isErupted(tooth) && (teeth?.includes(tooth.fdi) ?? true));

// A neck is higher between the teeth than at the lips and the tongue.
const getCrownDistance = ({ shape, state }: HeadTooth, m: number, b: number, h: number): number => {
  const whole = state === "implant" ? distanceToCrown(shape, m, b, h) : distanceToTooth(shape, m, b, h);
  return smoothIntersection(whole, 0.2 + 0.09 * m * m - h, 0.8);
};

const createStump = ({ shape }: HeadTooth): HeadTooth["shape"] => ({
  ...shape,
  width: shape.width * 0.74,
  depth: shape.depth * 0.76,
  crown: shape.crown * 0.66,
  cusps: shape.cusps.map((cusp) => ({ m: cusp.m * 0.7, b: cusp.b * 0.7, drop: cusp.drop * 0.6 })),
});

const findNearestTooth = (head: HeadTruth, jaw: JawName, [x, y]: Point): HeadTooth =>
  findSmallest(getVisibleTeeth(head, jaw), ({ neck }) => (neck[0] - x) ** 2 + (neck[1] - y) ** 2);

function cutMesh({ positions, indices, colours }: Mesh, keeps: (point: Point) => boolean): Mesh {
  const kept = Uint8Array.from({ length: positions.length / 3 }, (_, at) =>
    keeps([positions[3 * at], positions[3 * at + 1], positions[3 * at + 2]]) ? 1 : 0,
  );
  const left: number[] = [];
  for (let i = 0; indices && i < indices.length; i += 3) {
    if (kept[indices[i]] && kept[indices[i + 1]] && kept[indices[i + 2]]) left.push(...indices.subarray(i, i + 3));
  }
  return compactMesh({ positions, indices: Uint32Array.from(left), colours });
}

function compactMesh({ positions, indices, colours }: Mesh): Mesh {
  const used = [...new Set(indices)];
  const place = new Map(used.map((vertex, at) => [vertex, at]));
  const taken = <T extends Float32Array | Uint8Array>(values: T, into: T): T => {
    used.forEach((vertex, at) => into.set(values.subarray(3 * vertex, 3 * vertex + 3), 3 * at));
    return into;
  };
  return {
    positions: taken(positions, new Float32Array(3 * used.length)),
    indices: indices && indices.map((vertex) => place.get(vertex) ?? 0),
    colours: colours && taken(colours, new Uint8Array(3 * used.length)),
  };
}
