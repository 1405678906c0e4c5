import { useEffect, useRef } from "react";
import type { Drawing } from "./use-drawing.ts";

/** Another tool in the hand ends what can end where it is, and gives up what is not enough: its next point is of another mark. */
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
