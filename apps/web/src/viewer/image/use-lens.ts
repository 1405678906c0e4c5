import { useState } from "react";
import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";

/** A magnifier over the viewport, in CSS pixels. */
export interface ViewportLens {
  /** Its middle, and the point that is magnified. */
  at: Point2D;
  target: Point2D;
  radius: number;
  factor: number;
}

export interface LensControls {
  lens: ViewportLens | null;
  factor: LensFactor;
  /** Magnifies a point. A finger would hide it, so the magnifier is placed above. */
  show: (target: Point2D | null, isFinger?: boolean) => void;
  step: (by: Point2D) => void;
  increaseMagnification: () => void;
}

type LensFactor = 2 | 4;

/** The magnifier: it follows the pointer, a finger or the arrow keys. */
export function useLens(viewport: Size | null): LensControls {
  const [factor, setFactor] = useState<LensFactor>(2);
  const [place, setPlace] = useState<{ target: Point2D; isFinger: boolean } | null>(null);
  const radius = viewport ? Math.min(130, Math.min(viewport.width, viewport.height) / 3.5) : 100;
  return {
    factor,
    lens: place && {
      target: place.target,
      at: place.isFinger ? placeAboveFinger(place.target, radius) : place.target,
      radius,
      factor,
    },
    show: (target, isFinger = false) => setPlace(target && { target, isFinger }),
    step: (by) => setPlace((now) => now && { ...now, target: [now.target[0] + by[0], now.target[1] + by[1]] }),
    increaseMagnification: () => setFactor((now) => (now === 2 ? 4 : 2)),
  };
}

/** Above the finger, or below it near the upper edge. */
const placeAboveFinger = ([x, y]: Point2D, radius: number): Point2D => [
  x,
  y > radius * 2 + 24 ? y - radius - 24 : y + radius + 44,
];
