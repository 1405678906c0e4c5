/** The WebGL 2 renderer of this browser, and the largest side of a 3D texture. */
export interface Graphics {
  kind: "gpu" | "software" | "none";
  largest3d: number;
}

/**
 * Software rendering is distinguished because a look-up table on the processor is then ten times as fast for an image.
 */
export function graphics(): Graphics {
  known ??= probe();
  return known;
}

let known: Graphics | null = null;

function probe(): Graphics {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return { kind: "none", largest3d: 0 };
  const named = gl.getExtension("WEBGL_debug_renderer_info");
  const renderer = String(gl.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  const largest3d = Number(gl.getParameter(gl.MAX_3D_TEXTURE_SIZE));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return {
    kind: /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer) ? "software" : "gpu",
    largest3d,
  };
}
