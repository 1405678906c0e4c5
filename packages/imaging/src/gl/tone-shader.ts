import { decodeShadeTable, type VoiWindow } from "../image/voi-window.ts";
import type { QuadProgram } from "./shader-program.ts";

const tableWidth = 256;

/** `toned(value)`: the shade of a grey value, 0 to 1 (PS3.3 C.11.2.1.2 and C.11.2.1.3), as toneOf in packages/imaging. */
export const toneShader = `
uniform vec2 u_window;
uniform int u_shape, u_shades;
uniform bool u_inverted;
uniform float u_power;
uniform sampler2D u_table;
float plain(float value) {
  if (u_shape == 1) return 1.0 / (1.0 + exp(-4.0 * (value - u_window.x) / u_window.y));
  float part = u_window.y > 0.0 ? (value - u_window.x) / u_window.y + 0.5 : value > u_window.x ? 1.0 : 0.0;
  if (u_shape == 0) return clamp(part, 0.0, 1.0);
  int at = clamp(int(floor(part * float(u_shades) + 0.001)), 0, u_shades - 1);
  return texelFetch(u_table, ivec2(at % ${tableWidth}, at / ${tableWidth}), 0).r;
}
float toned(float value) {
  float shade = u_inverted ? 1.0 - plain(value) : plain(value);
  return u_power == 1.0 ? shade : pow(shade, u_power);
}
`;

export interface ToneUniforms {
  set: (displaySettings: { window: VoiWindow; inverted: boolean; gamma?: number }, offset: number) => void;
  dispose: () => void;
}

/** Feeds a program that contains `toneShader`; the table of shades is on the texture unit `unit`. */
export function createToneUniforms(gl: WebGL2RenderingContext, { at }: QuadProgram, unit: number): ToneUniforms {
  const texture = gl.createTexture();
  let uploadedTable: string | undefined = "nothing yet";
  let shades = 1;
  return {
    set: ({ window, inverted, gamma = 1 }, offset) => {
      const { center, width, shape, table } = window;
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      if (uploadedTable !== table) shades = uploadShades(gl, table ? decodeShadeTable(table) : new Uint8Array(1));
      uploadedTable = table;
      gl.activeTexture(gl.TEXTURE0);
      gl.uniform1i(at("u_table"), unit);
      gl.uniform1i(at("u_shades"), shades);
      gl.uniform1i(at("u_shape"), shape === "sigmoid" ? 1 : shape === "table" ? 2 : 0);
      // LINEAR is a ramp over the centre less a half and the width less one.
      if (shape) gl.uniform2f(at("u_window"), center - offset, width);
      else gl.uniform2f(at("u_window"), center - 0.5 - offset, Math.max(1, width) - 1);
      gl.uniform1i(at("u_inverted"), inverted ? 1 : 0);
      gl.uniform1f(at("u_power"), 1 / gamma);
    },
    dispose: () => gl.deleteTexture(texture),
  };
}

/** Answers how many shades there are. */
function uploadShades(gl: WebGL2RenderingContext, shades: Uint8Array): number {
  const rows = Math.ceil(shades.length / tableWidth);
  const bytes = new Uint8Array(rows * tableWidth);
  bytes.set(shades);
  gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, tableWidth, rows, 0, gl.RED, gl.UNSIGNED_BYTE, bytes);
  for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
    gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  for (const side of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, side, gl.CLAMP_TO_EDGE);
  return shades.length;
}
