import { afterEach, expect, it, vi } from "vitest";
import type { ViewportContent, VolumeRenderer } from "@arcada/imaging/gl/volume-renderer";
import type { VolumeDisplaySettings } from "@arcada/imaging/gl/volume-viewport-renderer";
import type { VolumeStore } from "../loading/volume-store.ts";
import { createDrawingLoop, drawViewports, type DrawingState } from "./use-volume-renderer.ts";
import { ViewportRegistry } from "./viewport-registry.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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

/** A viewport whose image takes 100 ms in so many frames; `draw` returns the arrivals with which it has been drawn so far. */
function openSlowViewport(frames = 1) {
  const drawnVersions: number[] = [];
  const render = (...[, , , , version]: Parameters<VolumeRenderer["render"]>) => {
    drawnVersions.push(version);
    return drawnVersions.filter((one) => one === version).length < frames ? "rough" : "done";
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
    getCoarseness: () => drawing.viewports.getCoarseness("panorama"),
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

it("announces a finer image of a viewport that does not show all slices that have arrived", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { draw, getCoarseness } = openSlowViewport();
  draw(1);
  expect(getCoarseness()).toBeNull();
  draw(2);
  expect(getCoarseness()).toBe("rough");
  vi.advanceTimersByTime(3100);
  draw(3);
  expect(getCoarseness()).toBeNull();
});

it("announces a finer image of a viewport whose last lines were refined with newer slices", () => {
  const { draw, getCoarseness } = openSlowViewport(2);
  draw(1);
  expect(draw(2).drawnVersions).toEqual([1, 1]);
  expect(getCoarseness()).toBe("rough");
});

/** The loop that draws a viewport whose image takes 100 ms while slices arrive; the page is a fake. */
function openDrawingLoop() {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
  vi.stubGlobal("window", { devicePixelRatio: 1 });
  vi.stubGlobal("document", { createElement: () => ({ getContext: () => null }) });
  vi.stubGlobal("requestAnimationFrame", (draw: () => void) => setTimeout(draw, 16));
  const element = { getBoundingClientRect: () => ({ ...size, left: 0, top: 0 }) } as HTMLCanvasElement;
  const viewports = new ViewportRegistry();
  viewports.set("panorama", { element, getContent: () => ({ kind: "plane" }) as ViewportContent });
  const nothing = () => {};
  const drawnVersions: number[] = [];
  const renderer = {
    begin: () => true,
    render: (...[, , , , version]: Parameters<VolumeRenderer["render"]>) => {
      drawnVersions.push(version);
      return "done";
    },
    estimateMs: () => 100,
    end: nothing,
    resize: nothing,
    clear: nothing,
  } as unknown as VolumeRenderer;
  const store = { version: 3, slices: 3, info: { slices: 400 } };
  const scene = { current: { displaySettings: settings, layout: null, isDetecting: true } };
  const { soon, later } = createDrawingLoop(element, viewports, renderer, store as VolumeStore, scene);
  soon();
  return {
    drawnVersions,
    arrive: () => {
      store.version++;
      later();
    },
  };
}

it("shows the last slices that have arrived although none follows", () => {
  const { drawnVersions, arrive } = openDrawingLoop();
  vi.advanceTimersByTime(100);
  arrive();
  vi.advanceTimersByTime(2400);
  expect(drawnVersions).toEqual([3]);
  vi.advanceTimersByTime(2000);
  expect(drawnVersions).toEqual([3, 4]);
});
