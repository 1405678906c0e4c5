import { aim, type Frame } from "./frame.ts";
import { graphics } from "./graphics.ts";
import { quadProgram, type QuadProgram } from "./program.ts";
import { renderMeshes, type PlacedMesh, type RenderMeshes } from "./render-meshes.ts";
import { renderShader } from "./render-shader.ts";
import { tones, type Tones } from "./tone.ts";
import type { PanePlace, VolumeLook, VolumeView } from "./volume-painter.ts";
import type { VolumeTextures } from "./volume-textures.ts";
import type { RenderRays } from "../view/render-rays.ts";
import type { ModelCamera } from "../view/model-camera.ts";
import type { Size } from "../view/picture-view.ts";

export const renderModes = ["matter", "max", "radiograph"] as const;
export type RenderMode = (typeof renderModes)[number];
type Colour = readonly [red: number, green: number, blue: number];

/** Display settings that separate matter from its surroundings, in grey values as stored. */
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
  /** Each of several viewports is drawn separately. */
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

/** The longer side on graphics without a processor of their own, and on any, in pixels. */
const softwareSide = 420;
const largestSide = 1600;

/** Renders the rays of a volume and the meshes among them. */
export const renderView: VolumeView<RenderShown> = (gl, textures, offset) => {
  const quad = quadProgram(gl, renderShader);
  const feeding: Feeding = { gl, quad, textures, offset, tone: tones(gl, quad, 3) };
  const meshes = new Map<string, RenderMeshes>();
  const meshesOf = (name: string): RenderMeshes => {
    const known = meshes.get(name) ?? renderMeshes(gl);
    meshes.set(name, known);
    return known;
  };
  return {
    paint: (shown, look, frame) => drawPiece(feeding, meshesOf(shown.name), shown, look, frame),
    samples: () => raySamples,
    // Slices that arrive one by one would restart the image each time.
    news: () => `${textures.isWhole()} ${textures.hasPreview()}`,
    sizeIn: sizeFor,
    dispose: () => {
      feeding.tone.dispose();
      for (const each of meshes.values()) each.dispose();
      gl.deleteProgram(quad.program);
    },
  };
};

/**
 * The density of fully visible matter, for each mm: a jaw's bone, some 50 mm in all, leaves its teeth distinguishable.
 */
const density = 0.04;

/** About how many samples of a plane a ray takes as long as. */
const raySamples = 60;

function sizeFor({ width, height }: PanePlace): Size {
  const most = graphics().kind === "software" ? softwareSide : largestSide;
  const part = Math.min(1, most / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * part)), height: Math.max(1, Math.round(height * part)) };
}

interface Feeding {
  gl: WebGL2RenderingContext;
  quad: QuadProgram;
  textures: VolumeTextures;
  offset: number;
  tone: Tones;
}

function drawPiece(feeding: Feeding, meshes: RenderMeshes, shown: RenderShown, look: VolumeLook, frame: Frame): void {
  const { gl, quad } = feeding;
  const hasMeshes = shown.meshes.length > 0;
  if (hasMeshes && frame.from === 0) {
    meshes.paint(shown.meshes, shown.camera, shown.pane, frame.width, frame.height);
    aim(gl, frame);
  }
  gl.useProgram(quad.program);
  feed(feeding, shown, look, frame.isRough ? 2 : 1);
  bindMesh(feeding, "u_meshColour", 4, hasMeshes ? meshes.colour() : null);
  bindMesh(feeding, "u_meshDepth", 5, hasMeshes ? meshes.depth() : null);
  gl.uniform1i(quad.at("u_hasMeshes"), hasMeshes ? 1 : 0);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
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
  gl.uniform1f(at("u_density"), density * render.opacity);
  gl.uniform2f(at("u_ramp"), render.ramp[0] - offset, render.ramp[1] - offset);
  gl.uniform3f(at("u_lowColour"), ...render.colours[0]);
  gl.uniform3f(at("u_highColour"), ...render.colours[1]);
}
