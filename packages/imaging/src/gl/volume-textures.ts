import type { Vector } from "../geometry/vector.ts";
import type { BrickTextures } from "./bricks/brick-textures.ts";
import { createHalfFloatTable, toHalfFloats } from "./half-float.ts";
import type { QuadProgram } from "./shader-program.ts";

/** The arrived data of a volume on the graphics processor, shared by all its views. */
export interface VolumeTextures {
  setPreview: (size: Vector, values: Int16Array) => void;
  /** Half floats of texture slices from `first` on. */
  putSlices: (first: number, count: number, halves: Uint16Array<ArrayBuffer>) => void;
  /** Half floats of one slice of the volume as it was taken, where the textures are coarser. */
  setSharp: (columns: number, rows: number, halves: Uint16Array<ArrayBuffer>) => void;
  /** Feeds a program that samples `u_sharp`; unit 4 is taken. */
  bindSharp: (quad: QuadProgram, isShown: boolean) => void;
  /** The shown parts of the volume as it was taken, where the textures are coarser; else null. */
  bricks: BrickTextures | null;
  hasPreview: () => boolean;
  /** Returns true if all slices have arrived. */
  isWhole: () => boolean;
  /** Feeds a program with `volumeSamplerShader` in it; units 0 to 2 are taken. */
  bind: (quad: QuadProgram) => void;
  dispose: () => void;
}

/**
 * `full(at)`: `isCovered(at.z)` indicates whether the lossless slices around a point have arrived; 0 to 1 from voxel
 * edge to voxel edge.
 */
export const volumeSamplerShader = `
uniform sampler3D u_full, u_preview;
uniform sampler2D u_cover;
uniform bool u_hasPreview, u_isWhole;
bool isCovered(float z) {
  if (u_isWhole) return true;
  int slices = textureSize(u_cover, 0).x;
  int low = int(floor(z * float(slices) - 0.5));
  ivec2 first = ivec2(clamp(low, 0, slices - 1), 0), second = ivec2(clamp(low + 1, 0, slices - 1), 0);
  return texelFetch(u_cover, first, 0).r > 0.5 && texelFetch(u_cover, second, 0).r > 0.5;
}
`;

/** Values are kept as half floats of (grey value − offset): good for the eye, not for measuring. */
export function createVolumeTextures(
  gl: WebGL2RenderingContext,
  size: Vector,
  offset: number,
  bricks: BrickTextures | null,
): VolumeTextures {
  const covered = new Uint8Array(size[2]);
  const cover = createCoverTexture(gl, covered);
  // A sampler without data reads black but must have a texture of its own type bound.
  const empty = createVolumeTexture(gl, [1, 1, 1], new Uint16Array(1));
  let full: WebGLTexture | null = null;
  let preview: WebGLTexture | null = null;
  let sharp: WebGLTexture | null = null;
  let missingCount = size[2];
  const isWhole = () => missingCount === 0;
  return {
    setPreview: (previewSize, values) => {
      gl.deleteTexture(preview);
      preview = createVolumeTexture(gl, previewSize, toHalfFloats(values, createHalfFloatTable(offset)));
    },
    putSlices: (first, count, halves) => {
      // Made with the first slices: the preview is on the screen before this memory is taken.
      full ??= createLargeTexture(gl, size);
      gl.bindTexture(gl.TEXTURE_3D, full);
      gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
      gl.texSubImage3D(gl.TEXTURE_3D, 0, 0, 0, first, size[0], size[1], count, gl.RED, gl.HALF_FLOAT, halves);
      for (let at = first; at < first + count; at++) if (!covered[at]) missingCount--;
      covered.fill(255, first, first + count);
      gl.bindTexture(gl.TEXTURE_2D, cover);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, covered.length, 1, gl.RED, gl.UNSIGNED_BYTE, covered);
    },
    setSharp: (columns, rows, halves) => {
      gl.deleteTexture(sharp);
      sharp = createSliceTexture(gl, columns, rows, halves);
    },
    bindSharp: ({ at }, isShown) => {
      sharp ??= createSliceTexture(gl, 1, 1, new Uint16Array(1));
      bindTexture(gl, at("u_sharp"), 4, gl.TEXTURE_2D, sharp);
      gl.uniform1i(at("u_hasSharp"), isShown ? 1 : 0);
    },
    bricks,
    hasPreview: () => preview !== null,
    isWhole,
    bind: ({ at }) => {
      bindTexture(gl, at("u_full"), 0, gl.TEXTURE_3D, full ?? empty);
      bindTexture(gl, at("u_preview"), 1, gl.TEXTURE_3D, preview ?? empty);
      bindTexture(gl, at("u_cover"), 2, gl.TEXTURE_2D, cover);
      gl.uniform1i(at("u_hasPreview"), preview ? 1 : 0);
      gl.uniform1i(at("u_isWhole"), isWhole() ? 1 : 0);
    },
    dispose: () => {
      bricks?.dispose();
      for (const texture of [full, preview, sharp, cover, empty]) gl.deleteTexture(texture);
    },
  };
}

function bindTexture(
  gl: WebGL2RenderingContext,
  at: WebGLUniformLocation | null,
  unit: number,
  target: number,
  texture: WebGLTexture,
): void {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(target, texture);
  gl.uniform1i(at, unit);
}

function createVolumeTexture(
  gl: WebGL2RenderingContext,
  [width, height, depth]: Vector,
  halves: Uint16Array | null,
): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_3D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texStorage3D(gl.TEXTURE_3D, 1, gl.R16F, width, height, depth);
  if (halves) gl.texSubImage3D(gl.TEXTURE_3D, 0, 0, 0, 0, width, height, depth, gl.RED, gl.HALF_FLOAT, halves);
  setTextureParameters(gl, gl.TEXTURE_3D, gl.LINEAR);
  return texture;
}

/** Throws RangeError where the graphics processor has no memory for it. */
function createLargeTexture(gl: WebGL2RenderingContext, size: Vector): WebGLTexture {
  while (gl.getError() !== gl.NO_ERROR);
  const texture = createVolumeTexture(gl, size, null);
  if (gl.getError() !== gl.OUT_OF_MEMORY) return texture;
  gl.deleteTexture(texture);
  throw new RangeError("the graphics processor has no room for the volume");
}

function createSliceTexture(
  gl: WebGL2RenderingContext,
  columns: number,
  rows: number,
  halves: Uint16Array<ArrayBuffer>,
): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16F, columns, rows, 0, gl.RED, gl.HALF_FLOAT, halves);
  setTextureParameters(gl, gl.TEXTURE_2D, gl.LINEAR);
  return texture;
}

function createCoverTexture(gl: WebGL2RenderingContext, covered: Uint8Array): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, covered.length, 1, 0, gl.RED, gl.UNSIGNED_BYTE, covered);
  setTextureParameters(gl, gl.TEXTURE_2D, gl.NEAREST);
  return texture;
}

function setTextureParameters(gl: WebGL2RenderingContext, target: number, filter: number): void {
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, filter);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, filter);
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R])
    gl.texParameteri(target, side, gl.CLAMP_TO_EDGE);
}
