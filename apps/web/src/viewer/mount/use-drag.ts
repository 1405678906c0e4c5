import { useEffect, useRef, useState, type MouseEvent, type PointerEvent } from "react";

/** An image that is dragged by mouse, pen or finger. */
export interface Dragged {
  id: string;
  x: number;
  y: number;
}
export interface Dragging {
  dragged: Dragged | null;
  /** The place under it, "" for the strip of unplaced images. */
  over: string | null;
  /** Event handlers for a draggable element. */
  source: (id: string) => {
    onPointerDown: (event: PointerEvent) => void;
    onClickCapture: (event: MouseEvent) => void;
  };
}

/** Pixels that a finger may move without starting a drag. */
const tremble = 6;

/**
 * Drop targets are marked by `data-place`. Pointer events replace the browser's own drag and drop, which touch cannot
 * start.
 */
export function useDrag(onDrop: (id: string, place: string) => void): Dragging {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const begun = useRef<Dragged | null>(null);
  const wasDragged = useRef(false);
  const drop = useRef(onDrop);
  useEffect(() => void (drop.current = onDrop));

  useEffect(() => {
    const end = () => {
      begun.current = null;
      setDragged(null);
      setOver(null);
    };
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      const from = begun.current;
      if (!from) return;
      if (!wasDragged.current && Math.hypot(x - from.x, y - from.y) < tremble) return;
      wasDragged.current = true;
      setDragged({ id: from.id, x, y });
      setOver(placeAt(x, y));
    };
    const up = ({ clientX, clientY }: globalThis.PointerEvent) => {
      const from = begun.current;
      const place = placeAt(clientX, clientY);
      if (from && wasDragged.current && place !== null) drop.current(from.id, place);
      end();
      // Runs after the click that this release may cause.
      setTimeout(() => void (wasDragged.current = false));
    };
    const keys = ({ key }: KeyboardEvent) => key === "Escape" && end();
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", end);
    addEventListener("keydown", keys);
    return () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", end);
      removeEventListener("keydown", keys);
    };
  }, []);

  return {
    dragged,
    over,
    source: (id) => ({
      onPointerDown: ({ button, clientX: x, clientY: y }) => {
        wasDragged.current = false;
        if (button === 0) begun.current = { id, x, y };
      },
      // The click that ends a drag selects nothing.
      onClickCapture: (event) => {
        if (wasDragged.current) event.stopPropagation();
        wasDragged.current = false;
      },
    }),
  };
}

const placeAt = (x: number, y: number): string | null =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-place]")?.dataset.place ?? null;
