import { useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent, SVGAttributes } from "react";
import { neighbourOf, spanOf } from "./tooth-chart-shapes.ts";

export interface ToothPicking {
  /** The one tooth that the tab key reaches. */
  stop: number;
  /** Teeth that a drag or shift and arrow keys have reached so far. */
  span: readonly number[];
  surface: SVGAttributes<SVGSVGElement>;
}

/** Clicks, drags and keys on the chart's teeth. */
export function useToothPicking(
  onTooth: ((tooth: number) => void) | undefined,
  onSpan: ((teeth: number[]) => void) | undefined,
): ToothPicking {
  const [stop, setStop] = useState(11);
  const [span, setSpan] = useState<readonly number[]>([]);
  const anchor = useRef<number | null>(null);

  const settle = (tooth: number, teeth: readonly number[]) => {
    anchor.current = null;
    setSpan([]);
    setStop(tooth);
    if (teeth.length > 1 && onSpan) onSpan([...teeth]);
    else onTooth?.(tooth);
  };
  const letGo = () => {
    anchor.current = null;
    setSpan([]);
  };
  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>) => {
    const tooth = toothOf(event.target);
    if (tooth === null) return;
    if (event.key === "Escape") return letGo();
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      return settle(tooth, span);
    }
    const next = neighbourOf(tooth, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setStop(next);
    focusTooth(event.currentTarget, next);
    if (!event.shiftKey) return letGo();
    anchor.current ??= tooth;
    setSpan(spanOf(anchor.current, next));
  };
  return {
    stop,
    span,
    surface: {
      onPointerDown(event) {
        const tooth = toothOf(event.target);
        if (tooth === null || event.button !== 0) return;
        anchor.current = tooth;
        setSpan([tooth]);
        // A finger captures what it touches first: then the other teeth would not be heard of.
        (event.target as Element).releasePointerCapture?.(event.pointerId);
      },
      onPointerMove(event) {
        const tooth = anchor.current !== null && event.buttons > 0 ? toothUnder(event) : null;
        if (tooth !== null && anchor.current !== null) setSpan(spanOf(anchor.current, tooth));
      },
      onPointerUp(event) {
        const tooth = anchor.current;
        if (tooth === null) return;
        const over = toothUnder(event);
        if (over === null && span.length < 2) return letGo();
        settle(tooth, span);
      },
      onPointerLeave: letGo,
      onPointerCancel: letGo,
      onKeyDown,
    },
  };
}

function toothOf(target: EventTarget | null): number | null {
  const found = target instanceof Element ? target.closest("[data-tooth]") : null;
  return found ? Number(found.getAttribute("data-tooth")) : null;
}
const toothUnder = (event: PointerEvent): number | null =>
  toothOf(document.elementFromPoint(event.clientX, event.clientY));

const focusTooth = (chart: SVGSVGElement, tooth: number): void =>
  chart.querySelector<SVGGElement>(`[data-tooth="${tooth}"]`)?.focus();
