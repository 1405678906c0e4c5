import { useState } from "react";
import type { Window } from "@arcada/imaging/picture/window";
import type { Spot } from "@arcada/imaging/view/measure";
import type { SlabMode, VolumeLook } from "@arcada/imaging/gl/volume-painter";
import type { DrawnTool } from "../marks/kind.ts";
import { draggedWindow } from "../picture/window-drag.ts";
import { placeOf, type PlaceName, type Side } from "./layout/layouts.ts";
import { usePaneViews, type PaneViews } from "./use-pane-views.ts";
import { useStance, type StanceControls } from "./use-stance.ts";
import type { VolumeStore } from "./volume-store.ts";

export type CtTool = "cross" | "window" | "pan" | "scroll" | DrawnTool;

export interface CtControls extends StanceControls, LookControls, Omit<PaneViews, "keepCross"> {
  tool: CtTool;
  setTool: (tool: CtTool) => void;
  reset: () => void;
  /** The place that keys and buttons work on. */
  active: PlaceName;
  activate: (place: PlaceName) => void;
  large: PlaceName | null;
  toggleLarge: (place: PlaceName) => void;
  /** The same with the planes of one joint, where a layout shows both side by side. */
  of: (side: Side | undefined) => CtControls;
}

/** Where the planes of a volume stand and how they look. */
export function useCtControls(store: VolumeStore, hasJoints: boolean): CtControls {
  const [tool, setTool] = useState<CtTool>("cross");
  const [active, activate] = useState<PlaceName>("axial");
  const [large, setLarge] = useState<PlaceName | null>(null);
  const { resetLook, ...look } = useLook(store);
  const stances = useStance(store, hasJoints, (...turned) => keepCross(...turned));
  const { keepCross, ...views } = usePaneViews(store, (place) => stances.stanceOf(placeOf(place).side));
  const reset = () => {
    views.fit();
    resetLook();
    stances.reset();
  };
  const hand = { tool, setTool, active, activate, large, reset };
  const toggleLarge = (place: PlaceName) => setLarge((now) => (now === place ? null : place));
  const of = (side: Side | undefined): CtControls => ({
    ...hand,
    ...look,
    ...views,
    ...stances.stanceOf(side),
    toggleLarge,
    of,
  });
  return of(undefined);
}

interface LookControls {
  look: VolumeLook;
  setWindow: (window: Window) => void;
  dragWindow: (by: Spot) => void;
  invert: () => void;
  setSlab: (slab: number, mode: SlabMode) => void;
}

function useLook(store: VolumeStore): LookControls & { resetLook: () => void } {
  const { info } = store;
  const [look, setLook] = useState(() => firstLook(store));
  return {
    look,
    setWindow: (window) => setLook((now) => ({ ...now, window })),
    dragWindow: (by) => setLook((now) => ({ ...now, window: draggedWindow(now.window, by, info.max - info.min) })),
    invert: () => setLook((now) => ({ ...now, inverted: !now.inverted })),
    setSlab: (slab, slabMode) => setLook((now) => ({ ...now, slab, slabMode })),
    resetLook: () => setLook(firstLook(store)),
  };
}

const firstLook = ({ info }: VolumeStore): VolumeLook => ({
  window: info.window,
  inverted: false,
  slab: 0,
  slabMode: "max",
  sample: Math.min(...info.spacing),
});
