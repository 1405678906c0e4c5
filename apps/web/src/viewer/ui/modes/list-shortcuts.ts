import type { PageShortcut } from "../../../ui/page-shortcuts.ts";
import type { ModeTools, ViewerTool } from "./viewer-tool.ts";

/** Returns the tools that have a key, each once: a tool may stand in the bars of several modes. */
export function listShortcuts(modes: readonly ModeTools[], common: readonly ViewerTool[]): PageShortcut[] {
  const tools = [...modes.flatMap(({ bar, more = [] }) => [...bar, ...more]), ...common];
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  return [...byId.values()].flatMap((tool) => [
    ...(tool.keys === undefined ? [] : [{ label: tool.label, keys: tool.keys }]),
    ...("items" in tool ? tool.items : []).flatMap(({ label, keys }) =>
      keys === undefined ? [] : [{ label: `${tool.label}: ${label}`, keys }],
    ),
  ]);
}

/** Returns the keys that are promised to more than one tool of a viewer: only one of them can have it. */
export function findCollisions(shortcuts: readonly PageShortcut[]): string[] {
  return [...Map.groupBy(shortcuts, ({ keys }) => keys)]
    .filter(([, rows]) => rows.length > 1)
    .map(([keys, rows]) => `${keys}: ${rows.map(({ label }) => label).join(", ")}`);
}
