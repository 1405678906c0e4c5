import type { SurfaceBend } from "../arch/surface-bend.ts";
import { createCurvedSurface, type CurvedSurface } from "../arch/curved-surface.ts";
import type { Vector } from "../geometry/vector.ts";
import { createQuadProgram, type QuadProgram } from "./shader-program.ts";
import { countSlabSamples, setSlabUniforms, slabShaderHead, slabShaderMain } from "./slab-shader.ts";
import { createToneUniforms } from "./tone-shader.ts";
import type { CreateContentRenderer } from "./volume-viewport-renderer.ts";

/** A curved surface along the dental arch, unrolled: from the patient's right to the left, `up` upwards. */
export interface CurvedSurfaceContent {
  kind: "curve";
  /** The inputs from which `createCurvedSurface` makes the curved surface, and its bend. */
  curvedSurface: { control: readonly Vector[]; up: Vector; depth: number; bend: SurfaceBend | null };
  /** mm along the surface and mm of height in the middle of the viewport, and from there to its edges. */
  middle: readonly [along: number, height: number];
  reach: readonly [along: number, height: number];
  /** Patient mm to texture coordinates, column by column; see `createPatientToTextureMatrix`. */
  full: readonly number[];
  preview: readonly number[] | null;
}

const curvedSurfaceShader = `${slabShaderHead}
// The first row holds places, the second the normals.
uniform highp sampler2D u_wall;
uniform vec2 u_middle, u_reach;
uniform vec3 u_up;
uniform float u_step;
// As bendAt in packages/imaging/src/arch/bend: u_bent is the height of the first row and mm between two places, 0 without a bend.
uniform highp sampler2D u_bend;
uniform vec2 u_bent;

float bendAt(float along, float height) {
  if (u_bent.y == 0.0) return 0.0;
  ivec2 last = textureSize(u_bend, 0) - 1;
  vec2 place = clamp(vec2(along, height - u_bent.x) / u_bent.y, vec2(0.0), vec2(last));
  ivec2 low = min(ivec2(floor(place)), last - 1);
  vec2 part = place - vec2(low);
  float below = mix(texelFetch(u_bend, low, 0).r, texelFetch(u_bend, low + ivec2(1, 0), 0).r, part.x);
  float above = mix(texelFetch(u_bend, low + ivec2(0, 1), 0).r, texelFetch(u_bend, low + ivec2(1, 1), 0).r, part.x);
  return mix(below, above, part.y);
}
uniform mat4 u_fullOf, u_previewOf;

vec3 wallAt(float place, int row) {
  int last = textureSize(u_wall, 0).x - 1;
  int low = clamp(int(floor(place)), 0, last - 1);
  return mix(texelFetch(u_wall, ivec2(low, row), 0).xyz, texelFetch(u_wall, ivec2(low + 1, row), 0).xyz, place - float(low));
}

// All samples of a pixel lie on one line, which is found once.
vec3 g_at, g_away, g_previewAt, g_previewAway;
bool g_isIn;
void begin() {
  float place = (u_middle.x + v_at.x * u_reach.x) / u_step;
  g_isIn = place >= 0.0 && place <= float(textureSize(u_wall, 0).x - 1);
  float height = u_middle.y - v_at.y * u_reach.y;
  vec4 away = vec4(normalize(wallAt(place, 1)), 0.0);
  float bent = bendAt(u_middle.x + v_at.x * u_reach.x, height);
  vec4 patient = vec4(wallAt(place, 0) + height * u_up + bent * away.xyz, 1.0);
  g_at = (u_fullOf * patient).xyz;
  g_away = (u_fullOf * away).xyz;
  g_previewAt = (u_previewOf * patient).xyz;
  g_previewAway = (u_previewOf * away).xyz;
}

vec2 valueAt(float depth) {
  vec3 at = g_at + depth * g_away;
  if (!g_isIn || any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) return vec2(0.0);
  if (isCovered(at.z)) return vec2(texture(u_full, at).r, 1.0);
  if (!u_hasPreview) return vec2(0.0);
  return vec2(texture(u_preview, g_previewAt + depth * g_previewAway).r, 1.0);
}
${slabShaderMain}`;

const curvedSurfaceUnit = 4;
const bendUnit = 5;

/** The panorama: a slab along the arch's normal. */
export const createCurvedSurfaceRenderer: CreateContentRenderer<CurvedSurfaceContent> = (gl, textures, offset) => {
  const quad = createQuadProgram(gl, curvedSurfaceShader);
  const toneUniforms = createToneUniforms(gl, quad, 3);
  const texture = gl.createTexture();
  const bendTexture = gl.createTexture();
  let uploadedKey = "";
  let step = 1;
  return {
    render: ({ curvedSurface, ...content }, displaySettings, { isRough }) => {
      const key = JSON.stringify(curvedSurface);
      if (key !== uploadedKey) {
        const path = createCurvedSurface(curvedSurface.control, curvedSurface.up, curvedSurface.depth);
        if (!path) return;
        step = path.step;
        uploadTexture(gl, curvedSurfaceUnit, texture, curvedSurfaceValues(path));
        const { bend } = curvedSurface;
        uploadTexture(
          gl,
          bendUnit,
          bendTexture,
          bend ? { ...bend, values: bend.out } : { columns: 1, rows: 1, values: [0] },
        );
        uploadedKey = key;
      }
      gl.useProgram(quad.program);
      textures.bind(quad);
      if (!content.preview) gl.uniform1i(quad.at("u_hasPreview"), 0);
      gl.activeTexture(gl.TEXTURE0 + curvedSurfaceUnit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.uniform1i(quad.at("u_wall"), curvedSurfaceUnit);
      gl.activeTexture(gl.TEXTURE0 + bendUnit);
      gl.bindTexture(gl.TEXTURE_2D, bendTexture);
      gl.uniform1i(quad.at("u_bend"), bendUnit);
      gl.uniform2f(quad.at("u_bent"), curvedSurface.bend?.low ?? 0, curvedSurface.bend?.step ?? 0);
      gl.uniform1f(quad.at("u_step"), step);
      gl.uniform3f(quad.at("u_up"), ...curvedSurface.up);
      setPlaceUniforms(gl, quad.at, content);
      toneUniforms.set(displaySettings, offset);
      setSlabUniforms(gl, quad.at, displaySettings, isRough);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    },
    countSamples: (_shown, displaySettings) => countSlabSamples(displaySettings),
    getContentVersion: String,
    dispose: () => {
      toneUniforms.dispose();
      for (const each of [texture, bendTexture]) gl.deleteTexture(each);
      gl.deleteProgram(quad.program);
    },
  };
};

function setPlaceUniforms(
  gl: WebGL2RenderingContext,
  at: QuadProgram["at"],
  { middle, reach, full, preview }: Omit<CurvedSurfaceContent, "curvedSurface">,
): void {
  gl.uniform2f(at("u_middle"), ...middle);
  gl.uniform2f(at("u_reach"), ...reach);
  gl.uniformMatrix4fv(at("u_fullOf"), false, full);
  gl.uniformMatrix4fv(at("u_previewOf"), false, preview ?? full);
}

interface TextureValues {
  columns: number;
  rows: number;
  /** One for each place, or four. */
  values: readonly number[];
}

const curvedSurfaceValues = ({ points, normals }: CurvedSurface): TextureValues => ({
  columns: points.length,
  rows: 2,
  values: [...points, ...normals].flatMap((each) => [...each, 0]),
});

function uploadTexture(
  gl: WebGL2RenderingContext,
  unit: number,
  texture: WebGLTexture,
  { columns, rows, values }: TextureValues,
): void {
  const [inner, format] = values.length === columns * rows ? [gl.R32F, gl.RED] : [gl.RGBA32F, gl.RGBA];
  gl.activeTexture(gl.TEXTURE0 + unit);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
  gl.texImage2D(gl.TEXTURE_2D, 0, inner, columns, rows, 0, format, gl.FLOAT, Float32Array.from(values));
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
    gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
}
