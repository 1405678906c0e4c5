import { useEffect, useMemo, useRef, useState } from "react";
import type { Affine, Size } from "@arcada/imaging/view/image-view";
import type { PresentationDrawing } from "./presentation-state-layer.tsx";
import styles from "../image-viewport.module.css";

export interface OverlayToggle {
  /** True if the graphics that the device or a presentation state has stored over an image are shown. */
  isOn: boolean;
  /** Undefined if there is nothing to switch. */
  toggle: (() => void) | undefined;
}

/** The switch of the graphics stored over an image: shown until it is turned off. */
export function useOverlayToggle(isAvailable: boolean): OverlayToggle {
  const [isOn, setOn] = useState(true);
  return { isOn: isOn && isAvailable, toggle: isAvailable ? () => setOn((now) => !now) : undefined };
}

/** True if the drawing of a presentation state contains something that can be switched off. */
export const hasPresentationGraphics = (drawn: PresentationDrawing | null | undefined): boolean =>
  Boolean(drawn && (drawn.shutter || drawn.graphics.length + drawn.words.length > 0));

interface Props {
  bits: Uint8Array;
  image: { columns: number; rows: number };
  matrix: Affine;
  viewport: Size;
}

/** Draws the overlay with the image's orientation. */
export function OverlayLayer({ bits, image: { columns, rows }, matrix, viewport }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const plane = useMemo(() => createOverlayCanvas(bits, columns, rows), [bits, columns, rows]);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!canvas.current || !context) return;
    const pixelRatio = window.devicePixelRatio || 1;
    canvas.current.width = Math.round(viewport.width * pixelRatio);
    canvas.current.height = Math.round(viewport.height * pixelRatio);
    const { a, b, c, d, e, f } = matrix;
    context.setTransform(
      a * pixelRatio,
      b * pixelRatio,
      c * pixelRatio,
      d * pixelRatio,
      e * pixelRatio,
      f * pixelRatio,
    );
    context.imageSmoothingEnabled = Math.hypot(a, b) < 1;
    context.imageSmoothingQuality = "high";
    context.drawImage(plane, 0, 0);
  });
  return <canvas ref={canvas} className={styles.overlay} aria-hidden />;
}

/** Yellow, which no radiograph contains. */
const overlayColour = 0xff_5c_d8_ff;

function createOverlayCanvas(bits: Uint8Array, columns: number, rows: number): HTMLCanvasElement {
  const plane = document.createElement("canvas");
  plane.width = columns;
  plane.height = rows;
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let at = 0; at < pixels.length; at++) if (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) pixels[at] = overlayColour;
  plane.getContext("2d")?.putImageData(image, 0, 0);
  return plane;
}
