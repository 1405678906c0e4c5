import { useState } from "react";
import type { LinkMode, LinkedView } from "@arcada/imaging/view/linked-view";

type SideName = "left" | "right";

/** The view of one of two linked images; null: all of the image is shown. */
export interface LinkedSide {
  view: LinkedView | null;
  unit: LinkMode;
  set: (view: LinkedView | null) => void;
}

/** Two images that move together, or each by itself. */
export interface LinkedViews {
  isOn: boolean;
  unit: LinkMode;
  toggle: () => void;
  toggleMm: () => void;
  fit: () => void;
  /** Zooms both of them, linked or not. */
  zoom: (factor: number) => void;
  forSide: (side: SideName) => LinkedSide;
}

const initialViews: Record<SideName, LinkedView | null> = { left: null, right: null };
const wholeView: LinkedView = { zoom: 1, shift: [0, 0] };

/** Links by mm only while the spacing of both images is known. */
export function useLinkedViews(hasMm: boolean): LinkedViews {
  const [isOn, setOn] = useState(true);
  const [wantsMm, setWantsMm] = useState(false);
  const [views, setViews] = useState(initialViews);
  const unit: LinkMode = isOn && wantsMm && hasMm ? "mm" : "part";
  const fit = () => setViews(initialViews);
  const set = (side: SideName, view: LinkedView | null) =>
    setViews((now) => (isOn ? { left: view, right: view } : { ...now, [side]: view }));
  const zoomView = (view: LinkedView | null, factor: number): LinkedView => {
    const now = view ?? wholeView;
    return { ...now, zoom: now.zoom * factor };
  };
  return {
    isOn,
    unit,
    toggle: () => setOn(!isOn),
    // The two modes use different units: the zoom is reset.
    toggleMm: () => {
      setWantsMm(!wantsMm);
      fit();
    },
    fit,
    zoom: (factor) => setViews((now) => ({ left: zoomView(now.left, factor), right: zoomView(now.right, factor) })),
    forSide: (side) => ({ view: views[side], unit, set: (view) => set(side, view) }),
  };
}
