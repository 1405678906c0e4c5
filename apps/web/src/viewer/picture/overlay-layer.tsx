import { useEffect, useMemo, useRef, useState } from "react";
import type { Affine, Size } from "@arcada/imaging/view/picture-view";
import type { StateDrawing } from "./state-layer.tsx";
import styles from "./picture-pane.module.css";

export interface OverlaySwitch {
  /** True if the graphics that the device or a presentation state has stored over an image are shown. */
  isOn: boolean;
  /** Undefined if there is nothing to switch. */
  flip: (() => void) | undefined;
}

/** The switch of the graphics stored over an image: shown until it is turned off. */
export function useOverlay(isThere: boolean): OverlaySwitch {
  const [isOn, setOn] = useState(true);
  return { isOn: isOn && isThere, flip: isThere ? () => setOn((now) => !now) : undefined };
}

/** True if the drawing of a presentation state contains something that can be switched off. */
export const hasDrawing = (drawn: StateDrawing | null | undefined): boolean =>
  Boolean(drawn && (drawn.shutter || drawn.graphics.length + drawn.words.length > 0));

interface Props {
  bits: Uint8Array;
  picture: { columns: number; rows: number };
  matrix: Affine;
  viewport: Size;
}

/** Draws the overlay with the image's orientation. */
export function OverlayLayer({ bits, picture: { columns, rows }, matrix, viewport }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const plane = useMemo(() => planeOf(bits, columns, rows), [bits, columns, rows]);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!canvas.current || !context) return;
    const sharp = window.devicePixelRatio || 1;
    canvas.current.width = Math.round(viewport.width * sharp);
    canvas.current.height = Math.round(viewport.height * sharp);
    const { a, b, c, d, e, f } = matrix;
    context.setTransform(a * sharp, b * sharp, c * sharp, d * sharp, e * sharp, f * sharp);
    context.imageSmoothingEnabled = Math.hypot(a, b) < 1;
    context.imageSmoothingQuality = "high";
    context.drawImage(plane, 0, 0);
  });
  return <canvas ref={canvas} className={styles.overlay} aria-hidden />;
}

/** Yellow, which no radiograph contains. */
const ink = 0xff_5c_d8_ff;

function planeOf(bits: Uint8Array, columns: number, rows: number): HTMLCanvasElement {
  const plane = document.createElement("canvas");
  plane.width = columns;
  plane.height = rows;
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let at = 0; at < pixels.length; at++) if (((bits[at >> 3] ?? 0) >> (at & 7)) & 1) pixels[at] = ink;
  plane.getContext("2d")?.putImageData(image, 0, 0);
  return plane;
}
