import { useState } from "react";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";

/** A magnifier over the viewport, in CSS pixels. */
export interface PaneLens {
  /** Its middle, and the point that is magnified. */
  at: Spot;
  under: Spot;
  radius: number;
  factor: number;
}

export interface LensControls {
  lens: PaneLens | null;
  factor: LensFactor;
  /** Magnifies a point. A finger would hide it, so the magnifier is placed above. */
  show: (under: Spot | null, isFinger?: boolean) => void;
  step: (by: Spot) => void;
  turnUp: () => void;
}

type LensFactor = 2 | 4;

/** The magnifier: it follows the pointer, a finger or the arrow keys. */
export function useLens(viewport: Size | null): LensControls {
  const [factor, setFactor] = useState<LensFactor>(2);
  const [place, setPlace] = useState<{ under: Spot; isFinger: boolean } | null>(null);
  const radius = viewport ? Math.min(130, Math.min(viewport.width, viewport.height) / 3.5) : 100;
  return {
    factor,
    lens: place && {
      under: place.under,
      at: place.isFinger ? liftedOver(place.under, radius) : place.under,
      radius,
      factor,
    },
    show: (under, isFinger = false) => setPlace(under && { under, isFinger }),
    step: (by) => setPlace((now) => now && { ...now, under: [now.under[0] + by[0], now.under[1] + by[1]] }),
    turnUp: () => setFactor((now) => (now === 2 ? 4 : 2)),
  };
}

/** Above the finger, or below it near the upper edge. */
const liftedOver = ([x, y]: Spot, radius: number): Spot => [x, y > radius * 2 + 24 ? y - radius - 24 : y + radius + 44];
