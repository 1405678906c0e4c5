import type { QuadProgram } from "./shader-program.ts";
import { toneShader } from "./tone-shader.ts";
import { volumeSamplerShader } from "./volume-textures.ts";
import type { SlabMode, VolumeDisplaySettings } from "./volume-viewport-renderer.ts";

/** The beginning of every slab shader. `begin` and `valueAt` follow, and `slabShaderMain` ends it. */
export const slabShaderHead = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler3D;
in vec2 v_at;
out vec4 colour;
${volumeSamplerShader}
uniform float u_sample;
uniform int u_samples;
// 0: the largest value of a slab, 1: their mean, 2: the smallest.
uniform int u_mode;
${toneShader}`;

/**
 * After `begin()` for each pixel, gathers `valueAt(depth)`: x is the value at `depth` mm from the middle of the slab, y
 * is 1 where there is one.
 */
export const slabShaderMain = `
void main() {
  begin();
  float largest = -1e9, smallest = 1e9, sum = 0.0, count = 0.0;
  for (int at = 0; at < u_samples; at++) {
    vec2 found = valueAt((float(at) - float(u_samples - 1) * 0.5) * u_sample);
    if (found.y == 0.0) continue;
    largest = max(largest, found.x);
    smallest = min(smallest, found.x);
    sum += found.x;
    count += 1.0;
  }
  if (count == 0.0) { colour = vec4(0.0); return; }
  colour = vec4(vec3(toned(u_mode == 0 ? largest : u_mode == 1 ? sum / count : smallest)), 1.0);
}`;

// 40 mm in steps of a quarter of a millimetre.
const maxSamples = 160;
const slabModes: readonly SlabMode[] = ["max", "mean", "min"];

/** For each pixel. */
export const countSlabSamples = ({ slab, sample }: VolumeDisplaySettings): number =>
  Math.min(maxSamples, Math.max(1, Math.round(slab / sample) + 1));

/** `isRough`: half as many samples. */
export function setSlabUniforms(
  gl: WebGL2RenderingContext,
  at: QuadProgram["at"],
  displaySettings: VolumeDisplaySettings,
  isRough: boolean,
): void {
  const samples = Math.ceil(countSlabSamples(displaySettings) / (isRough ? 2 : 1));
  gl.uniform1i(at("u_samples"), samples);
  gl.uniform1f(at("u_sample"), samples > 1 ? displaySettings.slab / (samples - 1) : 0);
  gl.uniform1i(at("u_mode"), slabModes.indexOf(displaySettings.slabMode));
}
