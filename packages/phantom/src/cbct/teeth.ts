import { greyValues, materialGreyValues } from "./grey-values.ts";
import type { HeadTooth, HeadTruth } from "../anatomy/head.ts";
import { clamp, mix } from "../math/shape-functions.ts";
import { getToothMaterial, distanceToToothOrImplant } from "../anatomy/tooth-material.ts";
import type { SliceGrid, JawField } from "./jaw-curve-coordinates.ts";
import { createSkeleton } from "../anatomy/skeleton.ts";

export type CbctScene = {
  head: HeadTruth;
  skeleton: ReturnType<typeof createSkeleton>;
  lower: JawField;
  upper: JawField;
  teeth: ReturnType<typeof placeTeeth>;
};

export type PlacedTooth = HeadTooth & { low: number; high: number; around: number };

/** Metal in a slice: its middle in mm, and how much of it there is. */
export type Metal = { x: number; y: number; amount: number };

/** Teeth with their lowest and highest heights. */
export function placeTeeth(head: HeadTruth, voxel: number): PlacedTooth[] {
  return head.teeth
    .filter((tooth) => tooth.state !== "missing")
    .map((tooth) => {
      const { shape, neck, axes } = tooth;
      const around = Math.hypot(shape.width, shape.depth) * 0.62 + 2 * voxel;
      const ends = [-shape.root - 2, shape.crown + 1].map((h) => neck[2] + axes.crown[2] * h);
      const lying = around * Math.hypot(axes.crown[0], axes.crown[1]);
      return { ...tooth, around, low: Math.min(...ends) - lying, high: Math.max(...ends) + lying };
    });
}

/** Draws the teeth of one slice; returns the metal in it. */
export function drawTeeth(values: Float32Array, grid: SliceGrid, z: number, scene: CbctScene): Metal[] {
  const metals: Metal[] = [];
  for (const tooth of scene.teeth) {
    if (z < tooth.low || z > tooth.high) continue;
    const metal = drawTooth(values, grid, z, tooth);
    if (metal.amount > 0) metals.push(metal);
  }
  return metals;
}

function drawTooth(values: Float32Array, grid: SliceGrid, z: number, tooth: PlacedTooth): Metal {
  const { voxel } = grid;
  const { neck, axes, shape, state } = tooth;
  const metal = { x: 0, y: 0, amount: 0 };
  const ends = [-shape.root - 2, shape.crown + 1];
  const box = [0, 1].map((i) => {
    const [a, b] = ends.map((h) => neck[i] + axes.crown[i] * h);
    return [Math.min(a, b) - tooth.around, Math.max(a, b) + tooth.around];
  });
  const dz = z - neck[2];
  for (let row = Math.max(0, Math.ceil((box[1][0] - grid.y) / voxel)); row < grid.rows; row++) {
    const dy = grid.y + row * voxel - neck[1];
    if (dy + neck[1] > box[1][1]) break;
    for (let column = Math.max(0, Math.ceil((box[0][0] - grid.x) / voxel)); column < grid.columns; column++) {
      const dx = grid.x + column * voxel - neck[0];
      if (dx + neck[0] > box[0][1]) break;
      const m = dx * axes.mesial[0] + dy * axes.mesial[1] + dz * axes.mesial[2];
      const b = dx * axes.buccal[0] + dy * axes.buccal[1] + dz * axes.buccal[2];
      if (Math.abs(m) > tooth.around || Math.abs(b) > tooth.around) continue;
      const h = dx * axes.crown[0] + dy * axes.crown[1] + dz * axes.crown[2];
      const distance = distanceToToothOrImplant(shape, state, m, b, h);
      if (distance > 0.9) continue;
      const at = row * grid.columns + column;
      // The ligament around a root is a thin dark line in the bone.
      if (h < -1 && distance > 0 && state !== "implant")
        values[at] = mix(values[at], greyValues.muscle, 0.55 * clamp(1.2 - distance / 0.5, 0, 1));
      const share = clamp(0.5 - distance / voxel, 0, 1);
      if (share === 0) continue;
      const value = materialGreyValues[getToothMaterial(shape, state, Math.min(distance, -1e-3), m, b, h)];
      values[at] = mix(values[at], value, share);
      if (value > 4000) {
        metal.x += dx + neck[0];
        metal.y += dy + neck[1];
        metal.amount++;
      }
    }
  }
  if (metal.amount === 0) return metal;
  return { x: metal.x / metal.amount, y: metal.y / metal.amount, amount: metal.amount * voxel * voxel };
}
