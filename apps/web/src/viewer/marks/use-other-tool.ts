import { useEffect, useRef } from "react";
import type { Drawing } from "./use-drawing.ts";

/**
 * A change of tool finishes a draft that has enough points, and discards any other: the next point belongs to another
 * annotation.
 */
export function useOtherTool(
  { isGoing, finish, drop }: Pick<Drawing<never>, "isGoing" | "finish" | "drop">,
  tool: string,
) {
  const held = useRef(tool);
  useEffect(() => {
    if (held.current === tool) return;
    held.current = tool;
    if (isGoing() && !finish()) drop();
  });
}
