import { toneShader } from "./tone-shader.ts";
import { volumeSamplerShader } from "./volume-textures.ts";

/**
 * Rays through a volume from front to back, with surfaces among it. `u_mode` 0: lit matter by an opacity curve, 1: the
 * largest value, 2: what a radiograph would show. Colours are multiplied by their alpha.
 */
export const rayCastShader = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler3D;
in vec2 v_at;
out vec4 colour;
${volumeSamplerShader}
${toneShader}
uniform vec3 u_at, u_across, u_down, u_away;
uniform vec3 u_low, u_high, u_extent, u_right, u_up, u_eye;
uniform vec4 u_cut;
uniform vec3 u_previewScale, u_previewShift;
uniform bool u_whole, u_hasMatter, u_hasMeshes;
uniform int u_mode;
uniform float u_step, u_opacity, u_density;
uniform vec2 u_ramp;
uniform vec3 u_lowColour, u_highColour;
uniform sampler2D u_meshColour, u_meshDepth;


float valueAt(vec3 p) {
  if (u_whole) return texture(u_full, p).r;
  return texture(u_preview, p * u_previewScale + u_previewShift).r;
}

vec3 slopeAt(vec3 p, float reach) {
  vec3 h = reach / u_extent;
  return vec3(
    valueAt(p + vec3(h.x, 0.0, 0.0)) - valueAt(p - vec3(h.x, 0.0, 0.0)),
    valueAt(p + vec3(0.0, h.y, 0.0)) - valueAt(p - vec3(0.0, h.y, 0.0)),
    valueAt(p + vec3(0.0, 0.0, h.z)) - valueAt(p - vec3(0.0, 0.0, h.z)));
}

float share(float value) { return clamp((value - u_ramp.x) / (u_ramp.y - u_ramp.x), 0.0, 1.0); }

vec3 lit(vec3 p, vec3 own) {
  vec3 slope = slopeAt(p, u_step);
  float steep = length(slope);
  vec3 normal = steep > 0.0 ? -slope / steep : u_eye;
  vec3 lamp = normalize(u_eye * 1.0 + u_up * 0.45 - u_right * 0.35);
  float towards = max(dot(normal, lamp), 0.0);
  float shine = pow(max(dot(normal, normalize(lamp + u_eye)), 0.0), 24.0);
  return own * (0.22 + 0.78 * towards) + vec3(0.18 * shine);
}

// The place between two samples at which matter begins.
float entered(vec3 o, float before, float here) {
  for (int at = 0; at < 5; at++) {
    float middle = 0.5 * (before + here);
    if (valueAt(o + middle * u_away) > u_ramp.x) here = middle; else before = middle;
  }
  return here;
}

// Goes on from front to back; keeps what has been gathered in 'sum', the largest value in 'best'.
void march(vec3 o, float first, float last, float start, inout vec4 sum, inout float best, inout float matter) {
  float before = first;
  bool wasIn = false;
  bool isFace = true;
  float t = first;
  for (int at = 0; at < 3000; at++) {
    if (t > last || sum.a > 0.98) break;
    vec3 p = o + t * u_away;
    float value = valueAt(p);
    if (u_mode == 1) best = max(best, value);
    else if (u_mode == 2) matter += max(value - u_ramp.x, 0.0) / (u_ramp.y - u_ramp.x) * u_step;
    else {
      float part = share(value);
      if (part > 0.0) {
        float place = wasIn || isFace ? t : entered(o, before, t);
        vec3 q = o + place * u_away;
        // The ramp is passed within a step where matter is dense: what lies behind its skin counts.
        float dense = wasIn ? part : max(part, 0.5 * u_opacity);
        float alpha = 1.0 - pow(1.0 - min(0.995, dense * u_opacity), u_step / 0.5);
        // The colour is that of the matter under the skin: at the skin itself noise would mottle it.
        float under = 0.5 * (share(valueAt(q + u_step * u_away)) + share(valueAt(q + 2.5 * u_step * u_away)));
        vec3 own = mix(u_lowColour, u_highColour, max(under, 0.5 * part));
        vec3 seen = isFace && first > start ? mix(u_lowColour * 0.35, u_highColour, part) : lit(q, own);
        sum += (1.0 - sum.a) * alpha * vec4(seen, 1.0);
        wasIn = true;
      } else wasIn = false;
    }
    isFace = false;
    before = t;
    // Neighbouring rays start at different places: steps do not show as rings.
    t += at == 0 ? u_step * (0.25 + 0.75 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))))) : u_step;
  }
}

void main() {
  vec3 o = u_at + v_at.x * u_across + v_at.y * u_down;
  vec3 d = mix(u_away, vec3(1e-9), lessThan(abs(u_away), vec3(1e-9)));
  vec3 a = (vec3(0.0) - o) / d, b = (vec3(1.0) - o) / d;
  vec3 wholeFirst = min(a, b);
  float start = max(max(wholeFirst.x, wholeFirst.y), wholeFirst.z);
  a = (u_low - o) / d; b = (u_high - o) / d;
  vec3 first = min(a, b), last = max(a, b);
  float from = max(max(first.x, first.y), first.z), to = min(min(last.x, last.y), last.z);
  float height = dot(u_cut.xyz, o) + u_cut.w, rise = dot(u_cut.xyz, d);
  if (abs(rise) < 1e-9) { if (height > 0.0) to = from - 1.0; }
  else if (rise > 0.0) to = min(to, -height / rise);
  else from = max(from, -height / rise);

  vec4 mesh = vec4(0.0);
  float meshAt = 1e9;
  if (u_hasMeshes) {
    ivec2 texel = ivec2(gl_FragCoord.xy);
    vec4 depth = texelFetch(u_meshDepth, texel, 0);
    mesh = texelFetch(u_meshColour, texel, 0);
    if (mesh.a > 0.0) meshAt = dot(depth.xyz * 255.0, vec3(1.0 / 256.0, 1.0 / 65536.0, 1.0 / 16777216.0)) * 2000.0 - 1000.0;
  }
  vec4 sum = vec4(0.0);
  float best = -1e9, matter = 0.0;
  bool isHit = u_hasMatter && to > from;
  if (isHit) march(o, from, min(to, meshAt), start + 1e-3, sum, best, matter);
  if (mesh.a > 0.0 && u_mode == 0) {
    sum += (1.0 - sum.a) * vec4(mesh.rgb * mesh.a, mesh.a);
    if (isHit && meshAt < to) march(o, max(from, meshAt), to, 1e9, sum, best, matter);
  }
  if (u_mode != 0) {
    if (isHit && mesh.a > 0.0) march(o, max(from, meshAt), to, 1e9, sum, best, matter);
    float shade = u_mode == 1 ? toned(best) : 1.0 - exp(-matter * u_density);
    sum = isHit ? vec4(vec3(shade), 1.0) : vec4(0.0);
    // A surface shines through values that have no place along the ray.
    sum = mix(sum, vec4(mesh.rgb, 1.0), mesh.a * 0.6);
  }
  colour = sum;
}`;
