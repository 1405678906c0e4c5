import { expect, it } from "vitest";
import { findCollisions, listShortcuts } from "./list-shortcuts.ts";
import type { PressTool } from "./viewer-tool.ts";

const tool = (id: string, keys?: string): PressTool => ({
  id,
  label: `Tool ${id}`,
  icon: () => null,
  onPress: () => {},
  ...(keys !== undefined && { keys }),
});
const choice = { ...tool("window"), items: [{ key: "file", label: "File", keys: "1", onPress: () => {} }] };

it("lists a tool of several modes once, and the choices of a tool by both names", () => {
  const modes = [
    { name: "read" as const, bar: [tool("pan", "H"), choice] },
    { name: "measure" as const, bar: [tool("pan", "H")], more: [tool("plain")] },
  ];
  expect(listShortcuts(modes, [tool("undo", "Ctrl+Z")])).toEqual([
    { label: "Tool pan", keys: "H" },
    { label: "Tool window: File", keys: "1" },
    { label: "Tool undo", keys: "Ctrl+Z" },
  ]);
});

it("finds a key that two tools of a viewer promise", () => {
  const shortcuts = listShortcuts(
    [{ name: "read", bar: [tool("length", "L"), tool("labels", "L"), tool("pan", "H")] }],
    [],
  );
  expect(findCollisions(shortcuts)).toEqual(["L: Tool length, Tool labels"]);
});
