import type { RefObject } from "react";
import type { CephSpot } from "@arcada/contract/ceph/ceph.shape";
import type { Spot } from "@arcada/imaging/view/measure";
import { applied, type Affine } from "@arcada/imaging/view/picture-view";
import { useShortcuts } from "../frame/shortcuts.ts";
import { useGestures } from "../frame/use-gestures.ts";
import type { LensControls } from "../picture/use-lens.ts";
import type { PictureControls } from "../picture/use-picture-view.ts";
import { draggedWindow } from "../picture/window-drag.ts";
import type { Held } from "./ceph-stage.tsx";
import type { CephTool } from "./ceph-tools.tsx";
import type { Guide } from "./use-guide.ts";
import type { Ruling } from "./use-ruling.ts";
import type { Tracing } from "./use-tracing.ts";

interface Hand {
  tool: CephTool;
  tracing: Tracing;
  guide: Guide;
  ruling: Ruling;
  controls: PictureControls;
  lenses: LensControls;
  spotOf: (at: Spot) => CephSpot;
  held: Held | null;
  setHeld: (held: Held | null) => void;
  matrix: Affine | null;
  range: number;
}

/** Handles pointer and arrow keys over the radiograph: they move the active landmark, under a magnifier. */
export function useCephHand(frame: RefObject<HTMLElement | null>, hand: Hand): void {
  const { tool, tracing, guide, ruling, controls, lenses, spotOf, held, setHeld } = hand;
  const isPlacing = tool === "place" && tracing.maySave;
  const hold = (at: Spot) => {
    if (guide.active) setHeld({ landmark: guide.active, spot: spotOf(at) });
  };
  const drop = () => {
    setHeld(null);
    lenses.show(null);
  };
  useArrows(hand, isPlacing);
  useGestures(frame, {
    press: (at, button) => {
      if (button !== 0 || !isPlacing) return;
      lenses.show(at, true);
      if (!ruling.points) hold(at);
    },
    drag: (at, by, button) => {
      if (button === 2 || (button === 0 && tool === "window"))
        controls.setWindow((now) => draggedWindow(now, by, hand.range));
      else if (button === 1 || !isPlacing) controls.pan(by);
      else {
        lenses.show(at, true);
        if (!ruling.points) hold(at);
      }
    },
    release: (at, button) => {
      if (button !== 0 || !isPlacing) return;
      if (ruling.points) ruling.press(spotOf(at));
      else if (held) {
        tracing.place(held.landmark, spotOf(at));
        guide.placed(held.landmark);
      }
      drop();
    },
    cancel: drop,
    pinch: (at, factor, by) => {
      controls.zoomBy(factor, at);
      if (by[0] !== 0 || by[1] !== 0) controls.pan(by);
    },
    wheel: (at, notches) => controls.zoomBy(Math.exp(-notches * 0.2), at),
    hover: (at) => lenses.show(isPlacing && (guide.active || ruling.points) ? at : null),
  });
}

/** CSS pixels of one step; with Shift a landmark moves finely. */
const steps = { plain: 4, fine: 0.5 } as const;
const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const;

/** Arrow keys move the selected landmark; without one, the radiograph. */
function useArrows({ tracing, guide, controls, matrix, spotOf }: Hand, isPlacing: boolean): void {
  const chosen = guide.active;
  const place = chosen && tracing.content.landmarks[chosen];
  const move = ([x, y]: readonly [number, number], far: number) => {
    if (!isPlacing || !chosen || !place || !matrix) return controls.pan([-x * 40, -y * 40]);
    const [atX, atY] = applied(matrix, place);
    tracing.place(chosen, spotOf([atX + x * far, atY + y * far]));
  };
  useShortcuts(
    Object.fromEntries(
      Object.entries(ways).flatMap(([key, way]) => [
        [key, () => move(way, steps.plain)],
        [`Shift+${key}`, () => move(way, steps.fine)],
      ]),
    ),
  );
}
