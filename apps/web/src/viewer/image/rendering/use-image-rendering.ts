import { useEffect, useRef, useState, type RefObject } from "react";
import {
  magnifyMatrix,
  computeViewMatrix,
  type Affine,
  type ImageView,
  type Size,
} from "@arcada/imaging/view/image-view";
import type { BlurredImage, DisplaySettings, RasterImage, ImageRenderer } from "@arcada/imaging/gl/raster-image";
import { createImageRenderer } from "@arcada/imaging/gl/choose-image-renderer";
import type { ViewportLens } from "../use-lens.ts";

export interface RenderedView {
  view: ImageView;
  displaySettings: DisplaySettings;
  viewport: Size;
  lens?: ViewportLens | null;
}

/** Keeps the image inside `host` drawn with the view and the display settings, at most once per frame. */
export function useImageRendering(
  host: RefObject<HTMLElement | null>,
  image: RasterImage,
  shown: RenderedView | null,
  blurred: BlurredImage | null = null,
): void {
  const renderer = useRef<ImageRenderer | null>(null);
  // A lost context is restored late or never; the look-up table works at once.
  const [mayUseGpu, setMayUseGpu] = useState(true);

  useEffect(() => {
    if (!host.current) return;
    const opened = createImageRenderer(host.current, image, mayUseGpu);
    renderer.current = opened.renderer;
    const handleContextLoss = () => setMayUseGpu(false);
    opened.canvas.addEventListener("webglcontextlost", handleContextLoss);
    return () => {
      opened.canvas.removeEventListener("webglcontextlost", handleContextLoss);
      renderer.current = null;
      opened.renderer.dispose();
    };
  }, [host, image, mayUseGpu]);

  useEffect(() => {
    if (blurred) renderer.current?.setBlurred(blurred);
  }, [image, blurred, mayUseGpu]);

  useEffect(() => {
    if (!shown) return;
    const frame = requestAnimationFrame(() => renderer.current && render(renderer.current, image, shown));
    return () => cancelAnimationFrame(frame);
  }, [image, shown, blurred, mayUseGpu]);
}

function render(
  renderer: ImageRenderer,
  image: RasterImage,
  { view, displaySettings, viewport, lens }: RenderedView,
): void {
  const pixelRatio = window.devicePixelRatio || 1;
  const device = { width: Math.round(viewport.width * pixelRatio), height: Math.round(viewport.height * pixelRatio) };
  const matrix = computeViewMatrix(view, image, viewport);
  renderer.render(
    scaleTransform(matrix, pixelRatio),
    device,
    displaySettings,
    lens && {
      matrix: scaleTransform(magnifyMatrix(matrix, lens.target, lens.at, lens.factor), pixelRatio),
      at: [lens.at[0] * pixelRatio, lens.at[1] * pixelRatio],
      radius: lens.radius * pixelRatio,
    },
  );
}

const scaleTransform = ({ a, b, c, d, e, f }: Affine, by: number): Affine => ({
  a: a * by,
  b: b * by,
  c: c * by,
  d: d * by,
  e: e * by,
  f: f * by,
});
