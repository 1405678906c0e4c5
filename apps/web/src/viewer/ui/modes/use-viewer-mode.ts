import { useState } from "react";
import type { ViewerMode } from "./viewer-tool.ts";

/** The pointer tools of each mode that a viewer has; the first one is selected when the mode is entered. */
export type PointerToolsByMode<T extends string> = Partial<Record<ViewerMode, readonly T[]>>;

/**
 * The mode of a viewer. It follows the pointer tool: a tool that is selected by its shortcut, or by a panel, brings the
 * mode to which it belongs.
 */
export function useViewerMode<T extends string>(
  byMode: PointerToolsByMode<T>,
  tool: T,
  onTool: (tool: T) => void,
  initial: ViewerMode = "read",
): [ViewerMode, (mode: ViewerMode) => void] {
  const [state, setState] = useState({ mode: initial, tool });
  if (state.tool !== tool) setState({ mode: findMode(byMode, tool, state.mode), tool });
  const enter = (mode: ViewerMode) => {
    const tools = byMode[mode] ?? [];
    const next = tools.includes(tool) ? tool : (tools[0] ?? tool);
    setState({ mode, tool: next });
    if (next !== tool) onTool(next);
  };
  return [state.mode, enter];
}

/** Returns the current mode if it has the tool, else the first one that has it. */
export function findMode<T extends string>(byMode: PointerToolsByMode<T>, tool: T, current: ViewerMode): ViewerMode {
  if (byMode[current]?.includes(tool)) return current;
  const names = Object.keys(byMode) as ViewerMode[];
  return names.find((name) => byMode[name]?.includes(tool)) ?? current;
}
