import { useState } from "react";
import type { Window } from "@arcada/imaging/picture/window";
import type { Spot } from "@arcada/imaging/view/measure";
import {
  depthOf,
  fittedPane,
  planes,
  sliceAt,
  snapped,
  stackOf,
  withDepth,
  zoomedPane,
  type PaneView,
  type PlaneName,
} from "@arcada/imaging/view/plane";
import type { Size } from "@arcada/imaging/view/picture-view";
import { dot, type Vector } from "@arcada/imaging/view/vector";
import type { SlabMode, VolumeLook } from "@arcada/imaging/gl/volume-painter";
import type { DrawnTool } from "../marks/kind.ts";
import { draggedWindow } from "../picture/window-drag.ts";
import type { VolumeStore } from "./volume-store.ts";

export type CtTool = "cross" | "window" | "pan" | "scroll" | DrawnTool;

export interface CtControls {
  tool: CtTool;
  setTool: (tool: CtTool) => void;
  cross: Vector;
  setCross: (point: Vector) => void;
  setDepth: (name: PlaneName, depth: number) => void;
  /** Whole steps of `notches` are gone, the rest is kept for the next turn of the wheel. */
  scroll: (name: PlaneName, notches: number, keepRest: (rest: number) => void) => void;
  look: VolumeLook;
  setWindow: (window: Window) => void;
  dragWindow: (by: Spot) => void;
  invert: () => void;
  setSlab: (slab: number, mode: SlabMode) => void;
  viewOf: (name: PlaneName, pane: Size) => PaneView;
  pan: (name: PlaneName, by: Spot) => void;
  zoom: (name: PlaneName, at: Spot | null, factor: number, by: Spot) => void;
  fit: () => void;
  reset: () => void;
  active: PlaneName;
  activate: (name: PlaneName) => void;
  large: PlaneName | null;
  toggleLarge: (name: PlaneName) => void;
}

/** Where the planes of a volume stand and how they look. */
export function useCtControls(store: VolumeStore): CtControls {
  const { info } = store;
  const [tool, setTool] = useState<CtTool>("cross");
  const [cross, setCross] = useState<Vector>(store.middle);
  const [look, setLook] = useState(() => firstLook(store));
  const [active, activate] = useState<PlaneName>("axial");
  const [large, setLarge] = useState<PlaneName | null>(null);
  const { fit, ...views } = usePaneViews(store);
  return {
    tool,
    setTool,
    cross,
    setCross: (point) => setCross(snapped(info, point)),
    setDepth: (name, depth) => setCross((now) => withDepth(planes[name], now, depth)),
    scroll: (name, notches, keepRest) => {
      const steps = Math.trunc(notches);
      keepRest(notches - steps);
      if (steps !== 0) setCross((now) => stepped(store, name, now, steps));
    },
    look,
    setWindow: (window) => setLook((now) => ({ ...now, window })),
    dragWindow: (by) => setLook((now) => ({ ...now, window: draggedWindow(now.window, by, info.max - info.min) })),
    invert: () => setLook((now) => ({ ...now, inverted: !now.inverted })),
    setSlab: (slab, slabMode) => setLook((now) => ({ ...now, slab, slabMode })),
    ...views,
    fit,
    reset: () => {
      fit();
      setLook(firstLook(store));
      setCross(store.middle);
    },
    active,
    activate,
    large,
    toggleLarge: (name) => setLarge((now) => (now === name ? null : name)),
  };
}

/** What part of its plane each pane shows. A pane without a view of its own shows the whole volume, whatever its size. */
function usePaneViews({ info }: VolumeStore): Pick<CtControls, "viewOf" | "pan" | "zoom" | "fit"> {
  const [views, setViews] = useState<Partial<Record<PlaneName, PaneView>>>({});
  const [sizes] = useState(() => new Map<PlaneName, Size>());
  const alter = (name: PlaneName, change: (view: PaneView, pane: Size) => PaneView) => {
    const pane = sizes.get(name);
    if (!pane) return;
    setViews((now) => ({ ...now, [name]: change(now[name] ?? fittedPane(info, planes[name], pane), pane) }));
  };
  const pan = (name: PlaneName, [x, y]: Spot) =>
    alter(name, ({ scale, middle }) => ({ scale, middle: [middle[0] - x / scale, middle[1] - y / scale] }));
  return {
    viewOf: (name, pane) => {
      sizes.set(name, { width: pane.width, height: pane.height });
      return views[name] ?? fittedPane(info, planes[name], pane);
    },
    pan,
    zoom: (name, at, factor, by) => {
      alter(name, (view, pane) => zoomedPane(view, pane, at ?? [pane.width / 2, pane.height / 2], factor));
      if (by[0] !== 0 || by[1] !== 0) pan(name, by);
    },
    fit: () => setViews({}),
  };
}

const firstLook = ({ info }: VolumeStore): VolumeLook => ({
  window: info.window,
  inverted: false,
  slab: 0,
  slabMode: "max",
  sample: Math.min(...info.spacing),
});

/** The point so many slices further along a plane, within the volume. */
function stepped({ info }: VolumeStore, name: PlaneName, point: Vector, steps: number): Vector {
  const stack = stackOf(info, planes[name]);
  const slice = sliceAt(stack, dot(point, planes[name].away)) + steps;
  return withDepth(planes[name], point, depthOf(stack, Math.min(stack.count - 1, Math.max(0, slice))));
}
