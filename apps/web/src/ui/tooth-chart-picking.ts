import { useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent, SVGAttributes } from "react";
import { neighbourOf, spanOf } from "./tooth-chart-shapes.ts";

export interface ToothPicking {
  /** The only tooth that the tab key reaches. */
  stop: number;
  /** Teeth that a drag, or shift and arrow keys, have selected so far. */
  span: readonly number[];
  surface: SVGAttributes<SVGSVGElement>;
}
type OnTooth = ((tooth: number) => void) | undefined;
type OnSpan = ((teeth: number[]) => void) | undefined;

/** Clicks, drags and keys on the chart's teeth. */
export function useToothPicking(rows: readonly (readonly number[])[], onTooth: OnTooth, onSpan: OnSpan): ToothPicking {
  const [last, setStop] = useState(11);
  const stop = rows.some((row) => row.includes(last)) ? last : rows[0]![rows[0]!.length / 2 - 1]!;
  const reach = useReach((tooth, teeth) => {
    setStop(tooth);
    if (teeth.length > 1 && onSpan) onSpan([...teeth]);
    else onTooth?.(tooth);
  });
  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>) => {
    const tooth = toothOf(event.target);
    if (tooth === null) return;
    if (event.key === "Escape") return reach.letGo();
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      return reach.settle(tooth);
    }
    const next = neighbourOf(tooth, event.key, rows);
    if (next === undefined) return;
    event.preventDefault();
    setStop(next);
    focusTooth(event.currentTarget, next);
    if (event.shiftKey) reach.extend(tooth, next);
    else reach.letGo();
  };
  return { stop, span: reach.span, surface: { ...pointerHandlers(reach), onKeyDown } };
}

interface Reach {
  span: readonly number[];
  isOpen: () => boolean;
  isWide: () => boolean;
  begin: (tooth: number) => void;
  /** Extends the selection to a tooth, from its start or from `start`. */
  extend: (start: number, tooth: number) => void;
  settle: (tooth?: number) => void;
  letGo: () => void;
}

/** A selection of teeth from a first one, until it is confirmed or cancelled. */
function useReach(onSettled: (tooth: number, span: readonly number[]) => void): Reach {
  const [span, setSpan] = useState<readonly number[]>([]);
  const anchor = useRef<number | null>(null);
  // A ref, because the finger may be lifted before React has rendered the last selection.
  const reached = useRef<readonly number[]>([]);
  const reachTo = (teeth: readonly number[]) => {
    reached.current = teeth;
    setSpan(teeth);
  };
  const letGo = () => {
    anchor.current = null;
    reachTo([]);
  };
  return {
    span,
    isOpen: () => anchor.current !== null,
    isWide: () => reached.current.length > 1,
    begin(tooth) {
      anchor.current = tooth;
      reachTo([tooth]);
    },
    extend(start, tooth) {
      anchor.current ??= start;
      reachTo(spanOf(anchor.current, tooth));
    },
    settle(at) {
      const tooth = at ?? anchor.current;
      const teeth = reached.current;
      letGo();
      if (tooth !== null) onSettled(tooth, teeth);
    },
    letGo,
  };
}

const pointerHandlers = (reach: Reach): SVGAttributes<SVGSVGElement> => ({
  onPointerDown(event) {
    const tooth = toothOf(event.target);
    if (tooth === null || event.button !== 0) return;
    reach.begin(tooth);
    // A touch captures its first target; release it, so that the other teeth get events.
    (event.target as Element).releasePointerCapture?.(event.pointerId);
  },
  onPointerMove(event) {
    const tooth = reach.isOpen() && event.buttons > 0 ? toothUnder(event) : null;
    if (tooth !== null) reach.extend(tooth, tooth);
  },
  onPointerUp(event) {
    if (!reach.isOpen()) return;
    if (toothUnder(event) === null && !reach.isWide()) return reach.letGo();
    reach.settle();
  },
  onPointerLeave: reach.letGo,
  onPointerCancel: reach.letGo,
});

function toothOf(target: EventTarget | null): number | null {
  const found = target instanceof Element ? target.closest("[data-tooth]") : null;
  return found ? Number(found.getAttribute("data-tooth")) : null;
}
const toothUnder = (event: PointerEvent): number | null =>
  toothOf(document.elementFromPoint(event.clientX, event.clientY));

const focusTooth = (chart: SVGSVGElement, tooth: number): void =>
  chart.querySelector<SVGGElement>(`[data-tooth="${tooth}"]`)?.focus();
