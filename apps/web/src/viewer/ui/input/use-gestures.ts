import { use, useEffect, useLayoutEffect, useRef, type RefObject } from "react";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import { ViewerSurfaceContext } from "../page/viewer-surface.tsx";

/** The gestures on a viewing surface. Points are CSS pixels from its top left corner. */
export interface Gestures {
  /** One finger or a button goes down. `button`: 0 main, 1 middle, 2 second. */
  press?: (at: Point2D, button: number) => void;
  drag?: (at: Point2D, by: Point2D, button: number) => void;
  release?: (at: Point2D, button: number) => void;
  /** A second finger came: the gesture of the first is void. */
  cancel?: () => void;
  /** Two fingers, or a wheel with the control key. */
  pinch?: (at: Point2D, factor: number, by: Point2D) => void;
  /** Notches of the wheel, downwards positive. */
  wheel?: (at: Point2D, notches: number) => void;
  /** The pointer without a button; null when it leaves. */
  hover?: (at: Point2D | null) => void;
  doubleClick?: (at: Point2D) => void;
}

/** Follows pointers on an element: mouse, pen and touch alike. */
export function useGestures(target: RefObject<HTMLElement | null>, gestures: Gestures): void {
  const latest = useRef(gestures);
  useLayoutEffect(() => void (latest.current = gestures));
  const { root, isWholePage } = use(ViewerSurfaceContext);
  useEffect(() => {
    const element = target.current;
    if (!element) return;
    const stop = new AbortController();
    // A viewer that is part of a page lets the page scroll until it has the focus.
    const acceptsWheel = () => isWholePage || (root.current?.contains(document.activeElement) ?? false);
    follow(element, latest, acceptsWheel, stop.signal);
    return () => stop.abort();
  }, [target, root, isWholePage]);
}

function follow(
  element: HTMLElement,
  latest: { current: Gestures },
  acceptsWheel: () => boolean,
  signal: AbortSignal,
): void {
  const on: Listen = (type, listen) => element.addEventListener(type, listen, { signal, passive: false });
  const toPoint = (event: MouseEvent): Point2D => {
    const { left, top } = element.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  followPointers(element, latest, on, toPoint);
  on("contextmenu", (event) => event.preventDefault());
  on("dblclick", (event) => handlesOwnPress(event) || latest.current.doubleClick?.(toPoint(event)));
  on("wheel", (event) => {
    if (!acceptsWheel()) return;
    event.preventDefault();
    // Firefox counts lines, Chrome pixels: about 100 pixels or 3 lines are one notch.
    const notches = event.deltaY / (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 3 : 100);
    if (event.ctrlKey) latest.current.pinch?.(toPoint(event), Math.exp(-notches), [0, 0]);
    else latest.current.wheel?.(toPoint(event), notches);
  });
}

type Listen = <K extends keyof HTMLElementEventMap>(type: K, listen: (event: HTMLElementEventMap[K]) => void) => void;

function followPointers(
  element: HTMLElement,
  latest: { current: Gestures },
  on: Listen,
  toPoint: (event: MouseEvent) => Point2D,
): void {
  const pointers = new Map<number, Point2D>();
  let button = 0;
  let isDrag = false;
  on("pointerdown", (event) => {
    if (handlesOwnPress(event)) return;
    if (event.pointerType === "touch") releaseFocus(event);
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, toPoint(event));
    if (pointers.size === 2 && isDrag) {
      isDrag = false;
      latest.current.cancel?.();
    }
    if (pointers.size > 1) return;
    [button, isDrag] = [event.button, true];
    latest.current.press?.(toPoint(event), button);
  });
  on("pointermove", (event) => {
    const at = toPoint(event);
    const before = pointers.get(event.pointerId);
    if (!before) return latest.current.hover?.(at);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, at);
    const by: Point2D = [at[0] - before[0], at[1] - before[1]];
    if (other) pinch(latest.current, before, at, other, by);
    else if (isDrag) latest.current.drag?.(at, by, button);
    if (isDrag && event.pointerType === "mouse") latest.current.hover?.(at);
  });
  const end = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId) || !isDrag) return;
    isDrag = false;
    if (event.type === "pointercancel") latest.current.cancel?.();
    else latest.current.release?.(toPoint(event), button);
  };
  on("pointerup", end);
  on("pointercancel", end);
  on("pointerleave", () => latest.current.hover?.(null));
}

const pinch = (to: Gestures, before: Point2D, at: Point2D, other: Point2D, [x, y]: Point2D): void =>
  to.pinch?.(middle(at, other), span(at, other) / Math.max(1, span(before, other)), [x / 2, y / 2]);

/**
 * A tap's mouse events come after it and would take the focus from the element that the tap has opened, so they are
 * suppressed. Nothing else takes the focus from the input in progress, which is over now, so it is removed here.
 */
function releaseFocus(event: PointerEvent): void {
  event.preventDefault();
  if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
}

/**
 * Handles of annotations, sliders and buttons over the surface handle their own presses: they carry `data-holds-press`.
 */
const handlesOwnPress = ({ target }: Event): boolean =>
  target instanceof Element && target.closest("[data-holds-press]") !== null;

const middle = (a: Point2D, b: Point2D): Point2D => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
const span = (a: Point2D, b: Point2D): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
