import { useCallback, useEffect, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { held, zoomed } from "./bubbles.ts";
import type { Size, View } from "./bubbles.ts";

interface Point {
  x: number;
  y: number;
}

/** Pans and zooms a drawing by wheel, touch, mouse and keyboard. */
export function useMapView(start: View, size: Size) {
  const [view, setView] = useState(start);
  const svg = useRef<SVGSVGElement>(null);
  const fingers = useRef(new Map<number, Point>());
  const { width, height } = size;
  const zoom = useCallback(
    (by: number, at: Point = { x: width / 2, y: height / 2 }) =>
      setView((now) => zoomed(now, by, at, { width, height })),
    [width, height],
  );
  const push = (by: Point) => setView(({ scale, x, y }) => held({ scale, x: x + by.x, y: y + by.y }, size));

  useEffect(() => {
    const drawn = svg.current;
    if (!drawn) return;
    // React registers wheel listeners as passive, so the page would scroll as well.
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 400), pointOf(drawn, event));
    };
    drawn.addEventListener("wheel", turn, { passive: false });
    return () => drawn.removeEventListener("wheel", turn);
  }, [zoom]);

  const move = (event: PointerEvent<SVGSVGElement>) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const now = pointOf(event.currentTarget, event);
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1];
    fingers.current.set(event.pointerId, now);
    if (other) zoom(distance(now, other) / Math.max(1, distance(before, other)), other);
    else push({ x: now.x - before.x, y: now.y - before.y });
  };
  const lift = (event: PointerEvent<SVGSVGElement>) => void fingers.current.delete(event.pointerId);
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    if ("zoom" in step) zoom(step.zoom);
    else push(step);
  };
  return {
    view,
    zoom,
    show: (next: View) => setView(next),
    props: {
      ref: svg,
      onPointerDown: (event: PointerEvent<SVGSVGElement>) =>
        void fingers.current.set(event.pointerId, pointOf(event.currentTarget, event)),
      onPointerMove: move,
      onPointerUp: lift,
      onPointerCancel: lift,
      onPointerLeave: lift,
      onKeyDown: press,
    },
  };
}

const stride = 60;
const steps: Readonly<Record<string, { zoom: number } | Point>> = {
  "+": { zoom: 1.5 },
  "=": { zoom: 1.5 },
  "-": { zoom: 1 / 1.5 },
  ArrowLeft: { x: stride, y: 0 },
  ArrowRight: { x: -stride, y: 0 },
  ArrowUp: { x: 0, y: stride },
  ArrowDown: { x: 0, y: -stride },
};
const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Returns the position relative to the map's corner. */
function pointOf(svg: SVGSVGElement, { clientX, clientY }: { clientX: number; clientY: number }): Point {
  const { left, top } = svg.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}
