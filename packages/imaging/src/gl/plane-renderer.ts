import type { ViewportTexture } from "../view/plane.ts";
import { createQuadProgram } from "./shader-program.ts";
import { countSlabSamples, setSlabUniforms } from "./slab-shader.ts";
import { createToneUniforms } from "./tone-shader.ts";
import { planeShader } from "./plane-shader.ts";
import type { CreateContentRenderer } from "./content-renderer.ts";

/** A plane or slab: its place in both textures. */
export interface PlaneContent {
  kind: "plane";
  full: ViewportTexture;
  preview: ViewportTexture | null;
  /** The renderer's sharp slice instead, if it is visible in this viewport; its number identifies it. */
  sharp?: { slice: number; place: ViewportTexture } | null;
}

export const createPlaneRenderer: CreateContentRenderer<PlaneContent> = (gl, textures, offset) => {
  const quad = createQuadProgram(gl, planeShader);
  const toneUniforms = createToneUniforms(gl, quad, 3);
  return {
    render: (content, displaySettings, { isRough }) => {
      gl.useProgram(quad.program);
      textures.bind(quad);
      if (!content.preview) gl.uniform1i(quad.at("u_hasPreview"), 0);
      setTextureUniforms(gl, quad.at, "full", content.full);
      setTextureUniforms(gl, quad.at, "preview", content.preview ?? content.full);
      textures.bindSharp(quad, content.sharp != null);
      setTextureUniforms(gl, quad.at, "sharp", content.sharp?.place ?? content.full);
      toneUniforms.set(displaySettings, offset);
      setSlabUniforms(gl, quad.at, displaySettings, isRough);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    },
    countSamples: (_shown, displaySettings) => countSlabSamples(displaySettings),
    getContentVersion: String,
    dispose: () => {
      toneUniforms.dispose();
      gl.deleteProgram(quad.program);
    },
  };
};

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
