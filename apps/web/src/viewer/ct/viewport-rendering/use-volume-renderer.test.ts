import { afterEach, expect, it, vi } from "vitest";
import type { ViewportContent, VolumeRenderer } from "@arcada/imaging/gl/volume-renderer";
import type { VolumeDisplaySettings } from "@arcada/imaging/gl/volume-viewport-renderer";
import { drawViewports, type DrawingState } from "./use-volume-renderer.ts";
import { ViewportRegistry } from "./viewport-registry.ts";

afterEach(() => void vi.useRealTimers());

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
    renderer: { render, estimateMs: () => 0 } as unknown as VolumeRenderer,
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
      while (drawViewports(drawing, placed, settings, { version: 1, isWhole: true }).isMore && count < 20) count++;
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

/** A viewport whose image takes 100 ms; `draw` returns the arrivals with which it has been drawn so far. */
function openSlowViewport() {
  const drawnVersions: number[] = [];
  const render = (...[, , , , version]: Parameters<VolumeRenderer["render"]>) => {
    drawnVersions.push(version);
    return "done";
  };
  const content = { kind: "plane" } as ViewportContent;
  const drawing: DrawingState = {
    viewports: new ViewportRegistry(),
    renderer: { render, estimateMs: () => 100 } as unknown as VolumeRenderer,
    drawnContent: new Map(),
    mayHaveRoom: false,
    last: "",
  };
  const viewport = { element: {} as HTMLElement, getContent: () => content };
  return {
    draw: (version: number, isWhole = false, slab = 0) => {
      const { isOutdated } = drawViewports(
        drawing,
        [{ name: "panorama", size, at, viewport }],
        { ...settings, slab },
        { version, isWhole },
      );
      return { drawnVersions, isOutdated };
    },
  };
}

it("draws a slow viewport with slices that have arrived after thirty times the duration of its image", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { draw } = openSlowViewport();
  draw(1);
  vi.advanceTimersByTime(2900);
  expect(draw(2)).toEqual({ drawnVersions: [1], isOutdated: true });
  vi.advanceTimersByTime(200);
  expect(draw(3)).toEqual({ drawnVersions: [1, 3], isOutdated: false });
});

it("draws a slow viewport at once when all slices have arrived or its content has changed", () => {
  const { draw } = openSlowViewport();
  draw(1);
  draw(2, false, 10);
  expect(draw(3, true, 10)).toEqual({ drawnVersions: [1, 2, 3], isOutdated: false });
});
