import { graphics } from "./graphics.ts";
import { cpuPainter } from "./picture-cpu.ts";
import { gpuPainter } from "./picture-gpu.ts";
import type { Picture, PicturePainter } from "./picture.ts";

/** The painter that suits this browser, and a canvas inside `host` for it: a canvas keeps the kind of its first context. */
export function openPainter(
  host: HTMLElement,
  picture: Picture,
  allowGpu: boolean,
): { painter: PicturePainter; canvas: HTMLCanvasElement } {
  if (allowGpu && graphics().kind === "gpu") {
    const canvas = canvasIn(host);
    const painter = gpuPainter(canvas, picture);
    if (painter) return { painter, canvas };
    canvas.remove();
  }
  const canvas = canvasIn(host);
  return { painter: cpuPainter(canvas, picture), canvas };
}

function canvasIn(host: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  host.replaceChildren(canvas);
  return canvas;
}
