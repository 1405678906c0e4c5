import type { Vector } from "../../geometry/vector.ts";
import type { ViewportTexture } from "../../view/plane-view.ts";
import { createHalfFloatTable } from "../half-float.ts";
import type { QuadProgram } from "../shader-program.ts";
import { BrickCache, type BrickState } from "./brick-cache.ts";
import {
  brickInnerSide,
  brickSide,
  brickVoxels,
  copyBrick,
  countBricks,
  createBrickGrid,
  getBrickPosition,
  getBrickSlices,
  listBricks,
} from "./brick-grid.ts";

/** A volume of which the graphics processor holds a coarser texture and those parts in full that are shown. */
export interface WholeVolume {
  /** Voxels along columns, rows and slices. */
  size: Vector;
  /** Voxels along each axis that are merged into one of the coarser texture. */
  factor: number;
  /** Bytes that the full parts may take on the graphics processor. */
  bytes: number;
  /** The values as stored, `[slice][row][column]`; null until slices `first` to `last` have arrived. */
  read: (first: number, last: number) => Int16Array | null;
}

/** The parts of a volume that are shown, at full resolution in one texture. */
export interface BrickTextures {
  /**
   * Names what a viewport shows: `place` in the coarser texture, and mm on either side of it. `version` counts the
   * arrivals of data.
   */
  show: (viewport: string, place: ViewportTexture, reach: number, version: number) => BrickState;
  /** States that a viewport shows none. */
  hide: (viewport: string) => void;
  /** Forgets what the viewports show. */
  forgetViewports: () => void;
  /** Uploads missing bricks for a few milliseconds. */
  upload: () => void;
  /** Feeds a program with `brickSamplerShader` in it; units 6 and 7 are taken. */
  bind: (quad: QuadProgram) => void;
  dispose: () => void;
}

/** A volume that its texture holds in full: see `brickSamplerShader`. */
export const wholeSamplerShader = `
bool isInVolume(vec3 at) { return all(greaterThanEqual(at, vec3(0.0))) && all(lessThanEqual(at, vec3(1.0))); }
float fullAt(vec3 at) { return texture(u_full, at).r; }
`;

/** `fullAt(at)`: the value at a point of the texture, from its brick or, while the brick is missing, from the texture. */
export const brickSamplerShader = `
uniform highp usampler3D u_bricks;
uniform sampler3D u_atlas;
// The volume's voxels, and voxels along each side of the coarser texture, which may reach beyond them.
uniform vec3 u_wholeSize, u_wholeScale;
bool isInVolume(vec3 at) {
  return all(greaterThanEqual(at, vec3(0.0))) && all(lessThanEqual(at * u_wholeScale, u_wholeSize));
}
float fullAt(vec3 at) {
  vec3 voxel = at * u_wholeScale;
  ivec3 brick = clamp(ivec3(voxel / ${brickInnerSide}.0), ivec3(0), textureSize(u_bricks, 0) - 1);
  uvec4 slot = texelFetch(u_bricks, brick, 0);
  if (slot.a == 0u) return textureLod(u_full, at, 0.0).r;
  vec3 within = voxel - vec3(brick * ${brickInnerSide}) + 1.0;
  return textureLod(u_atlas, (vec3(slot.xyz) * ${brickSide}.0 + within) / vec3(textureSize(u_atlas, 0)), 0.0).r;
}
`;

/** ms of one frame that uploads may take: the pointer is not held up. */
const uploadMs = 6;
const [atlasUnit, bricksUnit] = [6, 7];

/**
 * @param coarse voxels of the coarser texture along each axis
 * @param offset half floats hold (grey value − offset)
 */
export function createBrickTextures(
  gl: WebGL2RenderingContext,
  coarse: Vector,
  offset: number,
  whole: WholeVolume,
): BrickTextures {
  const grid = createBrickGrid(whole.size);
  const scale: Vector = [coarse[0] * whole.factor, coarse[1] * whole.factor, coarse[2] * whole.factor];
  const sides = layOutAtlas(
    countBricks(grid),
    Math.floor(whole.bytes / (2 * brickVoxels)),
    Math.floor(Number(gl.getParameter(gl.MAX_3D_TEXTURE_SIZE)) / brickSide),
  );
  const cache = new BrickCache(sides[0] * sides[1] * sides[2]);
  const table = createHalfFloatTable(offset);
  const halves = new Uint16Array(brickVoxels);
  // Slots of all bricks: columns, rows and slices of the slot, and 1 if there is one.
  const slots = new Uint8Array(4 * countBricks(grid));
  const slotTexture = createSlotTexture(gl, grid.counts, slots);
  const empty = createAtlas(gl, [1, 1, 1]);
  const shown = new Map<string, string>();
  let atlas: WebGLTexture | null = null;
  let fence: WebGLSync | null = null;

  const readBrick = (brick: number) => whole.read(...getBrickSlices(grid, brick));
  const isReady = (brick: number) => readBrick(brick) !== null;
  const uploadNext = (): boolean => {
    const placement = cache.placeNext(isReady);
    const values = placement && readBrick(placement.brick);
    if (!placement || !values) return false;
    const [x, y, z] = getBrickPosition({ size: [0, 0, 0], counts: sides }, placement.slot);
    copyBrick(grid, placement.brick, values, table, halves);
    gl.bindTexture(gl.TEXTURE_3D, atlas);
    gl.texSubImage3D(
      ...([gl.TEXTURE_3D, 0, x * brickSide, y * brickSide, z * brickSide, brickSide, brickSide, brickSide] as const),
      gl.RED,
      gl.HALF_FLOAT,
      halves,
    );
    if (placement.evicted !== null) slots[4 * placement.evicted + 3] = 0;
    slots.set([x, y, z, 1], 4 * placement.brick);
    return true;
  };
  return {
    show: (viewport, place, reach, version) => {
      const key = JSON.stringify([place, reach, version]);
      if (shown.get(viewport) !== key) cache.want(viewport, listBricks(grid, place, scale, reach));
      shown.set(viewport, key);
      return cache.getState(viewport);
    },
    hide: (viewport) => {
      if (shown.delete(viewport)) cache.want(viewport, []);
    },
    forgetViewports: () => {
      shown.clear();
      cache.forgetViewports();
    },
    upload: () => {
      if (![...shown.keys()].some((viewport) => cache.getState(viewport) === "uploading")) return;
      // Uploads that the graphics have not carried out pile up in memory.
      if (fence && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return;
      gl.deleteSync(fence);
      // Unit 0 belongs to the texture that is bound before each drawing.
      gl.activeTexture(gl.TEXTURE0);
      gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
      // Made with the first brick: the coarser texture is on the screen before this memory is taken.
      atlas ??= tryCreateAtlas(gl, sides);
      if (!atlas) return cache.close();
      const until = performance.now() + uploadMs;
      while (uploadNext()) if (performance.now() > until) break;
      uploadSlots(gl, slotTexture, grid.counts, slots);
      fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      gl.flush();
    },
    bind: ({ at }) => {
      gl.activeTexture(gl.TEXTURE0 + atlasUnit);
      gl.bindTexture(gl.TEXTURE_3D, atlas ?? empty);
      gl.uniform1i(at("u_atlas"), atlasUnit);
      gl.activeTexture(gl.TEXTURE0 + bricksUnit);
      gl.bindTexture(gl.TEXTURE_3D, slotTexture);
      gl.uniform1i(at("u_bricks"), bricksUnit);
      gl.uniform3f(at("u_wholeSize"), ...whole.size);
      gl.uniform3f(at("u_wholeScale"), ...scale);
    },
    dispose: () => {
      gl.deleteSync(fence);
      for (const texture of [atlas, slotTexture, empty]) gl.deleteTexture(texture);
    },
  };
}

/**
 * Returns the slots along each side of a texture for `count` bricks, or for as many as a box of at most `allowed` slots
 * can hold; of such boxes the smallest, and the one that is nearest to a cube.
 */
export function layOutAtlas(count: number, allowed: number, longestSide: number): Vector {
  let best: Vector = [1, 1, 0];
  for (let wide = 1; wide <= longestSide && wide ** 3 <= Math.max(1, allowed); wide++) {
    for (let high = wide; high <= longestSide && wide * high <= allowed; high++) {
      const most = Math.floor(allowed / (wide * high));
      const box: Vector = [wide, high, Math.min(longestSide, most, Math.ceil(count / (wide * high)))];
      if (compareAtlases(box, best, count) < 0) best = box;
    }
  }
  return best;
}

function compareAtlases(one: Vector, other: Vector, count: number): number {
  const [slots, otherSlots] = [one, other].map(([wide, high, deep]) => wide * high * deep);
  return (
    Math.min(count, otherSlots) - Math.min(count, slots) || slots - otherSlots || Math.max(...one) - Math.max(...other)
  );
}

/** Null where the graphics processor has no memory for it. */
function tryCreateAtlas(gl: WebGL2RenderingContext, sides: Vector): WebGLTexture | null {
  while (gl.getError() !== gl.NO_ERROR);
  const texture = createAtlas(gl, [sides[0] * brickSide, sides[1] * brickSide, sides[2] * brickSide]);
  if (gl.getError() === gl.NO_ERROR) return texture;
  gl.deleteTexture(texture);
  return null;
}

function createAtlas(gl: WebGL2RenderingContext, [width, height, depth]: Vector): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_3D, texture);
  gl.texStorage3D(gl.TEXTURE_3D, 1, gl.R16F, width, height, depth);
  setParameters(gl, gl.LINEAR);
  return texture;
}

function createSlotTexture(gl: WebGL2RenderingContext, counts: Vector, slots: Uint8Array<ArrayBuffer>): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_3D, texture);
  gl.texStorage3D(gl.TEXTURE_3D, 1, gl.RGBA8UI, ...counts);
  setParameters(gl, gl.NEAREST);
  uploadSlots(gl, texture, counts, slots);
  return texture;
}

function uploadSlots(
  gl: WebGL2RenderingContext,
  texture: WebGLTexture,
  counts: Vector,
  slots: Uint8Array<ArrayBuffer>,
): void {
  gl.bindTexture(gl.TEXTURE_3D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texSubImage3D(gl.TEXTURE_3D, 0, 0, 0, 0, ...counts, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE, slots);
}

function setParameters(gl: WebGL2RenderingContext, filter: number): void {
  gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_MIN_FILTER, filter);
  gl.texParameteri(gl.TEXTURE_3D, gl.TEXTURE_MAG_FILTER, filter);
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R])
    gl.texParameteri(gl.TEXTURE_3D, side, gl.CLAMP_TO_EDGE);
}
