import type { Point2D } from "@arcada/imaging/view/measure-lengths-angles";
import type { Size } from "@arcada/imaging/view/image-view";
import { useShortcuts } from "../ui/input/shortcuts.ts";
import { createCentredPoints } from "../annotations/drawing/annotation-draft.ts";
import type { ImageTool } from "./image-modes.tsx";
import type { LensControls } from "./use-lens.ts";
import type { ImageDrawing } from "./annotations/use-image-annotations.ts";
import type { ImageControls } from "./use-image-view.ts";
import { isDrawingTool } from "../annotations/annotation-kind-registry.ts";

interface ToolShortcutOptions {
  tool: ImageTool;
  controls: ImageControls;
  drawing: ImageDrawing;
  lens: LensControls;
  viewport: Size | null;
  toImagePoint: (at: Point2D) => Point2D;
  instanceId: string;
}

/** The selected tool for users who work without a pointer: Enter applies it in the middle of the viewport. */
export function useToolShortcuts({
  tool,
  controls,
  drawing,
  lens,
  viewport,
  toImagePoint,
  instanceId,
}: ToolShortcutOptions): void {
  useShortcuts({
    Enter: () => {
      if (drawing.finish() || !viewport) return;
      if (tool === "lens") lens.show([viewport.width / 2, viewport.height / 2]);
      if (tool === "zoomBox") controls.zoomBy(2);
      if (isDrawingTool(tool))
        drawing.add(tool, createCentredPoints(tool, viewport).map(toImagePoint), { instanceId, plane: null });
    },
  });
}
