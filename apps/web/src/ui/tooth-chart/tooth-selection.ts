import { useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent, SVGAttributes } from "react";
import { findNeighbour, findTeethBetween } from "./tooth-chart-layout.ts";

export interface ToothSelection {
  /** The only tooth that the tab key reaches. */
  tabStop: number;
  /** Teeth that a drag, or shift and arrow keys, have selected so far. */
  span: readonly number[];
  surface: SVGAttributes<SVGSVGElement>;
}
type OnTooth = ((tooth: number) => void) | undefined;
type OnSpan = ((teeth: number[]) => void) | undefined;

/** Clicks, drags and keys on the chart's teeth. */
export function useToothSelection(
  rows: readonly (readonly number[])[],
  onTooth: OnTooth,
  onSpan: OnSpan,
): ToothSelection {
  const [last, setStop] = useState(11);
  const tabStop = rows.some((row) => row.includes(last)) ? last : rows[0]![rows[0]!.length / 2 - 1]!;
  const range = useToothRange((tooth, teeth) => {
    setStop(tooth);
    if (teeth.length > 1 && onSpan) onSpan([...teeth]);
    else onTooth?.(tooth);
  });
  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>) => {
    const tooth = findTooth(event.target);
    if (tooth === null) return;
    if (event.key === "Escape") return range.cancel();
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      return range.confirm(tooth);
    }
    const next = findNeighbour(tooth, event.key, rows);
    if (next === undefined) return;
    event.preventDefault();
    setStop(next);
    focusTooth(event.currentTarget, next);
    if (event.shiftKey) range.extend(tooth, next);
    else range.cancel();
  };
  return { tabStop, span: range.span, surface: { ...pointerHandlers(range), onKeyDown } };
}

interface ToothRange {
  span: readonly number[];
  isOpen: () => boolean;
  hasSeveral: () => boolean;
  start: (tooth: number) => void;
  /** Extends the selection to a tooth, from its start or from `start`. */
  extend: (start: number, tooth: number) => void;
  confirm: (tooth?: number) => void;
  cancel: () => void;
}

/** A selection of teeth from a first one, until it is confirmed or cancelled. */
function useToothRange(onSettled: (tooth: number, span: readonly number[]) => void): ToothRange {
  const [span, setSpan] = useState<readonly number[]>([]);
  const anchor = useRef<number | null>(null);
  // A ref, because the finger may be lifted before React has rendered the last selection.
  const selected = useRef<readonly number[]>([]);
  const select = (teeth: readonly number[]) => {
    selected.current = teeth;
    setSpan(teeth);
  };
  const cancel = () => {
    anchor.current = null;
    select([]);
  };
  return {
    span,
    isOpen: () => anchor.current !== null,
    hasSeveral: () => selected.current.length > 1,
    start(tooth) {
      anchor.current = tooth;
      select([tooth]);
    },
    extend(start, tooth) {
      anchor.current ??= start;
      select(findTeethBetween(anchor.current, tooth));
    },
    confirm(at) {
      const tooth = at ?? anchor.current;
      const teeth = selected.current;
      cancel();
      if (tooth !== null) onSettled(tooth, teeth);
    },
    cancel,
  };
}

const pointerHandlers = (range: ToothRange): SVGAttributes<SVGSVGElement> => ({
  onPointerDown(event) {
    const tooth = findTooth(event.target);
    if (tooth === null || event.button !== 0) return;
    range.start(tooth);
    // A touch captures its first target; release it, so that the other teeth get events.
    (event.target as Element).releasePointerCapture?.(event.pointerId);
  },
  onPointerMove(event) {
    const tooth = range.isOpen() && event.buttons > 0 ? findToothUnderPointer(event) : null;
    if (tooth !== null) range.extend(tooth, tooth);
  },
  onPointerUp(event) {
    if (!range.isOpen()) return;
    if (findToothUnderPointer(event) === null && !range.hasSeveral()) return range.cancel();
    range.confirm();
  },
  onPointerLeave: range.cancel,
  onPointerCancel: range.cancel,
});

function findTooth(target: EventTarget | null): number | null {
  const found = target instanceof Element ? target.closest("[data-tooth]") : null;
  return found ? Number(found.getAttribute("data-tooth")) : null;
}
const findToothUnderPointer = (event: PointerEvent): number | null =>
  findTooth(document.elementFromPoint(event.clientX, event.clientY));

const focusTooth = (chart: SVGSVGElement, tooth: number): void =>
  chart.querySelector<SVGGElement>(`[data-tooth="${tooth}"]`)?.focus();
