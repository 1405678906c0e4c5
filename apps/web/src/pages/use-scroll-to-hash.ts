import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";

const maxWaitMs = 4000;
const scrollEvents = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

/** Keeps the addressed section in view while content above it is still loading, until the reader scrolls. */
export function useScrollToHash(): void {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  useEffect(() => {
    const section = hash && document.getElementById(hash);
    if (!section) return;
    const observer = new ResizeObserver(() => section.scrollIntoView({ block: "start" }));
    const stop = () => {
      clearTimeout(timer);
      observer.disconnect();
      for (const move of scrollEvents) removeEventListener(move, stop);
    };
    const timer = setTimeout(stop, maxWaitMs);
    observer.observe(document.body);
    for (const move of scrollEvents) addEventListener(move, stop, { passive: true });
    return stop;
  }, [hash]);
}
