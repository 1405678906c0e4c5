import { useEffect, useRef, useState, type MouseEvent, type PointerEvent } from "react";

/** An image that is dragged by mouse, pen or finger. */
export interface DraggedImage {
  id: string;
  x: number;
  y: number;
}
export interface ImageDrag {
  dragged: DraggedImage | null;
  /** The place under it, "" for the strip of unplaced images. */
  hoveredPlace: string | null;
  /** Event handlers for a draggable element. */
  handlersFor: (id: string) => {
    onPointerDown: (event: PointerEvent) => void;
    onClickCapture: (event: MouseEvent) => void;
  };
}

/** Pixels that a finger may move without starting a drag. */
const dragThreshold = 6;

/**
 * Drop targets are marked by `data-place`. Pointer events replace the browser's own drag and drop, which touch cannot
 * start.
 */
export function useImageDrag(onDrop: (id: string, place: string) => void): ImageDrag {
  const [dragged, setDragged] = useState<DraggedImage | null>(null);
  const [hoveredPlace, setHoveredPlace] = useState<string | null>(null);
  const pressStart = useRef<DraggedImage | null>(null);
  const wasDragged = useRef(false);
  const dropRef = useRef(onDrop);
  useEffect(() => void (dropRef.current = onDrop));

  useEffect(() => {
    const end = () => {
      pressStart.current = null;
      setDragged(null);
      setHoveredPlace(null);
    };
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      const from = pressStart.current;
      if (!from) return;
      if (!wasDragged.current && Math.hypot(x - from.x, y - from.y) < dragThreshold) return;
      wasDragged.current = true;
      setDragged({ id: from.id, x, y });
      setHoveredPlace(findPlaceAt(x, y));
    };
    const release = ({ clientX, clientY }: globalThis.PointerEvent) => {
      const from = pressStart.current;
      const place = findPlaceAt(clientX, clientY);
      if (from && wasDragged.current && place !== null) dropRef.current(from.id, place);
      end();
      // Runs after the click that this release may cause.
      setTimeout(() => void (wasDragged.current = false));
    };
    const cancelOnEscape = ({ key }: KeyboardEvent) => key === "Escape" && end();
    addEventListener("pointermove", move);
    addEventListener("pointerup", release);
    addEventListener("pointercancel", end);
    addEventListener("keydown", cancelOnEscape);
    return () => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", release);
      removeEventListener("pointercancel", end);
      removeEventListener("keydown", cancelOnEscape);
    };
  }, []);

  return {
    dragged,
    hoveredPlace,
    handlersFor: (id) => ({
      onPointerDown: ({ button, clientX: x, clientY: y }) => {
        wasDragged.current = false;
        if (button === 0) pressStart.current = { id, x, y };
      },
      // The click that ends a drag selects nothing.
      onClickCapture: (event) => {
        if (wasDragged.current) event.stopPropagation();
        wasDragged.current = false;
      },
    }),
  };
}

const findPlaceAt = (x: number, y: number): string | null =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-place]")?.dataset.place ?? null;
