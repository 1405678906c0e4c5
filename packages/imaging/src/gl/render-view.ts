import { graphics } from "./graphics.ts";
import { quadProgram, type QuadProgram } from "./program.ts";
import { renderMeshes, type PlacedMesh, type RenderMeshes } from "./render-meshes.ts";
import { renderShader } from "./render-shader.ts";
import { renderTarget, type RenderTarget } from "./render-target.ts";
import { tones, type Tones } from "./tone.ts";
import type { PanePlace, VolumeLook, VolumeView } from "./volume-painter.ts";
import type { VolumeTextures } from "./volume-textures.ts";
import type { RenderRays } from "../view/render-rays.ts";
import type { ModelCamera } from "../view/model-camera.ts";
import type { Size } from "../view/picture-view.ts";

export const renderModes = ["matter", "max", "radiograph"] as const;
export type RenderMode = (typeof renderModes)[number];
type Colour = readonly [red: number, green: number, blue: number];

/** How matter is told from what lies around it, in grey values as stored. */
export interface RenderLook {
  mode: RenderMode;
  /** Below the first nothing is seen, from the second on all of it. */
  ramp: readonly [low: number, high: number];
  /** 0 to 1. */
  opacity: number;
  colours: readonly [low: Colour, high: Colour];
}

/** A volume from outside, with surfaces among it. */
export interface RenderShown {
  kind: "render";
  /** Each of several panes is drawn on its own. */
  name: string;
  rays: RenderRays;
  camera: ModelCamera;
  pane: Size;
  look: RenderLook;
  /** Without it only the surfaces are drawn. */
  hasMatter: boolean;
  meshes: readonly PlacedMesh[];
  /** mm between two samples of the volume and of its preview. */
  steps: { full: number; preview: number };
}

/** ms that one piece of work may take: the page stays free to answer in between. */
const pieceMs = 24;
/** However slow the machine: the coarse picture's share of the side, and in how many pieces the fine one is done. */
const leastPart = 0.2;
const mostPieces = 24;
/** The longer side on graphics without a processor of their own, in pixels. */
const softwareSide = 420;

/**
 * Draws in pieces: at once a coarse picture that takes one piece of time, then the fine one line by line, as long as
 * nothing changes. `paint` answers true while there is more to draw.
 */
export const renderView: VolumeView<RenderShown> = (gl, textures, offset) => {
  const quad = quadProgram(gl, renderShader);
  const feeding: Feeding = { gl, quad, textures, offset, tone: tones(gl, quad, 3) };
  const clock = pieceClock(gl);
  const isTurnOf = turns(clock);
  const rooms = new Map<string, Room>();
  const begin = (room: Room, shown: RenderShown, look: VolumeLook, { width, height }: Size) => {
    const { coarse, meshes } = room;
    const part = Math.min(1, Math.max(leastPart, Math.sqrt(clock.pixelsIn(pieceMs) / (width * height))));
    coarse.resize(Math.ceil(width * part), Math.ceil(height * part));
    drawPiece(feeding, meshes, coarse, shown, look, { from: 0, to: coarse.height(), stepFactor: part < 1 ? 2 : 1 });
    clock.start(coarse.width() * coarse.height());
    room.line = part === 1 ? height : 0;
    room.isFine = false;
  };
  const goOn = (room: Room, shown: RenderShown, look: VolumeLook, { width, height }: Size) => {
    const { coarse, fine, meshes } = room;
    if (room.line === 0) {
      fine.resize(width, height);
      coarse.copyTo(fine.frame(), { left: 0, bottom: 0, width, height });
    }
    const piece = Math.max(height / mostPieces, clock.pixelsIn(pieceMs) / width);
    const lines = Math.min(height - room.line, Math.ceil(piece));
    drawPiece(feeding, meshes, fine, shown, look, { from: room.line, to: room.line + lines, stepFactor: 1 });
    clock.start(lines * width);
    room.line += lines;
    room.isFine = true;
  };
  return {
    paint: (shown, look, place) => {
      const size = sizeFor(place);
      const key = JSON.stringify([shown, look.window, look.inverted, textures.isWhole(), textures.hasPreview(), size]);
      const room = rooms.get(shown.name) ?? makeRoom(gl);
      rooms.set(shown.name, room);
      if ((room.key !== key || room.line < size.height) && isTurnOf(shown.name)) {
        if (room.key !== key) begin(room, shown, look, size);
        else goOn(room, shown, look, size);
        room.key = key;
      }
      (room.isFine ? room.fine : room.coarse).copyTo(null, bottomUp(gl, place));
      return room.key !== key || room.line < size.height;
    },
    dispose: () => {
      clock.stop();
      feeding.tone.dispose();
      for (const { meshes, coarse, fine } of rooms.values()) for (const part of [meshes, coarse, fine]) part.dispose();
      gl.deleteProgram(quad.program);
    },
  };
};

/** Several panes are drawn in turn: one that could not go on because of another comes next. */
function turns(clock: ReturnType<typeof pieceClock>): (name: string) => boolean {
  let [waiting, last]: (string | null)[] = [null, null];
  return (name) => {
    const isFree = clock.isFree();
    if (!isFree && name !== last) waiting = name;
    if (!isFree) return false;
    const isNext = waiting === null || waiting === name;
    waiting = null;
    if (isNext) last = name;
    return isNext;
  };
}

/** What has been drawn of one pane. */
interface Room {
  key: string;
  /** Lines of the fine picture that are done. */
  line: number;
  isFine: boolean;
  meshes: RenderMeshes;
  coarse: RenderTarget;
  fine: RenderTarget;
}

const makeRoom = (gl: WebGL2RenderingContext): Room => ({
  key: "",
  line: 0,
  isFine: false,
  meshes: renderMeshes(gl),
  coarse: renderTarget(gl),
  fine: renderTarget(gl),
});

function sizeFor({ width, height }: PanePlace): Size {
  const most = graphics().kind === "software" ? softwareSide : 1600;
  const part = Math.min(1, most / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * part)), height: Math.max(1, Math.round(height * part)) };
}

const bottomUp = (gl: WebGL2RenderingContext, { left, top, width, height }: PanePlace) => ({
  left,
  bottom: gl.drawingBufferHeight - top - height,
  width,
  height,
});

interface Feeding {
  gl: WebGL2RenderingContext;
  quad: QuadProgram;
  textures: VolumeTextures;
  offset: number;
  tone: Tones;
}

function drawPiece(
  feeding: Feeding,
  meshes: RenderMeshes,
  target: RenderTarget,
  shown: RenderShown,
  look: VolumeLook,
  { from, to, stepFactor }: { from: number; to: number; stepFactor: number },
): void {
  const { gl, quad } = feeding;
  const [width, height] = [target.width(), target.height()];
  const hasMeshes = shown.meshes.length > 0;
  if (hasMeshes && from === 0) meshes.paint(shown.meshes, shown.camera, shown.pane, width, height);
  gl.bindFramebuffer(gl.FRAMEBUFFER, target.frame());
  gl.viewport(0, 0, width, height);
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(0, height - to, width, to - from);
  gl.useProgram(quad.program);
  feed(feeding, shown, look, stepFactor);
  bindMesh(feeding, "u_meshColour", 4, hasMeshes ? meshes.colour() : null);
  bindMesh(feeding, "u_meshDepth", 5, hasMeshes ? meshes.depth() : null);
  gl.uniform1i(quad.at("u_hasMeshes"), hasMeshes ? 1 : 0);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
}

function bindMesh({ gl, quad }: Feeding, name: string, unit: number, texture: WebGLTexture | null): void {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.uniform1i(quad.at(name), unit);
}

function feed(
  { gl, quad, textures, offset, tone }: Feeding,
  { rays, look: render, hasMatter, steps }: RenderShown,
  look: VolumeLook,
  stepFactor: number,
): void {
  const { at } = quad;
  textures.bind(quad);
  tone.set(look, offset);
  const isWhole = textures.isWhole();
  const canSee = isWhole || (textures.hasPreview() && rays.preview !== null);
  for (const name of ["at", "across", "down", "away"] as const) gl.uniform3f(at(`u_${name}`), ...rays.texture[name]);
  for (const name of ["low", "high", "extent", "right", "up", "eye"] as const)
    gl.uniform3f(at(`u_${name}`), ...rays[name]);
  gl.uniform4f(at("u_cut"), ...(rays.cut ?? ([0, 0, 0, -1] as const)));
  gl.uniform3f(at("u_previewScale"), ...(rays.preview?.scale ?? ([1, 1, 1] as const)));
  gl.uniform3f(at("u_previewShift"), ...(rays.preview?.shift ?? ([0, 0, 0] as const)));
  gl.uniform1i(at("u_whole"), isWhole ? 1 : 0);
  gl.uniform1i(at("u_hasMatter"), hasMatter && canSee ? 1 : 0);
  gl.uniform1i(at("u_mode"), renderModes.indexOf(render.mode));
  gl.uniform1f(at("u_step"), stepFactor * (isWhole ? steps.full : steps.preview));
  gl.uniform1f(at("u_opacity"), render.opacity);
  gl.uniform1f(at("u_density"), 0.12 * render.opacity);
  gl.uniform2f(at("u_ramp"), render.ramp[0] - offset, render.ramp[1] - offset);
  gl.uniform3f(at("u_lowColour"), ...render.colours[0]);
  gl.uniform3f(at("u_highColour"), ...render.colours[1]);
}

/** How long pieces take: learnt from fences, which tell without waiting when the graphics have come so far. */
function pieceClock(gl: WebGL2RenderingContext) {
  let fence: WebGLSync | null = null;
  let started = 0;
  let pixels = 0;
  let perPixel = graphics().kind === "software" ? 1e-3 : 1e-4;
  return {
    pixelsIn: (ms: number) => ms / perPixel,
    start: (count: number) => {
      fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
      [started, pixels] = [performance.now(), count];
      gl.flush();
    },
    isFree: () => {
      if (!fence) return true;
      if (gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) return false;
      gl.deleteSync(fence);
      fence = null;
      const took = (performance.now() - started) / pixels;
      // A page that is busy with something else hears late of what was done: slowness is believed slowly.
      const weight = took > perPixel ? 0.2 : 0.6;
      perPixel = Math.min(0.05, Math.max(1e-6, (1 - weight) * perPixel + weight * took));
      return true;
    },
    stop: () => gl.deleteSync(fence),
  };
}
