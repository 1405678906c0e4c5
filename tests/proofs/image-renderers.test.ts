import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DisplaySettings } from "@arcada/imaging/gl/raster-image";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { openSourcePage } from "./support/source-page.ts";

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await openSourcePage(
    browser,
    `import { createCpuImageRenderer } from "/gl/cpu-image-renderer.ts";
    import { createGpuImageRenderer } from "/gl/gpu-image-renderer.ts";
    import { blurImage } from "/image/blur.ts";
    globalThis.sources = { createCpuImageRenderer, createGpuImageRenderer, blurImage };`,
  );
});
afterAll(() => browser.close());

/** The parts of our sources that the page loads. */
type Renderers = typeof import("../../packages/imaging/src/gl/cpu-image-renderer.ts") &
  typeof import("../../packages/imaging/src/gl/gpu-image-renderer.ts") &
  typeof import("@arcada/imaging/image/blur");

const softWindow = { center: 1400, width: 2600 };
const displaySettings: Record<string, DisplaySettings> = {
  "a window": { window: softWindow, inverted: false },
  "low values white": { window: softWindow, inverted: true },
  "a gamma": { window: softWindow, inverted: false, gamma: 2.2 },
  "a gamma, low values white": { window: softWindow, inverted: true, gamma: 0.6 },
  "an S curve": { window: { ...softWindow, shape: "sigmoid" }, inverted: false },
  sharpening: { window: softWindow, inverted: false, sharpen: 1.5 },
};

describe("the CPU and the GPU image renderer", () => {
  for (const [name, settings] of Object.entries(displaySettings))
    it(`differ by one shade at most: ${name}`, async () => {
      for (const kind of ["unsigned", "signed", "image"] as const) {
        const { maxDifference: most, shades } = await page.evaluate(compareRenderers, { kind, settings });
        expect(shades, kind).toBeGreaterThan(30);
        expect(most, kind).toBeLessThanOrEqual(1);
      }
    });

  it("show the same through a magnifier, and the unmagnified image around it", async () => {
    const { maxDifference: most, inLens, outsideLens: beside } = await page.evaluate(compareThroughLens);
    expect(most).toBeLessThanOrEqual(1);
    expect([inLens, beside]).toEqual([200, 50]);
  });
});

interface RenderCase {
  kind: "unsigned" | "signed" | "image";
  settings: DisplaySettings;
}

/** Runs in the page: compares both renderers on one image, pixel by pixel. */
async function compareRenderers({ kind, settings }: RenderCase): Promise<{ maxDifference: number; shades: number }> {
  const { createCpuImageRenderer, createGpuImageRenderer, blurImage } = (
    globalThis as unknown as { sources: Renderers }
  ).sources;
  const [columns, rows] = [96, 64];
  // Edges, ramps and grain, from below the window to above it.
  const value = (at: number) => ((at % columns) * 31 + Math.floor(at / columns) * 17 + ((at * 7919) % 211)) % 4096;
  const size = { width: columns, height: rows };
  const still = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 };
  const wanted = kind === "image" ? { ...settings, window: { ...settings.window, center: 120, width: 200 } } : settings;
  const { picture: raster, out } = await createImage();
  const [one, other] = [createGpuImageRenderer, createCpuImageRenderer].map((createRenderer) => {
    const canvas = document.createElement("canvas");
    const opened = createRenderer(canvas, raster)!;
    opened.setBlurred(out);
    opened.render(still, size, wanted);
    const copy = new OffscreenCanvas(columns, rows).getContext("2d")!;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, columns, rows);
    opened.dispose();
    return data;
  }) as [Uint8ClampedArray, Uint8ClampedArray];
  const most = one.reduce((far, shade, at) => Math.max(far, Math.abs(shade - other[at])), 0);
  return { maxDifference: most, shades: new Set(other).size };

  async function createImage() {
    const base = { columns, rows, spacing: null };
    if (kind !== "image") {
      const values = Array.from({ length: columns * rows }, (_, at) => value(at));
      const data = kind === "signed" ? Int16Array.from(values) : Uint16Array.from(values);
      const grey = { kind: "grey" as const, data };
      return { picture: { ...base, ...grey }, out: { ...grey, data: blurImage(data, columns, rows) } };
    }
    const image = new ImageData(columns, rows);
    image.data.forEach((_, at) => (image.data[at] = at % 4 === 3 ? 255 : value(at) >> 4));
    const dim = new ImageData(blurImage(image.data, columns, rows, 4), columns, rows);
    const [bitmap, other2] = await Promise.all([createImageBitmap(image), createImageBitmap(dim)]);
    return { picture: { ...base, kind: "image" as const, bitmap }, out: { kind: "image" as const, bitmap: other2 } };
  }
}

/** Runs in the page: the image has two uniform halves; the magnifier shows the right one over the left. */
function compareThroughLens(): { maxDifference: number; inLens: number | undefined; outsideLens: number | undefined } {
  const { createCpuImageRenderer, createGpuImageRenderer } = (globalThis as unknown as { sources: Renderers }).sources;
  const [columns, rows] = [80, 40];
  const data = Uint16Array.from({ length: columns * rows }, (_, at) => (at % columns < 40 ? 50 : 200));
  const raster = { kind: "grey" as const, columns, rows, spacing: null, data };
  const lens = { at: [20, 10] as const, radius: 8, matrix: { a: 4, b: 0, c: 0, d: 4, e: 20 - 60 * 4, f: 10 - 20 * 4 } };
  const [one, other] = [createGpuImageRenderer, createCpuImageRenderer].map((createRenderer) => {
    const canvas = document.createElement("canvas");
    const opened = createRenderer(canvas, raster)!;
    const settings = { window: { center: 128, width: 256 }, inverted: false };
    opened.render({ a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }, { width: columns, height: rows }, settings, lens);
    const copy = new OffscreenCanvas(columns, rows).getContext("2d")!;
    copy.drawImage(canvas, 0, 0);
    const shades = copy.getImageData(0, 0, columns, rows).data;
    opened.dispose();
    return shades;
  }) as [Uint8ClampedArray, Uint8ClampedArray];
  const shade = (x: number, y: number) => one[(y * columns + x) * 4];
  // The rim is smoothed by one of them.
  const isRim = (at: number) =>
    Math.abs(Math.hypot((at % columns) + 0.5 - 20, Math.floor(at / columns) + 0.5 - 10) - 8) < 1.5;
  const isEdge = (at: number) => Math.abs((at % columns) - 39.5) < 2;
  let most = 0;
  for (let at = 0; at < columns * rows; at++)
    if (!isRim(at) && !isEdge(at)) most = Math.max(most, Math.abs(one[at * 4] - other[at * 4]));
  return { maxDifference: most, inLens: shade(20, 10), outsideLens: shade(20, 30) };
}
