import { bindDrawRegion, type DrawRegion } from "./bind-framebuffer-area.ts";
import { getGraphicsCapabilities } from "./graphics-capabilities.ts";
import { createQuadProgram, type QuadProgram } from "./shader-program.ts";
import { createMeshRenderer, type PlacedMesh, type MeshRenderer } from "./mesh-in-volume-renderer.ts";
import { rayCastShader } from "./ray-cast-shader.ts";
import { createToneUniforms, type ToneUniforms } from "./tone-shader.ts";
import type { VolumeTextures } from "./volume-textures.ts";
import type { RenderRays } from "../view/camera-rays.ts";
import type { ModelCamera } from "../view/model-camera.ts";
import type { Size } from "../view/image-view.ts";
import type { ViewportArea, VolumeDisplaySettings, CreateContentRenderer } from "./volume-viewport-renderer.ts";

export const renderModes = ["matter", "max", "radiograph"] as const;
export type RenderMode = (typeof renderModes)[number];
type Colour = readonly [red: number, green: number, blue: number];

/** Display settings that separate matter from its surroundings, in grey values as stored. */
export interface RenderDisplaySettings {
  mode: RenderMode;
  /** Below the first nothing is seen, from the second on all of it. */
  ramp: readonly [low: number, high: number];
  /** 0 to 1. */
  opacity: number;
  colours: readonly [low: Colour, high: Colour];
}

/** A volume from outside, with surfaces among it. */
export interface RayCastContent {
  kind: "render";
  /** Each of several viewports is drawn separately. */
  name: string;
  rays: RenderRays;
  camera: ModelCamera;
  viewport: Size;
  displaySettings: RenderDisplaySettings;
  /** Without it only the surfaces are drawn. */
  hasMatter: boolean;
  meshes: readonly PlacedMesh[];
  /** mm between two samples of the volume and of its preview. */
  steps: { full: number; preview: number };
}

/** The longer side on graphics without a processor of their own, and on any, in pixels. */
const maxSoftwareSide = 420;
const maxSide = 1600;

/** Renders the rays of a volume and the meshes among them. */
export const createRayCastRenderer: CreateContentRenderer<RayCastContent> = (gl, textures, offset) => {
  const quad = createQuadProgram(gl, rayCastShader);
  const context: RayCastContext = { gl, quad, textures, offset, tone: createToneUniforms(gl, quad, 3) };
  const meshes = new Map<string, MeshRenderer>();
  const getMeshRenderer = (name: string): MeshRenderer => {
    const known = meshes.get(name) ?? createMeshRenderer(gl);
    meshes.set(name, known);
    return known;
  };
  return {
    render: (content, displaySettings, region) =>
      drawChunk(context, getMeshRenderer(content.name), content, displaySettings, region),
    countSamples: () => raySamples,
    // Slices that arrive one by one would restart the image each time.
    getContentVersion: () => `${textures.isWhole()} ${textures.hasPreview()}`,
    getRenderSize: getRenderSize,
    dispose: () => {
      context.tone.dispose();
      for (const each of meshes.values()) each.dispose();
      gl.deleteProgram(quad.program);
    },
  };
};

/**
 * The density of fully visible matter, for each mm: a jaw's bone, some 50 mm in all, leaves its teeth distinguishable.
 */
const matterDensity = 0.04;

/** The cost of a ray, in about as many samples of a plane. */
const raySamples = 60;

function getRenderSize({ width, height }: ViewportArea): Size {
  const most = getGraphicsCapabilities().kind === "software" ? maxSoftwareSide : maxSide;
  const part = Math.min(1, most / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * part)), height: Math.max(1, Math.round(height * part)) };
}

interface RayCastContext {
  gl: WebGL2RenderingContext;
  quad: QuadProgram;
  textures: VolumeTextures;
  offset: number;
  tone: ToneUniforms;
}

function drawChunk(
  context: RayCastContext,
  meshes: MeshRenderer,
  content: RayCastContent,
  displaySettings: VolumeDisplaySettings,
  region: DrawRegion,
): void {
  const { gl, quad } = context;
  const hasMeshes = content.meshes.length > 0;
  if (hasMeshes && region.from === 0) {
    meshes.render(content.meshes, content.camera, content.viewport, region.width, region.height);
    bindDrawRegion(gl, region);
  }
  gl.useProgram(quad.program);
  setUniforms(context, content, displaySettings, region.isRough ? 2 : 1);
  bindMeshTexture(context, "u_meshColour", 4, hasMeshes ? meshes.colour() : null);
  bindMeshTexture(context, "u_meshDepth", 5, hasMeshes ? meshes.depth() : null);
  gl.uniform1i(quad.at("u_hasMeshes"), hasMeshes ? 1 : 0);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
}

function bindMeshTexture({ gl, quad }: RayCastContext, name: string, unit: number, texture: WebGLTexture | null): void {
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.uniform1i(quad.at(name), unit);
}

function setUniforms(
  { gl, quad, textures, offset, tone }: RayCastContext,
  { rays, displaySettings: render, hasMatter, steps }: RayCastContent,
  displaySettings: VolumeDisplaySettings,
  stepFactor: number,
): void {
  const { at } = quad;
  textures.bind(quad);
  tone.set(displaySettings, offset);
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
  gl.uniform1f(at("u_density"), matterDensity * render.opacity);
  gl.uniform2f(at("u_ramp"), render.ramp[0] - offset, render.ramp[1] - offset);
  gl.uniform3f(at("u_lowColour"), ...render.colours[0]);
  gl.uniform3f(at("u_highColour"), ...render.colours[1]);
}
