import { useState } from "react";
import type { LinkedBy, LinkedView } from "@arcada/imaging/view/linked-view";

type SideName = "left" | "right";

/** The view of one of two linked images; null: all of the image is shown. */
export interface OneLinked {
  view: LinkedView | null;
  by: LinkedBy;
  set: (view: LinkedView | null) => void;
}

/** Two images that move together, or each by itself. */
export interface Linked {
  isOn: boolean;
  by: LinkedBy;
  toggle: () => void;
  toggleMm: () => void;
  fit: () => void;
  /** Zooms both of them, linked or not. */
  zoom: (factor: number) => void;
  of: (side: SideName) => OneLinked;
}

const nowhere: Record<SideName, LinkedView | null> = { left: null, right: null };
const whole: LinkedView = { zoom: 1, shift: [0, 0] };

/** Links by mm only while the spacing of both images is known. */
export function useLinked(hasMm: boolean): Linked {
  const [isOn, setOn] = useState(true);
  const [wantsMm, setWantsMm] = useState(false);
  const [views, setViews] = useState(nowhere);
  const by: LinkedBy = isOn && wantsMm && hasMm ? "mm" : "part";
  const fit = () => setViews(nowhere);
  const set = (side: SideName, view: LinkedView | null) =>
    setViews((now) => (isOn ? { left: view, right: view } : { ...now, [side]: view }));
  const nearer = (view: LinkedView | null, factor: number): LinkedView => {
    const now = view ?? whole;
    return { ...now, zoom: now.zoom * factor };
  };
  return {
    isOn,
    by,
    toggle: () => setOn(!isOn),
    // The two modes use different units: the zoom is reset.
    toggleMm: () => {
      setWantsMm(!wantsMm);
      fit();
    },
    fit,
    zoom: (factor) => setViews((now) => ({ left: nearer(now.left, factor), right: nearer(now.right, factor) })),
    of: (side) => ({ view: views[side], by, set: (view) => set(side, view) }),
  };
}
