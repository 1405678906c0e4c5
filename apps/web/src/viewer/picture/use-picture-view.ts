import { useMemo, useState } from "react";
import type { Window } from "@arcada/imaging/picture/window";
import type { Spot } from "@arcada/imaging/view/measure";
import {
  fitted,
  mirrored,
  panned,
  turned,
  zoomedAt,
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
  zoomBy: (factor: number, at?: Spot) => void;
  /** One pixel of the picture is one CSS pixel of the screen. */
  actualSize: () => void;
  pan: (by: Spot) => void;
  turn: (quarters: 1 | -1) => void;
  mirror: () => void;
  setWindow: (window: Window | ((now: Window) => Window)) => void;
  invert: () => void;
  reset: () => void;
}

const upright = { zoom: 1, centre: [0, 0] as const, turns: 0, mirrored: false } as const;

/** How a picture lies and looks. While it is fitted it stays so when the pane changes its size. */
export function usePictureView(shape: PictureShape, viewport: Size | null, start: Look): PictureControls {
  const [lie, setLie] = useState<Lie>({ view: upright, isFitted: true });
  const [look, setLook] = useState(start);
  const alter = (change: (view: PictureView, viewport: Size) => PictureView) => {
    if (viewport) setLie((now) => ({ view: change(viewOf(now, shape, viewport), viewport), isFitted: false }));
  };
  // Turning keeps a fitted picture fitted.
  const turn = (change: (view: PictureView) => PictureView) => {
    if (viewport) setLie((now) => ({ ...now, view: change(viewOf(now, shape, viewport)) }));
  };
  const middle: Spot = viewport ? [viewport.width / 2, viewport.height / 2] : [0, 0];
  return {
    view: useMemo(() => viewport && viewOf(lie, shape, viewport), [lie, shape, viewport]),
    look,
    isFitted: lie.isFitted,
    fit: () => setLie((now) => ({ ...now, isFitted: true })),
    zoomBy: (factor, at = middle) => alter((now, size) => zoomedAt(now, shape, size, at, factor)),
    actualSize: () => alter((now, size) => zoomedAt(now, shape, size, middle, 1 / now.zoom)),
    pan: (by) => alter((now, size) => panned(now, shape, size, by)),
    turn: (quarters) => turn((now) => turned(now, quarters)),
    mirror: () => turn(mirrored),
    setWindow: (window) =>
      setLook((now) => ({ ...now, window: typeof window === "function" ? window(now.window) : window })),
    invert: () => setLook((now) => ({ ...now, inverted: !now.inverted })),
    reset: () => {
      setLie({ view: upright, isFitted: true });
      setLook(start);
    },
  };
}

interface Lie {
  view: PictureView;
  isFitted: boolean;
}

const viewOf = ({ view, isFitted }: Lie, shape: PictureShape, viewport: Size): PictureView =>
  isFitted ? fitted(view, shape, viewport) : view;
