/** A shader program with its uniforms by name; it draws one quad over the viewport. */
export interface QuadProgram {
  program: WebGLProgram;
  at: (uniform: string) => WebGLUniformLocation | null;
}

/** Compiles a fragment shader that gets `v_at`: −1 to 1 from left to right and from top to bottom. Throws with the compiler's message. */
export const createQuadProgram = (gl: WebGL2RenderingContext, fragment: string): QuadProgram =>
  linkProgram(gl, quadVertexShader, fragment);

/** Throws with the compiler's message. */
export function linkProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string): QuadProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error("no shader: the context is lost");
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(getCompilerMessages(gl, program));
  const known = new Map<string, WebGLUniformLocation | null>();
  const at = (uniform: string) => {
    if (!known.has(uniform)) known.set(uniform, gl.getUniformLocation(program, uniform));
    return known.get(uniform) ?? null;
  };
  return { program, at };
}

// Three corners of a triangle that covers the whole viewport need no buffer.
const quadVertexShader = `#version 300 es
out vec2 v_at;
void main() {
  vec2 corner = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2)) * 2.0 - 1.0;
  v_at = vec2(corner.x, -corner.y);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

function getCompilerMessages(gl: WebGL2RenderingContext, program: WebGLProgram): string {
  const logs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader));
  return [gl.getProgramInfoLog(program), ...logs].filter(Boolean).join("\n") || "the context is lost";
}
