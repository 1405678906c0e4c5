import type { Vector } from "../geometry/vector.ts";
import { findVoxel } from "../volume/volume-geometry.ts";
import type { JawBody } from "./segment-jaws.ts";

/**
 * The mask as text: how many voxels outside, then inside, and so on, in the order of the voxels, as base64 of numbers
 * of seven bits a byte, the lowest first; the highest bit says that another byte follows (as in LEB128).
 */
export function encodeRuns(inside: Uint8Array): string {
  const bytes: number[] = [];
  let [value, length] = [0, 0];
  const push = () => {
    for (let rest = length; ; rest >>>= 7) {
      bytes.push(rest > 127 ? (rest & 127) | 128 : rest);
      if (rest <= 127) return;
    }
  };
  for (const voxel of inside) {
    if (voxel !== value) {
      push();
      [value, length] = [voxel, 0];
    }
    length++;
  }
  push();
  return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
}

/** Reads a mask of `count` voxels; null if the text does not describe exactly so many. */
export function decodeRuns(text: string, count: number): Uint8Array | null {
  const inside = new Uint8Array(count);
  let [at, value, length, shift] = [0, 0, 0, 0];
  for (const letter of decodeBase64(text)) {
    const byte = letter.charCodeAt(0);
    length += (byte & 127) * 2 ** shift;
    shift += 7;
    if (length > count - at) return null;
    if (byte > 127) continue;
    if (value === 1) inside.fill(1, at, at + length);
    [at, value, length, shift] = [at + length, 1 - value, 0, 0];
  }
  return at === count && shift === 0 ? inside : null;
}

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    // Characters of another alphabet describe no voxel.
    return "";
  }
}

/** Cuts the grid to the smallest box of whole voxels that holds the body. */
export function cropToBody({ info, inside }: JawBody): JawBody {
  const { columns, rows, slices } = info;
  const least: Triple = [columns, rows, slices];
  const most: Triple = [-1, -1, -1];
  for (let at = 0; at < inside.length; at++) {
    if (inside[at] === 0) continue;
    const place = [at % columns, Math.floor(at / columns) % rows, Math.floor(at / (columns * rows))];
    for (let axis = 0; axis < 3; axis++) {
      least[axis] = Math.min(least[axis], place[axis]);
      most[axis] = Math.max(most[axis], place[axis]);
    }
  }
  if (most[0] < 0) return { info: { ...info, columns: 0, rows: 0, slices: 0 }, inside: new Uint8Array() };
  return takeBox({ info, inside }, least, most);
}

type Triple = [number, number, number];

function takeBox({ info, inside }: JawBody, least: Vector, most: Vector): JawBody {
  const { spacing, direction } = info;
  const [columns, rows, slices] = [0, 1, 2].map((axis) => most[axis] - least[axis] + 1);
  const along = (axis: number): number =>
    [0, 1, 2].reduce((sum, way) => sum + least[way] * spacing[way] * direction[3 * way + axis], info.origin[axis]);
  const origin: Triple = [along(0), along(1), along(2)];
  const cut = new Uint8Array(columns * rows * slices);
  for (let slice = 0; slice < slices; slice++)
    for (let row = 0; row < rows; row++) {
      const from = least[0] + info.columns * (least[1] + row + info.rows * (least[2] + slice));
      cut.set(inside.subarray(from, from + columns), columns * (row + rows * slice));
    }
  return { info: { ...info, columns, rows, slices, origin }, inside: cut };
}

/** True if a patient point lies in the body; a point outside of its box is outside. */
export function isInBody({ info, inside }: JawBody, point: Vector): boolean {
  const voxel = findVoxel(info, point);
  return voxel !== null && inside[voxel[0] + info.columns * (voxel[1] + info.rows * voxel[2])] === 1;
}
