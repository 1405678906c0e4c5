import { expect, it } from "vitest";
import type { ViewportContent, VolumeRenderer } from "@arcada/imaging/gl/volume-renderer";
import type { VolumeDisplaySettings } from "@arcada/imaging/gl/volume-viewport-renderer";
import { drawViewports, type DrawingState } from "./use-volume-renderer.ts";
import { ViewportRegistry } from "./viewport-registry.ts";

const settings = { slab: 0 } as VolumeDisplaySettings;
const size = { width: 300, height: 200 } as DOMRect;
const at = { left: 0, top: 0, width: 300, height: 200 };

/** Two viewports over graphics with room for ten bricks; the content of each is the number that it wants. */
function openTwoViewports() {
  const [viewports, wanted, held] = [new ViewportRegistry(), new Map<string, number>(), new Map<string, number>()];
  const render = (name: string, _at: unknown, content: ViewportContent) => {
    const needed = content as unknown as number;
    const others = [...held].reduce((sum, [other, count]) => sum + (other === name ? 0 : count), 0);
    held.set(name, Math.min(needed, 10 - others));
    return needed + others > 10 ? "partlyCoarse" : "done";
  };
  const drawing: DrawingState = {
    viewports,
    renderer: { render } as unknown as VolumeRenderer,
    drawnContent: new Map(),
    mayHaveRoom: false,
    last: "",
  };
  const placed = ["axial", "coronal"].map((name) => ({
    name,
    size,
    at,
    viewport: { element: {} as HTMLElement, getContent: () => wanted.get(name) as unknown as ViewportContent },
  }));
  return {
    /** Draws until nothing is left to be drawn, twenty times at most, and returns what both are found to lack. */
    show: (axial: number, coronal: number) => {
      wanted.set("axial", axial).set("coronal", coronal);
      let count = 1;
      while (drawViewports(drawing, placed, settings, 1).isMore && count < 20) count++;
      return { lacks: [viewports.getCoarseness("axial"), viewports.getCoarseness("coronal")], count };
    },
  };
}

it("draws a viewport that lacked bricks again once another needs fewer, and then rests", () => {
  const { show } = openTwoViewports();
  expect(show(8, 6).lacks).toEqual([null, "partlyCoarse"]);
  const { lacks, count } = show(3, 6);
  expect(lacks).toEqual([null, null]);
  expect(count).toBeLessThan(5);
});

it("rests while two viewports lack bricks", () => {
  const { show } = openTwoViewports();
  const { lacks, count } = show(12, 12);
  expect(lacks).toEqual(["partlyCoarse", "partlyCoarse"]);
  expect(count).toBe(2);
});
