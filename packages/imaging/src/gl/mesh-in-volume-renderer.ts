import type { RigidTransform } from "../geometry/rigid-transform.ts";
import type { ModelCamera } from "../view/model-camera.ts";
import type { Size } from "../view/image-view.ts";
import { linkProgram } from "./shader-program.ts";
import type { SceneMesh } from "./scene-mesh.ts";

/** A surface among a rendered volume. */
export interface PlacedMesh {
  mesh: SceneMesh;
  rigidTransform: RigidTransform;
  /** Red, green, blue, 0 to 1: for a surface that has no colours. */
  colour: readonly [number, number, number];
  opacity: number;
}

/** Draws the nearest surfaces with their depth into two textures of one size, which the rays then read. */
export interface MeshRenderer {
  render: (meshes: readonly PlacedMesh[], camera: ModelCamera, viewport: Size, width: number, height: number) => void;
  colour: () => WebGLTexture | null;
  depth: () => WebGLTexture | null;
  dispose: () => void;
}

interface MeshTarget {
  width: number;
  height: number;
  framebuffer: WebGLFramebuffer;
  colour: WebGLTexture;
  depth: WebGLTexture;
  buffer: WebGLRenderbuffer;
}

interface MeshBuffers {
  array: WebGLVertexArrayObject;
  buffers: WebGLBuffer[];
}

export function createMeshRenderer(gl: WebGL2RenderingContext): MeshRenderer {
  const { program, at } = linkProgram(gl, vertexShader, fragmentShader);
  const uploaded = new Map<SceneMesh, MeshBuffers>();
  let target: MeshTarget | null = null;
  const deleteBuffers = (mesh: SceneMesh, { array, buffers }: MeshBuffers) => {
    gl.deleteVertexArray(array);
    for (const buffer of buffers) gl.deleteBuffer(buffer);
    uploaded.delete(mesh);
  };
  return {
    colour: () => target?.colour ?? null,
    depth: () => target?.depth ?? null,
    render: (meshes, camera, viewport, width, height) => {
      const shown = new Set(meshes.map(({ mesh }) => mesh));
      for (const [mesh, each] of uploaded) if (!shown.has(mesh)) deleteBuffers(mesh, each);
      if (target?.width !== width || target.height !== height) {
        if (target) deleteTarget(gl, target);
        target = createTarget(gl, width, height);
      }
      gl.bindFramebuffer(gl.FRAMEBUFFER, target.framebuffer);
      gl.viewport(0, 0, width, height);
      gl.disable(gl.SCISSOR_TEST);
      gl.enable(gl.DEPTH_TEST);
      gl.clearColor(0, 0, 0, 0);
      gl.clearDepth(1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      gl.useProgram(program);
      const { right, up, eye, target: middle, scale } = camera;
      for (const [name, vector] of Object.entries({ right, up, eye, middle })) gl.uniform3f(at(`u_${name}`), ...vector);
      gl.uniform2f(at("u_reach"), viewport.width / 2 / scale, viewport.height / 2 / scale);
      for (const placed of meshes) {
        const each = uploaded.get(placed.mesh) ?? uploadMesh(gl, placed.mesh);
        uploaded.set(placed.mesh, each);
        setMeshUniforms(gl, at, placed);
        gl.bindVertexArray(each.array);
        gl.drawElements(gl.TRIANGLES, placed.mesh.indices.length, gl.UNSIGNED_INT, 0);
      }
      gl.bindVertexArray(null);
      gl.disable(gl.DEPTH_TEST);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    },
    dispose: () => {
      for (const [mesh, each] of uploaded) deleteBuffers(mesh, each);
      if (target) deleteTarget(gl, target);
      gl.deleteProgram(program);
    },
  };
}

function setMeshUniforms(
  gl: WebGL2RenderingContext,
  at: (name: string) => WebGLUniformLocation | null,
  { mesh, rigidTransform: m, colour, opacity }: PlacedMesh,
): void {
  gl.uniform4f(at("u_row0"), m[0], m[1], m[2], m[3]);
  gl.uniform4f(at("u_row1"), m[4], m[5], m[6], m[7]);
  gl.uniform4f(at("u_row2"), m[8], m[9], m[10], m[11]);
  gl.uniform4f(at("u_colour"), ...colour, opacity);
  gl.uniform1i(at("u_hasOwn"), mesh.colours ? 1 : 0);
}

function uploadMesh(gl: WebGL2RenderingContext, mesh: SceneMesh): MeshBuffers {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  const buffers: WebGLBuffer[] = [];
  const uploadBuffer = (kind: number, values: AllowSharedBufferSource) => {
    const buffer = gl.createBuffer();
    buffers.push(buffer);
    gl.bindBuffer(kind, buffer);
    gl.bufferData(kind, values, gl.STATIC_DRAW);
  };
  const defineAttribute = (place: number, type: number, isShare: boolean) => {
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, 3, type, isShare, 0, 0);
  };
  uploadBuffer(gl.ARRAY_BUFFER, mesh.positions);
  defineAttribute(0, gl.FLOAT, false);
  uploadBuffer(gl.ARRAY_BUFFER, mesh.normals);
  defineAttribute(1, gl.FLOAT, false);
  if (mesh.colours) {
    uploadBuffer(gl.ARRAY_BUFFER, mesh.colours);
    defineAttribute(2, gl.UNSIGNED_BYTE, true);
  }
  uploadBuffer(gl.ELEMENT_ARRAY_BUFFER, mesh.indices);
  gl.bindVertexArray(null);
  return { array, buffers };
}

function createTarget(gl: WebGL2RenderingContext, width: number, height: number): MeshTarget {
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  const texture = (attachment: number) => {
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, attachment, gl.TEXTURE_2D, made, 0);
    return made;
  };
  const [colour, depth] = [texture(gl.COLOR_ATTACHMENT0), texture(gl.COLOR_ATTACHMENT1)];
  const buffer = gl.createRenderbuffer();
  gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, width, height);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, buffer);
  gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
  return { width, height, framebuffer, colour, depth, buffer };
}

function deleteTarget(gl: WebGL2RenderingContext, { framebuffer, colour, depth, buffer }: MeshTarget): void {
  gl.deleteFramebuffer(framebuffer);
  gl.deleteTexture(colour);
  gl.deleteTexture(depth);
  gl.deleteRenderbuffer(buffer);
}

const vertexShader = `#version 300 es
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 own;
uniform vec4 u_row0, u_row1, u_row2;
uniform vec3 u_right, u_up, u_eye, u_middle;
uniform vec2 u_reach;
out vec3 v_normal, v_own;
out float v_depth;
void main() {
  vec4 at = vec4(place, 1.0);
  vec3 from = vec3(dot(u_row0, at), dot(u_row1, at), dot(u_row2, at)) - u_middle;
  v_normal = vec3(dot(u_row0.xyz, normal), dot(u_row1.xyz, normal), dot(u_row2.xyz, normal));
  v_own = own;
  v_depth = -dot(from, u_eye);
  gl_Position = vec4(dot(from, u_right) / u_reach.x, dot(from, u_up) / u_reach.y, v_depth / 1000.0, 1.0);
}`;

// Depth from −1000 to 1000 mm in three bytes: finer than a thousandth of a millimetre without float textures.
const fragmentShader = `#version 300 es
precision highp float;
in vec3 v_normal, v_own;
in float v_depth;
uniform vec3 u_right, u_up, u_eye;
uniform vec4 u_colour;
uniform bool u_hasOwn;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 depth;
void main() {
  vec3 normal = normalize(v_normal);
  // An open surface is seen from its inside too.
  if (dot(normal, u_eye) < 0.0) normal = -normal;
  vec3 lamp = normalize(u_eye + u_up * 0.45 - u_right * 0.35);
  vec3 own = u_hasOwn ? v_own : u_colour.rgb;
  colour = vec4(own * (0.3 + 0.7 * max(dot(normal, lamp), 0.0)), u_colour.a);
  float part = clamp((v_depth + 1000.0) / 2000.0, 0.0, 0.999999) * 256.0;
  float high = floor(part);
  float middle = floor((part - high) * 256.0);
  float low = floor(((part - high) * 256.0 - middle) * 256.0);
  depth = vec4(high, middle, low, 255.0) / 255.0;
}`;
