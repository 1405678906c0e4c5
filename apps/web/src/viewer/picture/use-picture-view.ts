import { useEffect, useMemo, useState } from "react";
import type { Window } from "@arcada/imaging/picture/window";
import type { Spot } from "@arcada/imaging/view/measure";
import {
  fitted,
  flipped,
  mirrored,
  panned,
  tilted,
  degreesOf,
  turned,
  zoomedAt,
  zoomedTo,
  type Area,
  type PictureShape,
  type PictureView,
  type Size,
} from "@arcada/imaging/view/picture-view";
import type { Look } from "@arcada/imaging/gl/picture";

export interface PictureControls {
  view: PictureView | null;
  look: Look;
  isFitted: boolean;
  fit: () => void;
  fitWidth: () => void;
  zoomBy: (factor: number, at?: Spot) => void;
  /** Zooms to the area between two points of the viewport. */
  zoomTo: (from: Spot, to: Spot) => void;
  /** One pixel of the image becomes one CSS pixel of the screen. */
  actualSize: () => void;
  pan: (by: Spot) => void;
  /** Moves an image point to the middle. */
  centreOn: (point: Spot) => void;
  turn: (quarters: 1 | -1) => void;
  /** Rotates by degrees clockwise, or to an absolute angle. */
  tiltBy: (degrees: number) => void;
  tiltTo: (degrees: number) => void;
  mirror: () => void;
  flip: () => void;
  setWindow: (window: Window | ((now: Window) => Window)) => void;
  setLook: (change: Partial<Look>) => void;
  invert: () => void;
  reset: () => void;
  /** The part of the state that can be undone: not the position and zoom. */
  looked: PictureLooked;
  showLooked: (looked: PictureLooked) => void;
}

interface PictureLooked {
  look: Look;
  lies: Omit<PictureView, "zoom" | "centre">;
}

/** The initial orientation and display settings of an image, from its file. */
export interface PictureStart extends Pick<PictureView, "turns" | "mirrored"> {
  look: Look;
  /** The area that is shown at first; null: all. */
  area: Area | null;
}

/** The view and display settings of images by their ids, kept while the page is open. */
export type PictureShelf = Map<string, PictureStand>;

interface PictureStand {
  lie: Lie;
  look: Look;
}

interface Shelved {
  shelf: PictureShelf;
  id: string;
}

/**
 * The view and the display settings of an image. An image that is fitted stays fitted if the viewport changes its size.
 */
export function usePictureView(
  shape: PictureShape,
  viewport: Size | null,
  start: PictureStart,
  { shelf, id }: Shelved,
): PictureControls {
  const [lie, setLie] = useState<Lie>(() => shelf.get(id)?.lie ?? lieAt(start));
  const [look, setLook] = useState(() => shelf.get(id)?.look ?? start.look);
  const { zoom: _, centre: __, ...lies } = lie.view;
  useEffect(() => void shelf.set(id, { lie, look }), [shelf, id, lie, look]);
  return {
    view: useMemo(() => viewport && viewOf(lie, shape, viewport), [lie, shape, viewport]),
    look,
    isFitted: lie.fit === "all",
    ...moves(shape, viewport, setLie),
    setWindow: (window) =>
      setLook((now) => ({ ...now, window: typeof window === "function" ? window(now.window) : window })),
    setLook: (change) => setLook((now) => ({ ...now, ...change })),
    invert: () => setLook((now) => ({ ...now, inverted: !now.inverted })),
    reset: () => {
      setLie(lieAt(start));
      setLook(start.look);
    },
    looked: { look, lies },
    showLooked: (looked) => {
      setLook(looked.look);
      setLie((now) => ({ ...now, view: { zoom: now.view.zoom, centre: now.view.centre, ...looked.lies } }));
    },
  };
}

interface Lie {
  view: PictureView;
  /** The fit that is kept if the viewport changes its size; null: it was moved by hand. */
  fit: "all" | "width" | "area" | null;
  area: Area | null;
}

const lieAt = ({ turns, mirrored: isMirrored, area }: PictureStart): Lie => ({
  view: { zoom: 1, centre: [0, 0], turns, mirrored: isMirrored },
  fit: area ? "area" : "all",
  area,
});

type Moves = Omit<
  PictureControls,
  "view" | "look" | "isFitted" | "setWindow" | "setLook" | "invert" | "reset" | "looked" | "showLooked"
>;

function moves(shape: PictureShape, viewport: Size | null, setLie: (change: (now: Lie) => Lie) => void): Moves {
  const alter = (change: (view: PictureView, viewport: Size) => PictureView) => {
    if (viewport) setLie((now) => ({ ...now, view: change(viewOf(now, shape, viewport), viewport), fit: null }));
  };
  // Rotation keeps a fitted image fitted.
  const turn = (change: (view: PictureView) => PictureView) => {
    if (viewport) setLie((now) => ({ ...now, view: change(viewOf(now, shape, viewport)) }));
  };
  const middle: Spot = viewport ? [viewport.width / 2, viewport.height / 2] : [0, 0];
  return {
    fit: () => setLie((now) => ({ ...now, fit: "all" })),
    fitWidth: () => setLie((now) => ({ ...now, fit: "width" })),
    zoomBy: (factor, at = middle) => alter((now, size) => zoomedAt(now, shape, size, at, factor)),
    zoomTo: (from, to) => alter((now, size) => zoomedTo(now, shape, size, from, to)),
    actualSize: () => alter((now, size) => zoomedAt(now, shape, size, middle, 1 / now.zoom)),
    pan: (by) => alter((now, size) => panned(now, shape, size, by)),
    centreOn: (centre) => alter((now) => ({ ...now, centre })),
    turn: (quarters) => turn((now) => turned(now, quarters)),
    tiltBy: (degrees) => turn((now) => tilted(now, degreesOf(now) + degrees)),
    tiltTo: (degrees) => turn((now) => tilted(now, degrees)),
    mirror: () => turn(mirrored),
    flip: () => turn(flipped),
  };
}

function viewOf({ view, fit, area }: Lie, shape: PictureShape, viewport: Size): PictureView {
  if (fit === null) return view;
  if (fit === "area" && area) return fitted(view, shape, viewport, area);
  return fitted(view, shape, viewport, undefined, fit === "width" ? "width" : "all");
}
