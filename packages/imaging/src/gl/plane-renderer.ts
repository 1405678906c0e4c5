import type { ViewportTexture } from "../view/plane-view.ts";
import { brickSamplerShader, wholeSamplerShader } from "./bricks/brick-textures.ts";
import { createQuadProgram } from "./shader-program.ts";
import { countSlabSamples, setSlabUniforms, slabShaderHead, slabShaderMain } from "./slab-shader.ts";
import { createToneUniforms } from "./tone-shader.ts";
import type { CreateContentRenderer } from "./volume-viewport-renderer.ts";

/** A plane or slab: its place in both textures. */
export interface PlaneContent {
  kind: "plane";
  full: ViewportTexture;
  preview: ViewportTexture | null;
  /** The renderer's sharp slice instead, if it is visible in this viewport; its number identifies it. */
  sharp?: { slice: number; place: ViewportTexture } | null;
}

export const createPlaneRenderer: CreateContentRenderer<PlaneContent> = (gl, textures, offset) => {
  const quad = createQuadProgram(gl, createPlaneShader(textures.bricks ? brickSamplerShader : wholeSamplerShader));
  const toneUniforms = createToneUniforms(gl, quad, 3);
  return {
    render: (content, displaySettings, { isRough }) => {
      gl.useProgram(quad.program);
      textures.bind(quad);
      if (!content.preview) gl.uniform1i(quad.at("u_hasPreview"), 0);
      setTextureUniforms(gl, quad.at, "full", content.full);
      setTextureUniforms(gl, quad.at, "preview", content.preview ?? content.full);
      textures.bricks?.bind(quad);
      textures.bindSharp(quad, content.sharp != null);
      setTextureUniforms(gl, quad.at, "sharp", content.sharp?.place ?? content.full);
      toneUniforms.set(displaySettings, offset);
      setSlabUniforms(gl, quad.at, displaySettings, isRough);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    },
    countSamples: (_shown, displaySettings) => countSlabSamples(displaySettings),
    getContentVersion: String,
    requestBricks: (viewport, { full, sharp }, { slab }, version) => {
      if (!sharp && textures.bricks) return textures.bricks.show(viewport, full, slab / 2, version);
      textures.bricks?.hide(viewport);
      return "complete";
    },
    dispose: () => {
      toneUniforms.dispose();
      gl.deleteProgram(quad.program);
    },
  };
};

/**
 * A plane or slab through the volume. Where the slices around a sample have not arrived, the preview replaces them;
 * where neither has a value the viewport stays empty.
 */
const createPlaneShader = (fullSampler: string) => `${slabShaderHead}${fullSampler}
uniform vec3 u_fullAt, u_fullAcross, u_fullDown, u_fullAway;
uniform vec3 u_previewAt, u_previewAcross, u_previewDown, u_previewAway;
uniform vec3 u_sharpAt, u_sharpAcross, u_sharpDown, u_sharpAway;
uniform highp sampler2D u_sharp;
uniform bool u_hasSharp;

void begin() {}

vec2 valueAt(float depth) {
  if (u_hasSharp) {
    vec3 within = u_sharpAt + v_at.x * u_sharpAcross + v_at.y * u_sharpDown + depth * u_sharpAway;
    if (any(lessThan(within.xy, vec2(0.0))) || any(greaterThan(within.xy, vec2(1.0)))) return vec2(0.0);
    return vec2(texture(u_sharp, within.xy).r, 1.0);
  }
  vec3 at = u_fullAt + v_at.x * u_fullAcross + v_at.y * u_fullDown + depth * u_fullAway;
  if (!isInVolume(at)) return vec2(0.0);
  if (isCovered(at.z)) return vec2(fullAt(at), 1.0);
  if (!u_hasPreview) return vec2(0.0);
  return vec2(texture(u_preview, u_previewAt + v_at.x * u_previewAcross + v_at.y * u_previewDown + depth * u_previewAway).r, 1.0);
}
${slabShaderMain}`;

type FindUniform = (name: string) => WebGLUniformLocation | null;

function setTextureUniforms(
  gl: WebGL2RenderingContext,
  at: FindUniform,
  name: "full" | "preview" | "sharp",
  texture: ViewportTexture,
): void {
  gl.uniform3f(at(`u_${name}At`), ...texture.at);
  gl.uniform3f(at(`u_${name}Across`), ...texture.across);
  gl.uniform3f(at(`u_${name}Down`), ...texture.down);
  gl.uniform3f(at(`u_${name}Away`), ...texture.away);
}
