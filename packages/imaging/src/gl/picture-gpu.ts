import { inverted, type Affine, type Size } from "../view/picture-view.ts";
import type { Blurred, Lens, Look, Picture, PicturePainter } from "./picture.ts";
import { quadProgram, type QuadProgram } from "./program.ts";
import { tones, toneShader } from "./tone.ts";

/** Draws by WebGL 2; null if the image is larger than the graphics processor supports. */
export function gpuPainter(canvas: HTMLCanvasElement, picture: Picture): PicturePainter | null {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, alpha: true });
  if (!gl || Math.max(picture.columns, picture.rows) > Number(gl.getParameter(gl.MAX_TEXTURE_SIZE))) return null;
  const quad = quadProgram(gl, picture.kind === "grey" ? greyShader : imageShader);
  const tone = tones(gl, quad, 1);
  const texture = textureOf(gl, picture);
  let soft = emptyTexture(gl, picture.kind);
  let isSoft = false;
  const draw = (matrix: Affine, size: Size, look: Look, lens: Lens | null) => {
    setUniforms(gl, quad, picture, matrix, size);
    gl.uniform1f(quad.at("u_sharpen"), isSoft ? (look.sharpen ?? 0) : 0);
    gl.uniform3f(quad.at("u_lens"), lens?.at[0] ?? 0, lens ? size.height - lens.at[1] : 0, lens?.radius ?? 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
  return {
    paint: (matrix, size, look, lens = null) => {
      if (canvas.width !== size.width) canvas.width = size.width;
      if (canvas.height !== size.height) canvas.height = size.height;
      gl.viewport(0, 0, size.width, size.height);
      gl.useProgram(quad.program);
      tone.set(look, 0);
      gl.activeTexture(gl.TEXTURE2);
      gl.bindTexture(gl.TEXTURE_2D, soft);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.uniform1i(quad.at("u_soft"), 2);
      draw(matrix, size, look, null);
      if (lens) draw(lens.matrix, size, look, lens);
    },
    takeBlurred: (blurred) => {
      gl.deleteTexture(soft);
      soft = textureOf(gl, blurred.kind === "grey" ? { ...picture, ...blurred } : { ...picture, ...blurred });
      isSoft = true;
    },
    dispose: () => {
      tone.dispose();
      gl.deleteTexture(texture);
      gl.deleteTexture(soft);
      gl.deleteProgram(quad.program);
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}

const textureOf = (gl: WebGL2RenderingContext, picture: Picture): WebGLTexture =>
  picture.kind === "grey" ? greyTexture(gl, picture) : imageTexture(gl, picture.bitmap);

/** A sampler needs a texture of its kind also where nothing is read from it. */
function emptyTexture(gl: WebGL2RenderingContext, kind: Blurred["kind"]): WebGLTexture {
  const one = { columns: 1, rows: 1, spacing: null };
  if (kind === "grey") return greyTexture(gl, { ...one, kind, data: new Uint16Array(1) });
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  filter(gl, gl.LINEAR, gl.LINEAR);
  return texture;
}

function setUniforms(
  gl: WebGL2RenderingContext,
  { at }: QuadProgram,
  picture: Picture,
  matrix: Affine,
  size: Size,
): void {
  const back = inverted(matrix);
  gl.uniform2f(at("u_size"), picture.columns, picture.rows);
  gl.uniform2f(
    at("u_middle"),
    ...([
      back.a * size.width * 0.5 + back.c * size.height * 0.5 + back.e,
      back.b * size.width * 0.5 + back.d * size.height * 0.5 + back.f,
    ] as const),
  );
  gl.uniform2f(at("u_across"), (back.a * size.width) / 2, (back.b * size.width) / 2);
  gl.uniform2f(at("u_down"), (back.c * size.height) / 2, (back.d * size.height) / 2);
  gl.uniform1f(at("u_offset"), picture.kind === "grey" && picture.data instanceof Int16Array ? 32768 : 0);
  // An image that is shown reduced takes several samples for each pixel of the screen, or fine lines flicker.
  const shrink = Math.max(Math.hypot(back.a, back.b), Math.hypot(back.c, back.d));
  gl.uniform1i(at("u_taps"), Math.min(4, Math.max(1, Math.ceil(shrink))));
  gl.uniform2f(at("u_pixelX"), back.a, back.b);
  gl.uniform2f(at("u_pixelY"), back.c, back.d);
}

// R16F would round grey values above 2048; whole numbers are exact, and are interpolated in the shader.
function greyTexture(gl: WebGL2RenderingContext, { data, columns, rows }: Picture & { kind: "grey" }): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  const values = data instanceof Uint16Array ? data : Uint16Array.from(data, (value) => value + 32768);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16UI, columns, rows, 0, gl.RED_INTEGER, gl.UNSIGNED_SHORT, values);
  filter(gl, gl.NEAREST, gl.NEAREST);
  return texture;
}

function imageTexture(gl: WebGL2RenderingContext, bitmap: ImageBitmap): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
  gl.generateMipmap(gl.TEXTURE_2D);
  filter(gl, gl.LINEAR_MIPMAP_LINEAR, gl.LINEAR);
  return texture;
}

function filter(gl: WebGL2RenderingContext, smaller: number, larger: number): void {
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, smaller);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, larger);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
}

const head = `#version 300 es
precision highp float;
precision highp int;
in vec2 v_at;
out vec4 colour;
uniform vec2 u_size, u_middle, u_across, u_down, u_pixelX, u_pixelY;
uniform float u_sharpen;
uniform vec3 u_lens;
${toneShader}
bool isBesideLens() { return u_lens.z > 0.0 && distance(gl_FragCoord.xy, u_lens.xy) > u_lens.z; }
bool isOutside(vec2 at) { return any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, u_size)); }
`;

const greyShader = `${head}
precision highp usampler2D;
uniform usampler2D u_picture, u_soft;
uniform float u_offset;
uniform int u_taps;
float grey(ivec2 at) {
  ivec2 held = clamp(at, ivec2(0), ivec2(u_size) - 1);
  float value = float(texelFetch(u_picture, held, 0).r);
  if (u_sharpen > 0.0) value += u_sharpen * (value - float(texelFetch(u_soft, held, 0).r));
  return value - u_offset;
}
float mixed(vec2 at) {
  vec2 low = floor(at - 0.5);
  vec2 part = at - 0.5 - low;
  ivec2 p = ivec2(low);
  return mix(mix(grey(p), grey(p + ivec2(1, 0)), part.x), mix(grey(p + ivec2(0, 1)), grey(p + ivec2(1, 1)), part.x), part.y);
}
void main() {
  if (isBesideLens()) discard;
  vec2 at = u_middle + v_at.x * u_across + v_at.y * u_down;
  if (isOutside(at)) { colour = vec4(0.0); return; }
  float sum = 0.0;
  for (int y = 0; y < u_taps; y++) for (int x = 0; x < u_taps; x++) {
    vec2 shift = (vec2(x, y) + 0.5) / float(u_taps) - 0.5;
    sum += mixed(at + shift.x * u_pixelX + shift.y * u_pixelY);
  }
  colour = vec4(vec3(toned(sum / float(u_taps * u_taps))), 1.0);
}`;

const imageShader = `${head}
uniform sampler2D u_picture, u_soft;
void main() {
  if (isBesideLens()) discard;
  vec2 at = u_middle + v_at.x * u_across + v_at.y * u_down;
  vec4 found = texture(u_picture, at / u_size);
  if (isOutside(at)) { colour = vec4(0.0); return; }
  vec3 value = found.rgb * 255.0;
  if (u_sharpen > 0.0) value = clamp(value + u_sharpen * (value - texture(u_soft, at / u_size).rgb * 255.0), 0.0, 255.0);
  colour = vec4(vec3(toned(value.r), toned(value.g), toned(value.b)) * found.a, found.a);
}`;
