import { useEffect, useRef, useState, type RefObject } from "react";
import { enlarged, viewMatrix, type Affine, type PictureView, type Size } from "@arcada/imaging/view/picture-view";
import type { Blurred, Look, Picture, PicturePainter } from "@arcada/imaging/gl/picture";
import { openPainter } from "@arcada/imaging/gl/picture-painter";
import type { PaneLens } from "./use-lens.ts";

export interface Painted {
  view: PictureView;
  look: Look;
  viewport: Size;
  lens?: PaneLens | null;
}

/** Keeps the image inside `host` drawn with the view and the display settings, at most once per frame. */
export function usePainting(
  host: RefObject<HTMLElement | null>,
  picture: Picture,
  shown: Painted | null,
  blurred: Blurred | null = null,
): void {
  const painter = useRef<PicturePainter | null>(null);
  // A lost context is restored late or never; the look-up table works at once.
  const [mayUseGpu, setMayUseGpu] = useState(true);

  useEffect(() => {
    if (!host.current) return;
    const opened = openPainter(host.current, picture, mayUseGpu);
    painter.current = opened.painter;
    const lose = () => setMayUseGpu(false);
    opened.canvas.addEventListener("webglcontextlost", lose);
    return () => {
      opened.canvas.removeEventListener("webglcontextlost", lose);
      painter.current = null;
      opened.painter.dispose();
    };
  }, [host, picture, mayUseGpu]);

  useEffect(() => {
    if (blurred) painter.current?.takeBlurred(blurred);
  }, [picture, blurred, mayUseGpu]);

  useEffect(() => {
    if (!shown) return;
    const frame = requestAnimationFrame(() => painter.current && paint(painter.current, picture, shown));
    return () => cancelAnimationFrame(frame);
  }, [picture, shown, blurred, mayUseGpu]);
}

function paint(painter: PicturePainter, picture: Picture, { view, look, viewport, lens }: Painted): void {
  const sharp = window.devicePixelRatio || 1;
  const device = { width: Math.round(viewport.width * sharp), height: Math.round(viewport.height * sharp) };
  const matrix = viewMatrix(view, picture, viewport);
  painter.paint(
    scaled(matrix, sharp),
    device,
    look,
    lens && {
      matrix: scaled(enlarged(matrix, lens.under, lens.at, lens.factor), sharp),
      at: [lens.at[0] * sharp, lens.at[1] * sharp],
      radius: lens.radius * sharp,
    },
  );
}

const scaled = ({ a, b, c, d, e, f }: Affine, by: number): Affine => ({
  a: a * by,
  b: b * by,
  c: c * by,
  d: d * by,
  e: e * by,
  f: f * by,
});
