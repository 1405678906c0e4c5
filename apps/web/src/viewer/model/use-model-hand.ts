import type { RefObject } from "react";
import { useShortcuts } from "../frame/shortcuts.ts";
import { useGestures } from "../frame/use-gestures.ts";
import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import { middleSpots } from "../marks/draft.ts";
import type { Picked } from "./model-painter.ts";
import type { ModelTool } from "./model-tools.tsx";
import type { ModelControls } from "./use-model-camera.ts";
import type { ModelDrawing } from "./use-model-marks.ts";

interface Hand {
  tool: ModelTool;
  controls: ModelControls;
  drawing: ModelDrawing;
  pick: (at: Spot) => Picked | null;
  size: Size | null;
}

/** What the pointer does over models. A point beside every surface measures nothing: the press is not taken. */
export function useModelHand(pane: RefObject<HTMLElement | null>, { tool, controls, drawing, pick, size }: Hand): void {
  const isMeasuring = tool === "length";
  const follow = (at: Spot) => {
    const hit = drawing.isGoing() ? pick(at) : null;
    if (hit) drawing.move(hit.point, null);
  };
  useShortcuts({
    Enter: () => {
      const [from, to] = size && isMeasuring ? middleSpots(tool, size).map(pick) : [];
      if (from && to) drawing.add("length", [from.point, to.point], { instanceId: from.id, plane: null });
    },
  });
  useGestures(pane, {
    press: (at, button) => {
      drawing.choose(null);
      const hit = isMeasuring && button === 0 ? pick(at) : null;
      if (hit) drawing.press("length", hit.point, at, { instanceId: hit.id, plane: null });
    },
    drag: (at, by, button) => {
      if (button === 2 || button === 1 || tool === "pan") controls.pan(by);
      else if (isMeasuring && drawing.isGoing()) follow(at);
      else controls.orbit(by);
    },
    release: (at, button) => isMeasuring && button === 0 && drawing.release(pick(at)?.point ?? null, at),
    cancel: drawing.drop,
    pinch: (at, factor, by) => controls.zoom(factor, at, by),
    wheel: (at, notches) => controls.zoom(Math.exp(-notches * 0.2), at),
    hover: (at) => at && follow(at),
  });
}
