import { prerenderToNodeStream } from "react-dom/static";
import { expect, it, vi } from "vitest";
import { present } from "@arcada/testing/require-present";
import type { PressTool } from "../ui/modes/viewer-tool.ts";
import { useExportTools } from "./use-export-tools.ts";

interface ViewportProps {
  settle: () => Promise<readonly string[]>;
  onTools: (tools: PressTool[]) => void;
}
function Viewport({ settle, onTools }: ViewportProps) {
  onTools(useExportTools({ viewportRef: { current: null }, name: "ct", snapshot: () => ({ scale: 1 }), settle }));
  return null;
}

/** The tool that saves an image of a viewport whose final drawing is done when `finishDrawing` is called. */
async function openExportTool() {
  const drawings: (() => void)[] = [];
  const settle = () => new Promise<readonly string[]>((resolve) => drawings.push(() => resolve([])));
  let tools: PressTool[] = [];
  await prerenderToNodeStream(<Viewport settle={settle} onTools={(shown) => (tools = shown)} />);
  const save = present(
    tools.find(({ id }) => id === "png"),
    "png",
  );
  return { press: () => save.onPress(), drawings, finishDrawing: () => drawings.at(-1)?.() };
}

it("begins no second export of an image while the first one waits for the final drawing", async () => {
  const { press, drawings, finishDrawing } = await openExportTool();
  press();
  press();
  await vi.waitFor(() => expect(drawings.length).toBeGreaterThan(0));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(drawings).toHaveLength(1);
  finishDrawing();
  await vi.waitFor(() => {
    press();
    expect(drawings).toHaveLength(2);
  });
});
