import { useState } from "react";
import { gapNames, safeGaps, type Gaps } from "./plan-warnings.ts";

export interface GapControls {
  /** The distances below which the viewer warns, as this user set them in this browser. */
  gaps: Gaps;
  setGaps: (gaps: Gaps) => void;
}

const key = "arcada.ct.gaps";

export function useGaps(): GapControls {
  const [gaps, show] = useState(keptGaps);
  return {
    gaps,
    setGaps: (next) => {
      localStorage.setItem(key, gapNames.map((name) => next[name]).join(" "));
      show(next);
    },
  };
}

/** An older version stored fewer of them. */
function keptGaps(): Gaps {
  const kept = (localStorage.getItem(key) ?? "").split(" ").map(Number);
  const of = (name: (typeof gapNames)[number]): number => kept[gapNames.indexOf(name)] || safeGaps[name];
  return { canal: of("canal"), implants: of("implants"), root: of("root") };
}
