import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ViewportContent } from "@arcada/imaging/gl/volume-renderer";
import { normalize, cross, type Vector } from "@arcada/imaging/geometry/vector";
import { anatomicalPlanes, fitPlaneView, mapViewportToTexture, type Plane } from "@arcada/imaging/view/plane-view";
import { voxelToPatient } from "@arcada/imaging/volume/voxel-to-patient";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { openSourcePage } from "./support/source-page.ts";

// Odd numbers of voxels: the coarser texture reaches beyond the volume.
const volume: VolumeGeometry = {
  columns: 101,
  rows: 90,
  slices: 71,
  spacing: [0.3, 0.3, 0.4],
  origin: [-15, -13, -14],
  direction: [1, 0, 0, 0, 1, 0, 0, 0, 1],
};
const coarse: VolumeGeometry = {
  ...volume,
  columns: 51,
  rows: 45,
  slices: 36,
  spacing: [0.6, 0.6, 0.8],
  origin: voxelToPatient(volume, [0.5, 0.5, 0.5]),
};
const viewport = { width: 160, height: 120 };
const enoughBytes = 64 * 65536;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchBrowser();
  page = await openSourcePage(
    browser,
    `import { createVolumeRenderer } from "/gl/volume-renderer.ts";
    import { createHalfFloatTable } from "/gl/half-float.ts";
    import { Downsampler } from "/volume/downsampler.ts";
    globalThis.sources = { createVolumeRenderer, createHalfFloatTable, Downsampler };`,
  );
});
afterAll(() => browser.close());

/** The modules that the page loads. */
type Sources = typeof import("@arcada/imaging/gl/volume-renderer") &
  typeof import("../../packages/imaging/src/gl/half-float.ts") &
  typeof import("@arcada/imaging/volume/downsampler");

type PlaneContent = Extract<ViewportContent, { kind: "plane" }>;

const tilted = normalize([1, 0.5, 0.3]);
const oblique: Plane = { right: tilted, down: normalize(cross(tilted, [0, 1, 0])), away: [0, 0, 0] };
const planes = { ...anatomicalPlanes, oblique: { ...oblique, away: cross(oblique.right, oblique.down) } };

/** A plane `depth` mm from the origin of patient space, in the whole volume's texture or in the coarser one. */
const describePlane = (of: VolumeGeometry, name: keyof typeof planes, depth: number): PlaneContent => ({
  kind: "plane",
  full: mapViewportToTexture(of, planes[name], fitPlaneView(volume, planes[name], viewport), viewport, depth),
  preview: null,
});

const drawInPage = (views: View[], bytes: number | null) =>
  page.evaluate(drawViews, {
    size: [volume.columns, volume.rows, volume.slices] as const,
    coarse: [coarse.columns, coarse.rows, coarse.slices] as const,
    views: views.map(({ plane, depth = 1.1, slab = 0, mode = "mean" }) => ({
      content: describePlane(bytes === null ? volume : coarse, plane, depth),
      slab,
      mode,
    })),
    viewport,
    bytes,
  });

interface View {
  plane: keyof typeof planes;
  depth?: number;
  slab?: number;
  mode?: "mean" | "max" | "min";
}

function compare(one: number[], other: number[]): { most: number; shades: number } {
  const most = one.reduce((far, shade, at) => Math.max(far, Math.abs(shade - other[at])), 0);
  return { most, shades: new Set(other).size };
}

describe("a volume whose texture is coarser", () => {
  it.each<View>([
    { plane: "axial" },
    { plane: "sagittal" },
    { plane: "coronal" },
    { plane: "oblique" },
    { plane: "axial", depth: -14.1 },
    { plane: "coronal", slab: 8, mode: "max" },
    { plane: "oblique", slab: 5 },
  ])("is drawn from bricks as from one texture of all its voxels: %o", async (view) => {
    const [[whole], [bricks]] = [await drawInPage([view], null), await drawInPage([view], enoughBytes)];
    const { most, shades } = compare(bricks.last, whole.last);
    expect([bricks.state, shades > 60]).toEqual(["done", true]);
    // The graphics round the places of samples differently in textures of different sizes.
    expect(most).toBeLessThanOrEqual(1);
    // Before its bricks are there, it is drawn from the coarser texture.
    expect(compare(bricks.first, whole.last).most).toBeGreaterThan(5);
  });

  it("replaces bricks of views that are no longer shown, and draws each view in full again", async () => {
    const views: View[] = [{ plane: "axial" }, { plane: "sagittal" }, { plane: "axial" }];
    const [whole, bricks] = [await drawInPage(views, null), await drawInPage(views, 18 * 65536)];
    expect(bricks.map(({ state }) => state)).toEqual(["done", "done", "done"]);
    bricks.forEach(({ last }, at) => expect(compare(last, whole[at].last).most, `view ${at}`).toBeLessThanOrEqual(1));
  });

  it("states that a part stays coarse when its bricks have no room", async () => {
    const [bricks] = await drawInPage([{ plane: "axial" }], 4 * 65536);
    const [whole] = await drawInPage([{ plane: "axial" }], null);
    expect(bricks.state).toBe("partlyCoarse");
    const middle = (viewport.height / 2) * viewport.width + viewport.width / 2;
    expect(Math.abs(bricks.last[middle] - whole.last[middle])).toBeLessThanOrEqual(1);
    expect(compare(bricks.last, whole.last).most).toBeGreaterThan(20);
  });
});

interface DrawOptions {
  size: Vector;
  coarse: Vector;
  views: { content: PlaneContent; slab: number; mode: "mean" | "max" | "min" }[];
  viewport: { width: number; height: number };
  /** Bytes of bricks; null: one texture of all voxels. */
  bytes: number | null;
}

interface DrawnView {
  state: string;
  /** Shades of its first image and of its last. */
  first: number[];
  last: number[];
}

/** Runs in the page: draws views one after another in one viewport, each until it does not change any more. */
async function drawViews({ size, coarse: small, views, viewport: place, bytes }: DrawOptions): Promise<DrawnView[]> {
  const { createVolumeRenderer, createHalfFloatTable, Downsampler } = (globalThis as unknown as { sources: Sources })
    .sources;
  const offset = 1000;
  const table = createHalfFloatTable(offset);
  const [columns, rows, slices] = size;
  // Ramps and edges with grain, of which a mean of eight shows little.
  const values = Int16Array.from({ length: columns * rows * slices }, (_, at) => {
    const [x, y, z] = [at % columns, Math.floor(at / columns) % rows, Math.floor(at / (columns * rows))];
    return 9 * x + 7 * y + 5 * z + ((at * 7919) % 401) + ((x >> 3) % 2) * 300 + ((x + y + z) % 2) * 700;
  });
  const canvas = document.createElement("canvas");
  const textureSize = bytes === null ? size : small;
  const whole = bytes === null ? null : { size, factor: 2, bytes, read: () => values };
  const renderer = createVolumeRenderer(canvas, textureSize, offset, whole)!;
  const shown = bytes === null ? values : downsample();
  renderer.putSlices(
    0,
    textureSize[2],
    Uint16Array.from(shown, (value) => table[value & 0xffff]),
  );
  renderer.resize(place.width, place.height);
  const drawn: DrawnView[] = [];
  for (const view of views) drawn.push(await drawUntilFinal(view));
  renderer.dispose();
  return drawn;

  function downsample(): Int16Array {
    const means = new Downsampler({ columns, rows }, 2);
    for (let at = 0; at < slices; at++) means.add(values.subarray(at * columns * rows, (at + 1) * columns * rows));
    return means.finish().data;
  }

  async function drawUntilFinal({ content, slab, mode }: DrawOptions["views"][number]): Promise<DrawnView> {
    const window = { center: 1650, width: 3300 };
    const settings = { window, inverted: false, slab, slabMode: mode, sample: 0.2 };
    let [state, first] = ["rough", null as number[] | null];
    for (let frame = 0; frame < 2000 && (state === "rough" || state === "waiting"); frame++) {
      if (renderer.begin()) {
        state = renderer.render("one", { left: 0, top: 0, ...place }, content, settings, 1);
        first ??= readShades();
        renderer.end();
      }
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return { state, first: first ?? [], last: readShades() };
  }

  function readShades(): number[] {
    const copy = new OffscreenCanvas(place.width, place.height).getContext("2d")!;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, place.width, place.height);
    return Array.from({ length: place.width * place.height }, (_, at) => data[4 * at]);
  }
}
