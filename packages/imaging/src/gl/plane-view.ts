import type { PaneTexture } from "../view/plane.ts";
import { quadProgram } from "./program.ts";
import { samplesOf, setSlab } from "./slab.ts";
import { tones } from "./tone.ts";
import type { VolumeView } from "./volume-painter.ts";
import { planeShader } from "./volume-shader.ts";

/** A plane or slab: its place in both textures. */
export interface PlaneShown {
  kind: "plane";
  full: PaneTexture;
  preview: PaneTexture | null;
  /** The renderer's sharp slice instead, if it is visible in this viewport; its number identifies it. */
  sharp?: { slice: number; place: PaneTexture } | null;
}

export const planeView: VolumeView<PlaneShown> = (gl, textures, offset) => {
  const quad = quadProgram(gl, planeShader);
  const tone = tones(gl, quad, 3);
  return {
    paint: (shown, look, { isRough }) => {
      gl.useProgram(quad.program);
      textures.bind(quad);
      if (!shown.preview) gl.uniform1i(quad.at("u_hasPreview"), 0);
      setPane(gl, quad.at, "full", shown.full);
      setPane(gl, quad.at, "preview", shown.preview ?? shown.full);
      textures.bindSharp(quad, shown.sharp != null);
      setPane(gl, quad.at, "sharp", shown.sharp?.place ?? shown.full);
      tone.set(look, offset);
      setSlab(gl, quad.at, look, isRough);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    },
    samples: (_shown, look) => samplesOf(look),
    news: String,
    dispose: () => {
      tone.dispose();
      gl.deleteProgram(quad.program);
    },
  };
};

type Uniform = (name: string) => WebGLUniformLocation | null;

function setPane(
  gl: WebGL2RenderingContext,
  at: Uniform,
  name: "full" | "preview" | "sharp",
  texture: PaneTexture,
): void {
  gl.uniform3f(at(`u_${name}At`), ...texture.at);
  gl.uniform3f(at(`u_${name}Across`), ...texture.across);
  gl.uniform3f(at(`u_${name}Down`), ...texture.down);
  gl.uniform3f(at(`u_${name}Away`), ...texture.away);
}
