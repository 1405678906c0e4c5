import { useState } from "react";
import { safetyDistanceKinds, defaultSafetyDistances, type SafetyDistances } from "./plan-warnings.ts";

export interface SafetyDistanceControls {
  /** The distances below which the viewer warns, as this user set them in this browser. */
  safetyDistances: SafetyDistances;
  setSafetyDistances: (safetyDistances: SafetyDistances) => void;
}

const storageKey = "arcada.ct.gaps";
/** The order in which they are stored: new ones come last. */
const storedKinds = [...safetyDistanceKinds, "parallel"] as const;

export function useSafetyDistances(): SafetyDistanceControls {
  const [safetyDistances, updateDistances] = useState(loadSafetyDistances);
  return {
    safetyDistances,
    setSafetyDistances: (next) => {
      localStorage.setItem(storageKey, storedKinds.map((name) => next[name]).join(" "));
      updateDistances(next);
    },
  };
}

/** An older version stored fewer of them. */
function loadSafetyDistances(): SafetyDistances {
  const stored = (localStorage.getItem(storageKey) ?? "").split(" ").map(Number);
  const of = (name: (typeof storedKinds)[number]): number =>
    stored[storedKinds.indexOf(name)] || defaultSafetyDistances[name];
  return {
    canal: of("canal"),
    implants: of("implants"),
    root: of("root"),
    sinus: of("sinus"),
    parallel: of("parallel"),
  };
}
