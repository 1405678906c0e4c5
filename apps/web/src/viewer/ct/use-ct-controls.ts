import { useState } from "react";
import type { Window } from "@arcada/imaging/picture/window";
import type { Spot } from "@arcada/imaging/view/measure";
import type { SlabMode, VolumeLook } from "@arcada/imaging/gl/volume-painter";
import type { Plane, PlaneName } from "@arcada/imaging/view/plane";
import { planesThrough, straightPlanes, turnedPlanes, type Planes } from "@arcada/imaging/view/turned-planes";
import type { Vector } from "@arcada/imaging/view/vector";
import type { DrawnTool } from "../marks/kind.ts";
import { draggedWindow } from "../picture/window-drag.ts";
import { placeOf, placesOf, type LayoutName, type PlaceName, type Side } from "./layout/layouts.ts";
import { usePaneViews, type PaneViews } from "./use-pane-views.ts";
import { useStance, type StanceControls, type Turned } from "./use-stance.ts";
import type { VolumeStore } from "./volume-store.ts";

export type CtTool = "cross" | "window" | "pan" | "scroll" | DrawnTool;

export interface CtControls
  extends Omit<StanceControls, "setPlanes">, LookControls, Omit<PaneViews, "keepCross" | "enter"> {
  tool: CtTool;
  setTool: (tool: CtTool) => void;
  /** Rotates the two other planes' lines on the screen of this one, clockwise; degrees. */
  turn: (name: PlaneName, degrees: number) => void;
  /** Rotates all planes so that this one has the given axes, and moves the crosshair to the point. */
  lookAlong: (name: PlaneName, plane: Pick<Plane, "right" | "down">, point: Vector) => void;
  straighten: () => void;
  /** Shows a layout in its initial state. */
  enter: (layout: LayoutName) => void;
  reset: () => void;
  /** The place that is the target of keys and buttons. */
  active: PlaceName;
  activate: (place: PlaceName) => void;
  large: PlaceName | null;
  toggleLarge: (place: PlaceName) => void;
  /** The part of the state that can be undone: not the position and zoom. */
  looked: CtLooked;
  showLooked: (looked: CtLooked) => void;
  /** The same controls with the planes of one joint, in a layout that shows both side by side. */
  of: (side: Side | undefined) => CtControls;
}

interface CtLooked {
  look: VolumeLook;
  turned: Turned;
}

/** The positions of a volume's planes and their display settings. */
export function useCtControls(store: VolumeStore, layout: LayoutName): CtControls {
  const [tool, setTool] = useState<CtTool>("cross");
  const [active, activate] = useState<PlaceName>(() => placesOf(layout)[0] ?? "axial");
  const [large, setLarge] = useState<PlaceName | null>(null);
  const { resetLook, putLook, ...look } = useLook(store);
  const stances = useStance(store, layout === "tmj");
  const {
    keepCross,
    enter: show,
    ...views
  } = usePaneViews(store, (place) => stances.stanceOf(placeOf(place).side), layout);
  const reset = () => {
    views.fit();
    resetLook();
    stances.reset();
  };
  const enter = (next: LayoutName) =>
    show(next, (place) => {
      const { side } = placeOf(place);
      return side ? stances.stanceOf(side) : stances.mainStance;
    });
  const toggleLarge = (place: PlaceName) => setLarge((now) => (now === place ? null : place));
  const of = (side: Side | undefined): CtControls => {
    const { setPlanes, ...stance } = stances.stanceOf(side);
    const turnBy = (change: (now: Planes) => Planes, point?: Vector) => keepCross(...setPlanes(change, point), side);
    return {
      ...look,
      ...views,
      ...stance,
      tool,
      setTool,
      active,
      activate,
      large,
      toggleLarge,
      reset,
      enter,
      of,
      looked: { look: look.look, turned: stances.turned },
      showLooked: (looked) => {
        putLook(looked.look);
        stances.turnTo(looked.turned);
      },
      turn: (name, degrees) => turnBy((now) => turnedPlanes(now, name, degrees)),
      lookAlong: (name, { right, down }, point) => turnBy((now) => planesThrough(now, name, right, down), point),
      straighten: () => turnBy(() => straightPlanes),
    };
  };
  return of(undefined);
}

/** mm of the thickest slab. */
export const thickest = 40;

interface LookControls {
  look: VolumeLook;
  setWindow: (window: Window) => void;
  dragWindow: (by: Spot) => void;
  invert: () => void;
  /** mm; 0 is a single slice. Without a mode the last one is kept. */
  setSlab: (slab: number, mode?: SlabMode) => void;
}

function useLook(store: VolumeStore): LookControls & { resetLook: () => void; putLook: (look: VolumeLook) => void } {
  const { info } = store;
  const [look, setLook] = useState(() => firstLook(store));
  return {
    look,
    setWindow: (window) => setLook((now) => ({ ...now, window })),
    dragWindow: (by) => setLook((now) => ({ ...now, window: draggedWindow(now.window, by, info.max - info.min) })),
    invert: () => setLook((now) => ({ ...now, inverted: !now.inverted })),
    setSlab: (slab, slabMode) =>
      setLook((now) => ({
        ...now,
        slab: Math.min(thickest, Math.max(0, Math.round(slab * 2) / 2)),
        slabMode: slabMode ?? now.slabMode,
      })),
    putLook: setLook,
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
