import { useState } from "react";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import {
  fittedPane,
  planeNames,
  zoomedPane,
  type PaneView,
  type Plane,
  type PlaneName,
} from "@arcada/imaging/view/plane";
import { dot } from "@arcada/imaging/view/vector";
import { closeUps, commonPane, placeOf, places, type LayoutName, type PlaceName, type Side } from "./layout/layouts.ts";
import type { Stance } from "./stance.ts";
import type { VolumeStore } from "./volume-store.ts";

export interface PaneViews {
  viewOf: (place: PlaceName, pane: Size) => PaneView;
  pan: (place: PlaceName, by: Spot) => void;
  zoom: (place: PlaceName, at: Spot | null, factor: number, by: Spot) => void;
  fit: () => void;
  /** Starts a layout: its close-ups close up, all other viewports with the whole volume, with the given planes. */
  enter: (layout: LayoutName, stanceThere: (place: PlaceName) => Stance) => void;
  /** Called after the planes were rotated about their crosshair: the crosshair keeps its position on every screen. */
  keepCross: (before: Stance, after: Stance, side: Side | undefined) => void;
}

type Views = Partial<Record<PlaceName, PaneView>>;

/**
 * The part of its plane that each place shows. A place without a view of its own shows the whole volume, whatever its
 * size.
 */
export function usePaneViews(
  { info }: VolumeStore,
  stanceAt: (place: PlaceName) => Stance,
  layout: LayoutName,
): PaneViews {
  const [sizes] = useState(() => new Map<PlaceName, Size>());
  const [views, setViews] = useState<Views>(() => closeViews(layout, stanceAt, sizes));
  const fittedIn = (plane: Plane, pane: Size): PaneView => fittedPane(info, plane, pane);
  const alter = (place: PlaceName, change: (view: PaneView, pane: Size) => PaneView) => {
    const [pane, plane] = [sizes.get(place), planeAt(place, stanceAt(place))];
    if (!pane || !plane) return;
    setViews((now) => ({ ...now, [place]: change(now[place] ?? fittedIn(plane, pane), pane) }));
  };
  const pan = (place: PlaceName, [x, y]: Spot) =>
    alter(place, ({ scale, middle }) => ({ scale, middle: [middle[0] - x / scale, middle[1] - y / scale] }));
  return {
    viewOf: (place, pane) => {
      sizes.set(place, { width: pane.width, height: pane.height });
      const plane = planeAt(place, stanceAt(place));
      return views[place] ?? (plane ? fittedIn(plane, pane) : { middle: [0, 0], scale: 1 });
    },
    pan,
    zoom: (place, at, factor, by) => {
      alter(place, (view, pane) => zoomedPane(view, pane, at ?? [pane.width / 2, pane.height / 2], factor));
      if (by[0] !== 0 || by[1] !== 0) pan(place, by);
    },
    fit: () => setViews({}),
    enter: (next, stanceThere) => setViews(closeViews(next, stanceThere, sizes)),
    keepCross: (before, after, side) =>
      setViews((now) => {
        const kept: Views = { ...now };
        for (const [place, pane] of sizes) {
          const [from, to] = [planeAt(place, before), planeAt(place, after)];
          if (!from || !to || placeOf(place).side !== side) continue;
          const { middle, scale } = now[place] ?? fittedIn(from, pane);
          const [was, is] = [spotIn(from, before), spotIn(to, after)];
          kept[place] = { scale, middle: [middle[0] + is[0] - was[0], middle[1] + is[1] - was[1]] };
        }
        return kept;
      }),
  };
}

function closeViews(
  layout: LayoutName,
  stanceAt: (place: PlaceName) => Stance,
  sizes: ReadonlyMap<PlaceName, Size>,
): Views {
  const { places: close, mm } = closeUps[layout] ?? { places: [], mm: 1 };
  const views: Views = {};
  for (const place of close) {
    const stance = stanceAt(place);
    const plane = planeAt(place, stance);
    // A viewport that has not been on the screen yet is assumed to have a common size.
    const { width, height } = sizes.get(place) ?? { width: commonPane, height: commonPane };
    if (plane) views[place] = { middle: spotIn(plane, stance), scale: Math.min(width, height) / mm };
  }
  return views;
}

const isPlane = (pane: string): pane is PlaneName => (planeNames as readonly string[]).includes(pane);

export const planeNameAt = (place: PlaceName): PlaneName | null => {
  const { pane } = places[place];
  return isPlane(pane) ? pane : null;
};

const planeAt = (place: PlaceName, { planes }: Stance): Plane | null => {
  const name = planeNameAt(place);
  return name && planes[name];
};

const spotIn = ({ right, down }: Plane, { cross }: Stance): Spot => [dot(cross, right), dot(cross, down)];
