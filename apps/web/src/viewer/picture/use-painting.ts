import { useEffect, useRef, useState, type RefObject } from "react";
import { viewMatrix, type PictureView, type Size } from "@arcada/imaging/view/picture-view";
import type { Look, Picture, PicturePainter } from "@arcada/imaging/gl/picture";
import { openPainter } from "@arcada/imaging/gl/picture-painter";

/** Keeps the picture inside `host` drawn as the view and the look say, at most once for each frame of the screen. */
export function usePainting(
  host: RefObject<HTMLElement | null>,
  picture: Picture,
  shown: { view: PictureView; look: Look; viewport: Size } | null,
): void {
  const painter = useRef<PicturePainter | null>(null);
  // A lost context comes back late or never; the look-up table works at once.
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
    if (!shown) return;
    const frame = requestAnimationFrame(() => {
      const sharp = window.devicePixelRatio || 1;
      const device = {
        width: Math.round(shown.viewport.width * sharp),
        height: Math.round(shown.viewport.height * sharp),
      };
      const { a, b, c, d, e, f } = viewMatrix(shown.view, picture, shown.viewport);
      painter.current?.paint(
        { a: a * sharp, b: b * sharp, c: c * sharp, d: d * sharp, e: e * sharp, f: f * sharp },
        device,
        shown.look,
      );
    });
    return () => cancelAnimationFrame(frame);
  }, [picture, shown, mayUseGpu]);
}
