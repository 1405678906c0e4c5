import { invertAffine, type Affine, type Size } from "../view/image-view.ts";
import type { BlurredImage, Lens, DisplaySettings, RasterImage, ImageRenderer } from "./raster-image.ts";
import { createQuadProgram, type QuadProgram } from "./shader-program.ts";
import { createToneUniforms, toneShader } from "./tone-shader.ts";

/** Draws by WebGL 2; null if the image is larger than the graphics processor supports. */
export function createGpuImageRenderer(canvas: HTMLCanvasElement, image: RasterImage): ImageRenderer | null {
  const gl = canvas.getContext("webgl2", { antialias: false, depth: false, alpha: true });
  if (!gl || Math.max(image.columns, image.rows) > Number(gl.getParameter(gl.MAX_TEXTURE_SIZE))) return null;
  const quad = createQuadProgram(gl, image.kind === "grey" ? greyShader : colourShader);
  const toneUniforms = createToneUniforms(gl, quad, 1);
  const texture = createTexture(gl, image);
  let blurredTexture = createEmptyTexture(gl, image.kind);
  let hasBlurred = false;
  const draw = (matrix: Affine, size: Size, displaySettings: DisplaySettings, lens: Lens | null) => {
    setUniforms(gl, quad, image, matrix, size);
    gl.uniform1f(quad.at("u_sharpen"), hasBlurred ? (displaySettings.sharpen ?? 0) : 0);
    gl.uniform3f(quad.at("u_lens"), lens?.at[0] ?? 0, lens ? size.height - lens.at[1] : 0, lens?.radius ?? 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };
  return {
    render: (matrix, size, displaySettings, lens = null) => {
      if (canvas.width !== size.width) canvas.width = size.width;
      if (canvas.height !== size.height) canvas.height = size.height;
      gl.viewport(0, 0, size.width, size.height);
      gl.useProgram(quad.program);
      toneUniforms.set(displaySettings, 0);
      gl.activeTexture(gl.TEXTURE2);
      gl.bindTexture(gl.TEXTURE_2D, blurredTexture);
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.uniform1i(quad.at("u_soft"), 2);
      draw(matrix, size, displaySettings, null);
      if (lens) draw(lens.matrix, size, displaySettings, lens);
    },
    setBlurred: (blurred) => {
      gl.deleteTexture(blurredTexture);
      blurredTexture = createTexture(gl, blurred.kind === "grey" ? { ...image, ...blurred } : { ...image, ...blurred });
      hasBlurred = true;
    },
    dispose: () => {
      toneUniforms.dispose();
      gl.deleteTexture(texture);
      gl.deleteTexture(blurredTexture);
      gl.deleteProgram(quad.program);
      gl.getExtension("WEBGL_lose_context")?.loseContext();
    },
  };
}

const createTexture = (gl: WebGL2RenderingContext, image: RasterImage): WebGLTexture =>
  image.kind === "grey" ? createGreyTexture(gl, image) : createColourTexture(gl, image.bitmap);

/** A sampler needs a texture of its kind also where nothing is read from it. */
function createEmptyTexture(gl: WebGL2RenderingContext, kind: BlurredImage["kind"]): WebGLTexture {
  const one = { columns: 1, rows: 1, spacing: null };
  if (kind === "grey") return createGreyTexture(gl, { ...one, kind, data: new Uint16Array(1) });
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  setTextureFilter(gl, gl.LINEAR, gl.LINEAR);
  return texture;
}

function setUniforms(
  gl: WebGL2RenderingContext,
  { at }: QuadProgram,
  image: RasterImage,
  matrix: Affine,
  size: Size,
): void {
  const inverse = invertAffine(matrix);
  gl.uniform2f(at("u_size"), image.columns, image.rows);
  gl.uniform2f(
    at("u_middle"),
    ...([
      inverse.a * size.width * 0.5 + inverse.c * size.height * 0.5 + inverse.e,
      inverse.b * size.width * 0.5 + inverse.d * size.height * 0.5 + inverse.f,
    ] as const),
  );
  gl.uniform2f(at("u_across"), (inverse.a * size.width) / 2, (inverse.b * size.width) / 2);
  gl.uniform2f(at("u_down"), (inverse.c * size.height) / 2, (inverse.d * size.height) / 2);
  gl.uniform1f(at("u_offset"), image.kind === "grey" && image.data instanceof Int16Array ? 32768 : 0);
  // A reduced image needs several samples for each pixel of the screen, or fine lines flicker.
  const shrink = Math.max(Math.hypot(inverse.a, inverse.b), Math.hypot(inverse.c, inverse.d));
  gl.uniform1i(at("u_taps"), Math.min(4, Math.max(1, Math.ceil(shrink))));
  gl.uniform2f(at("u_pixelX"), inverse.a, inverse.b);
  gl.uniform2f(at("u_pixelY"), inverse.c, inverse.d);
}

// R16F would round grey values above 2048; whole numbers are exact, and are interpolated in the shader.
function createGreyTexture(
  gl: WebGL2RenderingContext,
  { data, columns, rows }: RasterImage & { kind: "grey" },
): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  const values = data instanceof Uint16Array ? data : Uint16Array.from(data, (value) => value + 32768);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16UI, columns, rows, 0, gl.RED_INTEGER, gl.UNSIGNED_SHORT, values);
  setTextureFilter(gl, gl.NEAREST, gl.NEAREST);
  return texture;
}

function createColourTexture(gl: WebGL2RenderingContext, bitmap: ImageBitmap): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
  gl.generateMipmap(gl.TEXTURE_2D);
  setTextureFilter(gl, gl.LINEAR_MIPMAP_LINEAR, gl.LINEAR);
  return texture;
}

function setTextureFilter(gl: WebGL2RenderingContext, smaller: number, larger: number): void {
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, smaller);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, larger);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
}

const shaderHead = `#version 300 es
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

const greyShader = `${shaderHead}
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

const colourShader = `${shaderHead}
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
