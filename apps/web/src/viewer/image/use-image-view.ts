import { useEffect, useMemo, useState } from "react";
import type { VoiWindow } from "@arcada/imaging/image/voi-window";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import {
  fitView,
  flipView,
  mirrorView,
  panView,
  setViewRotation,
  getViewRotation,
  rotateView,
  zoomViewAt,
  zoomToRectangle,
  type ImageArea,
  type ImageShape,
  type ImageView,
  type Size,
} from "@arcada/imaging/view/image-view";
import type { DisplaySettings } from "@arcada/imaging/gl/raster-image";

export interface ImageControls {
  view: ImageView | null;
  displaySettings: DisplaySettings;
  isFitted: boolean;
  fit: () => void;
  fitWidth: () => void;
  zoomBy: (factor: number, at?: Point2D) => void;
  /** Zooms to the area between two points of the viewport. */
  zoomTo: (from: Point2D, to: Point2D) => void;
  /** One pixel of the image becomes one CSS pixel of the screen. */
  actualSize: () => void;
  pan: (by: Point2D) => void;
  /** Moves an image point to the middle. */
  centreOn: (point: Point2D) => void;
  rotate: (quarters: 1 | -1) => void;
  /** Rotates by degrees clockwise, or to an absolute angle. */
  rotateBy: (degrees: number) => void;
  rotateTo: (degrees: number) => void;
  mirror: () => void;
  flip: () => void;
  setWindow: (window: VoiWindow | ((now: VoiWindow) => VoiWindow)) => void;
  setDisplaySettings: (change: Partial<DisplaySettings>) => void;
  invert: () => void;
  reset: () => void;
  /** The part of the state that can be undone: not the position and zoom. */
  undoable: UndoableImageView;
  restoreUndoable: (undoable: UndoableImageView) => void;
}

interface UndoableImageView {
  displaySettings: DisplaySettings;
  orientation: Omit<ImageView, "zoom" | "centre">;
}

/** The initial orientation and display settings of an image, from its file. */
export interface ImageInitialState extends Pick<ImageView, "turns" | "mirrored"> {
  displaySettings: DisplaySettings;
  /** The area that is shown at first; null: all. */
  area: ImageArea | null;
}

/** The view and display settings of images by their ids, kept while the page is open. */
export type ImageViewStore = Map<string, StoredImageView>;

interface StoredImageView {
  fittedView: FittedView;
  displaySettings: DisplaySettings;
}

interface StoreEntry {
  viewStore: ImageViewStore;
  id: string;
}

/**
 * The view and the display settings of an image. An image that is fitted stays fitted if the viewport changes its size.
 */
export function useImageView(
  shape: ImageShape,
  viewport: Size | null,
  initial: ImageInitialState,
  { viewStore, id }: StoreEntry,
): ImageControls {
  const [fittedView, setFittedView] = useState<FittedView>(
    () => viewStore.get(id)?.fittedView ?? createInitialView(initial),
  );
  const [displaySettings, setDisplaySettings] = useState(
    () => viewStore.get(id)?.displaySettings ?? initial.displaySettings,
  );
  const { zoom: _, centre: __, ...orientation } = fittedView.view;
  useEffect(
    () => void viewStore.set(id, { fittedView, displaySettings }),
    [viewStore, id, fittedView, displaySettings],
  );
  return {
    view: useMemo(() => viewport && resolveView(fittedView, shape, viewport), [fittedView, shape, viewport]),
    displaySettings,
    isFitted: fittedView.fit === "all",
    ...createViewCommands(shape, viewport, setFittedView),
    setWindow: (window) =>
      setDisplaySettings((now) => ({ ...now, window: typeof window === "function" ? window(now.window) : window })),
    setDisplaySettings: (change) => setDisplaySettings((now) => ({ ...now, ...change })),
    invert: () => setDisplaySettings((now) => ({ ...now, inverted: !now.inverted })),
    reset: () => {
      setFittedView(createInitialView(initial));
      setDisplaySettings(initial.displaySettings);
    },
    undoable: { displaySettings, orientation },
    restoreUndoable: (undoable) => {
      setDisplaySettings(undoable.displaySettings);
      setFittedView((now) => ({
        ...now,
        view: { zoom: now.view.zoom, centre: now.view.centre, ...undoable.orientation },
      }));
    },
  };
}

interface FittedView {
  view: ImageView;
  /** The fit that is kept if the viewport changes its size; null if the user moved the view. */
  fit: "all" | "width" | "area" | null;
  area: ImageArea | null;
}

const createInitialView = ({ turns, mirrored: isMirrored, area }: ImageInitialState): FittedView => ({
  view: { zoom: 1, centre: [0, 0], turns, mirrored: isMirrored },
  fit: area ? "area" : "all",
  area,
});

type ViewCommands = Omit<
  ImageControls,
  | "view"
  | "displaySettings"
  | "isFitted"
  | "setWindow"
  | "setDisplaySettings"
  | "invert"
  | "reset"
  | "undoable"
  | "restoreUndoable"
>;

function createViewCommands(
  shape: ImageShape,
  viewport: Size | null,
  setFittedView: (change: (now: FittedView) => FittedView) => void,
): ViewCommands {
  const changeView = (change: (view: ImageView, viewport: Size) => ImageView) => {
    if (viewport)
      setFittedView((now) => ({ ...now, view: change(resolveView(now, shape, viewport), viewport), fit: null }));
  };
  // Rotation keeps a fitted image fitted.
  const changeOrientation = (change: (view: ImageView) => ImageView) => {
    if (viewport) setFittedView((now) => ({ ...now, view: change(resolveView(now, shape, viewport)) }));
  };
  const middle: Point2D = viewport ? [viewport.width / 2, viewport.height / 2] : [0, 0];
  return {
    fit: () => setFittedView((now) => ({ ...now, fit: "all" })),
    fitWidth: () => setFittedView((now) => ({ ...now, fit: "width" })),
    zoomBy: (factor, at = middle) => changeView((now, size) => zoomViewAt(now, shape, size, at, factor)),
    zoomTo: (from, to) => changeView((now, size) => zoomToRectangle(now, shape, size, from, to)),
    actualSize: () => changeView((now, size) => zoomViewAt(now, shape, size, middle, 1 / now.zoom)),
    pan: (by) => changeView((now, size) => panView(now, shape, size, by)),
    centreOn: (centre) => changeView((now) => ({ ...now, centre })),
    rotate: (quarters) => changeOrientation((now) => rotateView(now, quarters)),
    rotateBy: (degrees) => changeOrientation((now) => setViewRotation(now, getViewRotation(now) + degrees)),
    rotateTo: (degrees) => changeOrientation((now) => setViewRotation(now, degrees)),
    mirror: () => changeOrientation(mirrorView),
    flip: () => changeOrientation(flipView),
  };
}

function resolveView({ view, fit, area }: FittedView, shape: ImageShape, viewport: Size): ImageView {
  if (fit === null) return view;
  if (fit === "area" && area) return fitView(view, shape, viewport, area);
  return fitView(view, shape, viewport, undefined, fit === "width" ? "width" : "all");
}
