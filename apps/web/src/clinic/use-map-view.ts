import { useCallback, useEffect, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { clampView, zoomView } from "./map-clusters.ts";
import type { Size, MapView } from "./map-clusters.ts";

interface Point {
  x: number;
  y: number;
}

/** Pans and zooms a drawing by wheel, touch, mouse and keyboard. */
export function useMapView(initial: MapView, size: Size) {
  const [view, setView] = useState(initial);
  const svg = useRef<SVGSVGElement>(null);
  const pointers = useRef(new Map<number, Point>());
  const { width, height } = size;
  const zoom = useCallback(
    (by: number, at: Point = { x: width / 2, y: height / 2 }) =>
      setView((now) => zoomView(now, by, at, { width, height })),
    [width, height],
  );
  const pan = (by: Point) => setView(({ scale, x, y }) => clampView({ scale, x: x + by.x, y: y + by.y }, size));

  useEffect(() => {
    const element = svg.current;
    if (!element) return;
    // React registers wheel listeners as passive, so the page would scroll as well.
    const handleWheel = (event: WheelEvent) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 400), getPointIn(element, event));
    };
    element.addEventListener("wheel", handleWheel, { passive: false });
    return () => element.removeEventListener("wheel", handleWheel);
  }, [zoom]);

  const handlePointerMove = (event: PointerEvent<SVGSVGElement>) => {
    const before = pointers.current.get(event.pointerId);
    if (!before) return;
    const now = getPointIn(event.currentTarget, event);
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, now);
    if (other) zoom(distance(now, other) / Math.max(1, distance(before, other)), other);
    else pan({ x: now.x - before.x, y: now.y - before.y });
  };
  const handlePointerUp = (event: PointerEvent<SVGSVGElement>) => void pointers.current.delete(event.pointerId);
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = stepByKey[event.key];
    if (!step) return;
    event.preventDefault();
    if ("zoom" in step) zoom(step.zoom);
    else pan(step);
  };
  return {
    view,
    zoom,
    show: (next: MapView) => setView(next),
    props: {
      ref: svg,
      onPointerDown: (event: PointerEvent<SVGSVGElement>) =>
        void pointers.current.set(event.pointerId, getPointIn(event.currentTarget, event)),
      onPointerMove: handlePointerMove,
      onPointerUp: handlePointerUp,
      onPointerCancel: handlePointerUp,
      onPointerLeave: handlePointerUp,
      onKeyDown: handleKeyDown,
    },
  };
}

const panStep = 60;
const stepByKey: Readonly<Record<string, { zoom: number } | Point>> = {
  "+": { zoom: 1.5 },
  "=": { zoom: 1.5 },
  "-": { zoom: 1 / 1.5 },
  ArrowLeft: { x: panStep, y: 0 },
  ArrowRight: { x: -panStep, y: 0 },
  ArrowUp: { x: 0, y: panStep },
  ArrowDown: { x: 0, y: -panStep },
};
const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Returns the position relative to the map's corner. */
function getPointIn(svg: SVGSVGElement, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top } = svg.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}
