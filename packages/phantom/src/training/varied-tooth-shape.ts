import type { JawName } from "../anatomy/arch-curve.ts";
import { createToothShape, type ToothShape } from "../anatomy/tooth-shape.ts";
import type { Random } from "../math/random.ts";

type Row = readonly [width: number, depth: number, crown: number, root: number];

// Deciduous teeth, first to fifth from the midline, mm, after the averages of dental anatomy (Wheeler's tables, rounded).
const deciduousRows: Record<JawName, readonly Row[]> = {
  upper: [
    [6.5, 5, 6, 10],
    [5.1, 4, 5.6, 11.4],
    [7, 7, 6.5, 13.5],
    [7.3, 8.5, 5.1, 10],
    [8.2, 10, 5.7, 11.7],
  ],
  lower: [
    [4.2, 4, 5, 9],
    [4.1, 4, 5.2, 10],
    [5, 4.8, 6, 11.5],
    [7.7, 7, 6, 9.8],
    [9.9, 8.7, 5.5, 11.3],
  ],
};

/** A tooth as people have it: its size, the length, spread and curve of its roots differ from the usual one. */
export function varyToothShape(shape: ToothShape, random: Random): ToothShape {
  const [width, depth, crown] = [random.between(0.9, 1.1), random.between(0.92, 1.08), random.between(0.88, 1.12)];
  const length = random.between(0.8, 1.2);
  // Roots of back teeth spread widely or lie together like one.
  const spread = shape.form === "molar" ? random.between(0.45, 1.35) : random.between(0.8, 1.2);
  const roots = shape.roots.map((root) => ({
    ...root,
    from: [root.from[0] * width, root.from[1] * depth] as const,
    to: [root.to[0] * width * spread + 0.9 * random.normal(), root.to[1] * depth * spread] as const,
    m: root.m * width * random.between(0.9, 1.15),
    b: root.b * depth,
    length: root.length * length * random.between(0.92, 1.06),
  }));
  const cusps = shape.cusps.map((cusp) => ({ ...cusp, m: cusp.m * width, b: cusp.b * depth }));
  return {
    ...shape,
    width: shape.width * width,
    depth: shape.depth * depth,
    crown: shape.crown * crown,
    root: Math.max(...roots.map((root) => root.length)),
    cusps,
    roots,
  };
}

/** The deciduous tooth at a position counted from the midline (1 to 5). */
export function createDeciduousShape(jaw: JawName, place: number, scale: number): ToothShape {
  const [width, depth, crown, root] = deciduousRows[jaw][place - 1];
  // Deciduous molars are formed like small first molars, on roots that spread further.
  const like = createToothShape(jaw, place < 4 ? place : 6, 1);
  const [w, d, r] = [(width / like.width) * scale, (depth / like.depth) * scale, (root / like.root) * scale];
  return {
    ...like,
    width: width * scale,
    depth: depth * scale,
    crown: crown * scale,
    root: root * scale,
    cusps: like.cusps.map((cusp) => ({ m: cusp.m * w, b: cusp.b * d, drop: cusp.drop * 0.8 })),
    roots: like.roots.map((one) => ({
      from: [one.from[0] * w, one.from[1] * d],
      to: [one.to[0] * w * (place < 4 ? 1 : 1.35), one.to[1] * d],
      m: one.m * w * 0.85,
      b: one.b * d * 0.85,
      length: one.length * r,
    })),
  };
}
