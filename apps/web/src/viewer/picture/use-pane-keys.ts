import type { Spot } from "@arcada/imaging/view/measure";
import type { Size } from "@arcada/imaging/view/picture-view";
import { useShortcuts } from "../frame/shortcuts.ts";
import { middleSpots } from "../marks/draft.ts";
import { isDrawn } from "../marks/kind.ts";
import type { PictureTool } from "./picture-tools.tsx";
import type { LensControls } from "./use-lens.ts";
import type { PictureDrawing } from "./use-picture-marks.ts";
import type { PictureControls } from "./use-picture-view.ts";

interface Hand {
  tool: PictureTool;
  controls: PictureControls;
  drawing: PictureDrawing;
  lens: LensControls;
  viewport: Size | null;
  imageSpot: (at: Spot) => Spot;
  instanceId: string;
}

/** The selected tool for users who work without a pointer: Enter applies it in the middle of the viewport. */
export function usePaneKeys({ tool, controls, drawing, lens, viewport, imageSpot, instanceId }: Hand): void {
  useShortcuts({
    Enter: () => {
      if (drawing.finish() || !viewport) return;
      if (tool === "lens") lens.show([viewport.width / 2, viewport.height / 2]);
      if (tool === "zoomBox") controls.zoomBy(2);
      if (isDrawn(tool)) drawing.add(tool, middleSpots(tool, viewport).map(imageSpot), { instanceId, plane: null });
    },
  });
}
