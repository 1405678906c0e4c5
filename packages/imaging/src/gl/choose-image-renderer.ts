import { getGraphicsCapabilities } from "./graphics-capabilities.ts";
import { createCpuImageRenderer } from "./cpu-image-renderer.ts";
import { createGpuImageRenderer } from "./gpu-image-renderer.ts";
import type { RasterImage, ImageRenderer } from "./raster-image.ts";

/**
 * Returns the renderer that suits this browser, and its canvas inside `host`: a canvas keeps the kind of its first
 * context.
 */
export function createImageRenderer(
  container: HTMLElement,
  image: RasterImage,
  allowGpu: boolean,
): { renderer: ImageRenderer; canvas: HTMLCanvasElement } {
  if (allowGpu && getGraphicsCapabilities().kind === "gpu") {
    const canvas = createCanvasIn(container);
    const renderer = createGpuImageRenderer(canvas, image);
    if (renderer) return { renderer, canvas };
    canvas.remove();
  }
  const canvas = createCanvasIn(container);
  return { renderer: createCpuImageRenderer(canvas, image), canvas };
}

function createCanvasIn(container: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  container.replaceChildren(canvas);
  return canvas;
}
