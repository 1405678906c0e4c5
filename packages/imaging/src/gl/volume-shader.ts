import { toneShader } from "./tone.ts";
import { volumeShader } from "./volume-textures.ts";

/**
 * A plane or slab through the volume. Where the slices around a sample have not arrived, the preview stands in;
 * where neither has a value the pane stays empty.
 */
export const planeShader = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler3D;
in vec2 v_at;
out vec4 colour;
${volumeShader}
uniform vec3 u_fullAt, u_fullAcross, u_fullDown, u_fullAway;
uniform vec3 u_previewAt, u_previewAcross, u_previewDown, u_previewAway;
uniform float u_sample;
uniform int u_samples;
// 0: the largest value of a slab, 1: their mean, 2: the smallest.
uniform int u_mode;
${toneShader}

// x: the value, y: 1 where there is one.
vec2 valueAt(float depth) {
  vec3 at = u_fullAt + v_at.x * u_fullAcross + v_at.y * u_fullDown + depth * u_fullAway;
  if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return vec2(0.0);
  if (isCovered(at.z)) return vec2(texture(u_full, at).r, 1.0);
  if (!u_hasPreview) return vec2(0.0);
  return vec2(texture(u_preview, u_previewAt + v_at.x * u_previewAcross + v_at.y * u_previewDown + depth * u_previewAway).r, 1.0);
}

void main() {
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
