import { slabShaderHead, slabShaderMain } from "./slab-shader.ts";

/**
 * A plane or slab through the volume. Where the slices around a sample have not arrived, the preview replaces them;
 * where neither has a value the viewport stays empty.
 */
export const planeShader = `${slabShaderHead}
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
  if (any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return vec2(0.0);
  if (isCovered(at.z)) return vec2(texture(u_full, at).r, 1.0);
  if (!u_hasPreview) return vec2(0.0);
  return vec2(texture(u_preview, u_previewAt + v_at.x * u_previewAcross + v_at.y * u_previewDown + depth * u_previewAway).r, 1.0);
}
${slabShaderMain}`;
