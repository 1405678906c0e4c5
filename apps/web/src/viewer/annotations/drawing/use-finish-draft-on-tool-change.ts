import { useEffect, useRef } from "react";
import type { Drawing } from "./use-drawing.ts";

/**
 * A change of tool finishes a draft that has enough points, and discards any other: the next point belongs to another
 * annotation.
 */
export function useFinishDraftOnToolChange(
  { isDrawing, finish, discardDraft }: Pick<Drawing<never>, "isDrawing" | "finish" | "discardDraft">,
  tool: string,
) {
  const previousTool = useRef(tool);
  useEffect(() => {
    if (previousTool.current === tool) return;
    previousTool.current = tool;
    if (isDrawing() && !finish()) discardDraft();
  });
}
