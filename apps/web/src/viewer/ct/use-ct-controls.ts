import { useState } from "react";
import type { VoiWindow } from "@arcada/imaging/image/voi-window";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Plane, PlaneName } from "@arcada/imaging/view/plane-view";
import { alignPlanes, defaultPlanes, rotatePlanes, type PlaneSet } from "@arcada/imaging/view/oblique-planes";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { adjustWindowByDrag } from "../image/display-settings/adjust-window-by-drag.ts";
import {
  getViewportDefinition,
  listLayoutViewportIds,
  type LayoutName,
  type ViewportId,
  type JointSide,
} from "../ct-core/viewport-layouts.ts";
import { usePlaneViews, type PlaneViews } from "./planes/use-plane-views.ts";
import { useCameraPose, type CameraPoseControls, type PlaneRotations } from "./planes/use-linked-planes-pose.ts";
import type { VolumeStore } from "./loading/volume-store.ts";
import type { SlabMode, VolumeDisplaySettings } from "@arcada/imaging/gl/volume-viewport-renderer";
import type { DrawingTool } from "../annotations/annotation-kind-registry.ts";

export type CtTool = "cross" | "window" | "pan" | "scroll" | DrawingTool;

export interface CtControls
  extends Omit<CameraPoseControls, "setPlanes">, DisplayControls, Omit<PlaneViews, "keepCrosshair" | "enterLayout"> {
  tool: CtTool;
  setTool: (tool: CtTool) => void;
  /** Rotates the two other planes' lines on the screen of this one, clockwise; degrees. */
  rotate: (name: PlaneName, degrees: number) => void;
  /** Rotates all planes so that this one has the given axes, and moves the crosshair to the point. */
  alignPlane: (name: PlaneName, plane: Pick<Plane, "right" | "down">, point: Vector) => void;
  straighten: () => void;
  /** Shows a layout in its initial state. */
  enterLayout: (layout: LayoutName) => void;
  reset: () => void;
  /** The place that is the target of keys and buttons. */
  active: ViewportId;
  activate: (viewportId: ViewportId) => void;
  enlarged: ViewportId | null;
  toggleEnlarged: (viewportId: ViewportId) => void;
  /** The part of the state that can be undone: not the position and zoom. */
  undoable: UndoableState;
  restoreUndoable: (undoable: UndoableState) => void;
  /** The same controls with the planes of one joint, in a layout that shows both side by side. */
  forSide: (side: JointSide | undefined) => CtControls;
}

interface UndoableState {
  displaySettings: VolumeDisplaySettings;
  rotations: PlaneRotations;
}

/** The positions of a volume's planes and their display settings. */
export function useCtControls(store: VolumeStore, layout: LayoutName): CtControls {
  const [tool, setTool] = useState<CtTool>("cross");
  const [active, activate] = useState<ViewportId>(() => listLayoutViewportIds(layout)[0] ?? "axial");
  const [enlarged, setEnlarged] = useState<ViewportId | null>(null);
  const { resetDisplaySettings, restoreDisplaySettings, ...displaySettings } = useDisplaySettings(store);
  const cameraPoses = useCameraPose(store, layout === "tmj");
  const {
    keepCrosshair,
    enterLayout: enterViews,
    ...views
  } = usePlaneViews(store, (viewportId) => cameraPoses.getCameraPose(getViewportDefinition(viewportId).side), layout);
  const reset = () => {
    views.fit();
    resetDisplaySettings();
    cameraPoses.reset();
  };
  const enterLayout = (next: LayoutName) =>
    enterViews(next, (viewportId) => {
      const { side } = getViewportDefinition(viewportId);
      return side ? cameraPoses.getCameraPose(side) : cameraPoses.mainCameraPose;
    });
  const toggleEnlarged = (viewportId: ViewportId) => setEnlarged((now) => (now === viewportId ? null : viewportId));
  const forSide = (side: JointSide | undefined): CtControls => {
    const { setPlanes, ...cameraPose } = cameraPoses.getCameraPose(side);
    const rotateBy = (change: (now: PlaneSet) => PlaneSet, point?: Vector) =>
      keepCrosshair(...setPlanes(change, point), side);
    return {
      ...displaySettings,
      ...views,
      ...cameraPose,
      tool,
      setTool,
      active,
      activate,
      enlarged,
      toggleEnlarged,
      reset,
      enterLayout,
      forSide,
      undoable: { displaySettings: displaySettings.displaySettings, rotations: cameraPoses.rotations },
      restoreUndoable: (undoable) => {
        restoreDisplaySettings(undoable.displaySettings);
        cameraPoses.rotateTo(undoable.rotations);
      },
      rotate: (name, degrees) => rotateBy((now) => rotatePlanes(now, name, degrees)),
      alignPlane: (name, { right, down }, point) => rotateBy((now) => alignPlanes(now, name, right, down), point),
      straighten: () => rotateBy(() => defaultPlanes),
    };
  };
  return forSide(undefined);
}

/** mm of the thickest slab. */
export const maxSlabMm = 40;

interface DisplayControls {
  displaySettings: VolumeDisplaySettings;
  setWindow: (window: VoiWindow) => void;
  dragWindow: (by: Point2D) => void;
  invert: () => void;
  /** mm; 0 is a single slice. Without a mode the last one is kept. */
  setSlab: (slab: number, mode?: SlabMode) => void;
}

function useDisplaySettings(store: VolumeStore): DisplayControls & {
  resetDisplaySettings: () => void;
  restoreDisplaySettings: (displaySettings: VolumeDisplaySettings) => void;
} {
  const { info } = store;
  const [displaySettings, setSettings] = useState(() => createDisplaySettings(store));
  return {
    displaySettings,
    setWindow: (window) => setSettings((now) => ({ ...now, window })),
    dragWindow: (by) =>
      setSettings((now) => ({ ...now, window: adjustWindowByDrag(now.window, by, info.max - info.min) })),
    invert: () => setSettings((now) => ({ ...now, inverted: !now.inverted })),
    setSlab: (slab, slabMode) =>
      setSettings((now) => ({
        ...now,
        slab: Math.min(maxSlabMm, Math.max(0, Math.round(slab * 2) / 2)),
        slabMode: slabMode ?? now.slabMode,
      })),
    restoreDisplaySettings: setSettings,
    resetDisplaySettings: () => setSettings(createDisplaySettings(store)),
  };
}

const createDisplaySettings = ({ info }: VolumeStore): VolumeDisplaySettings => ({
  window: info.window,
  inverted: false,
  slab: 0,
  slabMode: "max",
  sample: Math.min(...info.spacing),
});
