import { useEffect, useState } from "react";

const maxWaitMs = 4000;
const scrollEvents = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
/** A section whose heading is above this line of the window, in pixels, is being read. */
const readingLine = 160;

/** Returns the section that is being read, and a function that names the one that was chosen. */
export function useCurrentSection(ids: readonly string[]): [string | undefined, (id: string) => void] {
  const [current, setCurrent] = useState(() => findAnchored(ids) ?? ids[0]);
  useScrollToAnchor();
  const key = ids.join(" ");
  useEffect(() => {
    const all = key.split(" ");
    const update = () => setCurrent(findSectionInView(all));
    addEventListener("scroll", update, { passive: true });
    return () => removeEventListener("scroll", update);
  }, [key]);
  return [current, setCurrent];
}

const findAnchored = (ids: readonly string[]): string | undefined => ids.find((id) => `#${id}` === location.hash);

function findSectionInView(ids: readonly string[]): string | undefined {
  const { scrollHeight } = document.documentElement;
  // At the end of the page the last section may be too short to reach the line.
  if (scrollY > 0 && scrollY + innerHeight >= scrollHeight - 2) return findAnchored(ids) ?? ids.at(-1);
  const isAbove = (id: string) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < readingLine;
  return ids.findLast(isAbove) ?? ids[0];
}

/** Keeps the addressed section in view while content above it is still loading, until the reader scrolls. */
function useScrollToAnchor(): void {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const update = () => setHash(location.hash);
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  useEffect(() => {
    const section = hash && document.getElementById(hash.slice(1));
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
