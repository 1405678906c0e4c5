import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";

const patience = 4000;
const moves = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/** Keeps the addressed section in view while content above it is still loading, until the reader scrolls. */
export function usePlace(): void {
  const place = useRouterState({ select: ({ location }) => location.hash });
  useEffect(() => {
    const part = place && document.getElementById(place);
    if (!part) return;
    const watch = new ResizeObserver(() => part.scrollIntoView({ block: "start" }));
    const stop = () => {
      clearTimeout(timer);
      watch.disconnect();
      for (const move of moves) removeEventListener(move, stop);
    };
    const timer = setTimeout(stop, patience);
    watch.observe(document.body);
    for (const move of moves) addEventListener(move, stop, { passive: true });
    return stop;
  }, [place]);
}
