import type { Window } from "@arcada/imaging/picture/window";
import type { PaneTexture } from "../geometry/plane.ts";
import type { Vector } from "../geometry/vector.ts";
import { halfTable } from "./half.ts";
import { quadProgram } from "./program.ts";
import { tones } from "./tone.ts";
import { planeShader } from "./volume-shader.ts";

export type SlabMode = "max" | "mean";

/** One pane of the canvas: its place in device pixels from the top left, and where it looks in both textures. */
export interface PaintedPane {
  left: number;
  top: number;
  width: number;
  height: number;
  full: PaneTexture;
  preview: PaneTexture | null;
}

export interface VolumeLook {
  window: Window;
  inverted: boolean;
  /** mm; 0 is a single plane. */
  slab: number;
  slabMode: SlabMode;
  /** mm between two samples of a slab. */
  sample: number;
}

/** Draws planes of a volume. Values are kept as half floats of (grey value − offset): good for the eye, not for measuring. */
export interface VolumePainter {
  setPreview: (size: Vector, values: Int16Array) => void;
  /** Half floats of texture slices from `first` on. */
  putSlices: (first: number, count: number, halves: Uint16Array<ArrayBuffer>) => void;
  paint: (pane: PaintedPane, look: VolumeLook) => void;
  resize: (width: number, height: number) => void;
  dispose: () => void;
}

/** Opens WebGL 2 on the canvas; null where it is absent or the volume has more slices than a texture can hold. */
export function volumePainter(canvas: HTMLCanvasElement, size: Vector, offset: number): VolumePainter | null {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, alpha: true, preserveDrawingBuffer: true });
  if (!gl || Math.max(...size) > Number(gl.getParameter(gl.MAX_3D_TEXTURE_SIZE))) return null;
  const quad = quadProgram(gl, planeShader);
  const tone = tones(gl, quad, 3);
  const covered = new Uint8Array(size[2]);
  const cover = coverTexture(gl, covered);
  // A sampler that is not fed reads black but must have a texture of its own type bound.
  const empty = volumeTexture(gl, [1, 1, 1], new Uint16Array(1));
  let full: WebGLTexture | null = null;
  let preview: WebGLTexture | null = null;
  return {
    setPreview: (previewSize, values) => {
      gl.deleteTexture(preview);
      const table = halfTable(offset);
      preview = volumeTexture(
        gl,
        previewSize,
        Uint16Array.from(values, (value) => table[value & 0xffff] ?? 0),
      );
    },
    putSlices: (first, count, halves) => {
      // Made with the first slices: the preview is on the screen before this memory is taken.
      full ??= largeTexture(gl, size);
      gl.bindTexture(gl.TEXTURE_3D, full);
      gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
      gl.texSubImage3D(gl.TEXTURE_3D, 0, 0, 0, first, size[0], size[1], count, gl.RED, gl.HALF_FLOAT, halves);
      covered.fill(255, first, first + count);
      gl.bindTexture(gl.TEXTURE_2D, cover);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, covered.length, 1, gl.RED, gl.UNSIGNED_BYTE, covered);
    },
    resize: (width, height) => {
      if (canvas.width !== width) canvas.width = width;
      if (canvas.height !== height) canvas.height = height;
    },
    paint: (pane, look) => {
      const bottom = canvas.height - pane.top - pane.height;
      gl.viewport(pane.left, bottom, pane.width, pane.height);
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(pane.left, bottom, pane.width, pane.height);
      gl.useProgram(quad.program);
      bind(gl, quad.at("u_full"), 0, gl.TEXTURE_3D, full ?? empty);
      bind(gl, quad.at("u_preview"), 1, gl.TEXTURE_3D, preview ?? empty);
      bind(gl, quad.at("u_cover"), 2, gl.TEXTURE_2D, cover);
      gl.uniform1i(quad.at("u_hasPreview"), preview && pane.preview ? 1 : 0);
      setPane(gl, quad.at, "full", pane.full);
      setPane(gl, quad.at, "preview", pane.preview ?? pane.full);
      tone.set(look, offset);
      setLook(gl, quad.at, look);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    },
    dispose: () => {
      tone.dispose();
      for (const texture of [full, preview, cover, empty]) gl.deleteTexture(texture);
      gl.deleteProgram(quad.program);
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}

type Uniform = (name: string) => WebGLUniformLocation | null;

function setPane(gl: WebGL2RenderingContext, at: Uniform, name: "full" | "preview", texture: PaneTexture): void {
  gl.uniform3f(at(`u_${name}At`), ...texture.at);
  gl.uniform3f(at(`u_${name}Across`), ...texture.across);
  gl.uniform3f(at(`u_${name}Down`), ...texture.down);
  gl.uniform3f(at(`u_${name}Away`), ...texture.away);
}

const mostSamples = 96;

function setLook(gl: WebGL2RenderingContext, at: Uniform, look: VolumeLook): void {
  const samples = Math.min(mostSamples, Math.max(1, Math.round(look.slab / look.sample) + 1));
  gl.uniform1i(at("u_samples"), samples);
  gl.uniform1f(at("u_sample"), samples > 1 ? look.slab / (samples - 1) : 0);
  gl.uniform1i(at("u_mean"), look.slabMode === "mean" ? 1 : 0);
}

function bind(
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

function volumeTexture(
  gl: WebGL2RenderingContext,
  [width, height, depth]: Vector,
  halves: Uint16Array | null,
): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_3D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texStorage3D(gl.TEXTURE_3D, 1, gl.R16F, width, height, depth);
  if (halves) gl.texSubImage3D(gl.TEXTURE_3D, 0, 0, 0, 0, width, height, depth, gl.RED, gl.HALF_FLOAT, halves);
  settings(gl, gl.TEXTURE_3D, gl.LINEAR);
  return texture;
}

/** Throws RangeError where the graphics processor has no memory for it. */
function largeTexture(gl: WebGL2RenderingContext, size: Vector): WebGLTexture {
  while (gl.getError() !== gl.NO_ERROR);
  const texture = volumeTexture(gl, size, null);
  if (gl.getError() === gl.OUT_OF_MEMORY) throw new RangeError("the graphics processor has no room for the volume");
  return texture;
}

function coverTexture(gl: WebGL2RenderingContext, covered: Uint8Array): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, covered.length, 1, 0, gl.RED, gl.UNSIGNED_BYTE, covered);
  settings(gl, gl.TEXTURE_2D, gl.NEAREST);
  return texture;
}

function settings(gl: WebGL2RenderingContext, target: number, filter: number): void {
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, filter);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, filter);
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T, gl.TEXTURE_WRAP_R])
    gl.texParameteri(target, side, gl.CLAMP_TO_EDGE);
}
