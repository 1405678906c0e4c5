import { useState } from "react";
import { safeGaps, type Gaps } from "./plan.ts";

export interface GapControls {
  /** What is warned of, as this person set it in this browser. */
  gaps: Gaps;
  setGaps: (gaps: Gaps) => void;
}

const key = "arcada.ct.gaps";

export function useGaps(): GapControls {
  const [gaps, show] = useState(keptGaps);
  return {
    gaps,
    setGaps: (next) => {
      localStorage.setItem(key, `${next.canal} ${next.implants}`);
      show(next);
    },
  };
}

function keptGaps(): Gaps {
  const [canal, implants] = (localStorage.getItem(key) ?? "").split(" ").map(Number);
  return { canal: canal || safeGaps.canal, implants: implants || safeGaps.implants };
}
