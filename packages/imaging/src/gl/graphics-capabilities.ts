/** The WebGL 2 renderer of this browser, and the largest side of a 3D texture. */
export interface GraphicsCapabilities {
  kind: "gpu" | "software" | "none";
  max3dTextureSize: number;
}

/** Detects software rendering, because a look-up table on the processor is then ten times as fast for an image. */
export function getGraphicsCapabilities(): GraphicsCapabilities {
  known ??= probeGraphics();
  return known;
}

let known: GraphicsCapabilities | null = null;

function probeGraphics(): GraphicsCapabilities {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return { kind: "none", max3dTextureSize: 0 };
  const debugInfo = gl.getExtension("WEBGL_debug_renderer_info");
  const renderer = String(gl.getParameter(debugInfo ? debugInfo.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  const max3dTextureSize = Number(gl.getParameter(gl.MAX_3D_TEXTURE_SIZE));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return {
    kind: /swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer) ? "software" : "gpu",
    max3dTextureSize,
  };
}
