import { createToneFunction } from "@arcada/imaging/image/voi-window";
import { createMiddlePlaneGrids } from "@arcada/imaging/view/middle-planes";
import { fitPlaneView, mapViewportToTexture, planeNames, anatomicalPlanes } from "@arcada/imaging/view/plane-view";
import type { PlaneView, Plane, PlaneName } from "@arcada/imaging/view/plane-view";
import { dot } from "@arcada/imaging/geometry/vector";
import type { Size } from "@arcada/imaging/view/image-view";
import type { Vector } from "@arcada/imaging/geometry/vector";
import { getMiddleVoxelPoint } from "@arcada/imaging/volume/volume-geometry";
import type { VolumeGeometry } from "@arcada/imaging/volume/volume-geometry";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { findFieldOfView } from "../ct-core/viewport-layouts.ts";
import { loadViewportRects } from "./stored-viewport-rects.ts";
import type { ViewportRect } from "./stored-viewport-rects.ts";
import { showFirstPaint } from "./first-paint-overlay.ts";

/**
 * Shows the three planes through a volume's middle where the viewer will show them; `values`: its `sampleMiddlePlanes`.
 */
export function drawFirstPaint(values: Int16Array, preview: VolumeInfo, whole: VolumeInfo): void {
  const places = loadViewportRects(findFieldOfView(whole));
  const grids = createMiddlePlaneGrids(whole, preview);
  let from = 0;
  for (const name of planeNames) {
    const { columns, rows } = grids[name];
    const planeValues = values.subarray(from, (from += columns * rows));
    const place = places[name];
    if (place) showFirstPaint(createPlaneCanvas(place, planeValues, grids[name], whole, name, places.closeUp));
  }
}

/** Every second pixel is drawn where a value of the preview covers two or more: the browser interpolates the others. */
function createPlaneCanvas(
  place: ViewportRect,
  values: Int16Array,
  grid: VolumeGeometry,
  whole: VolumeInfo,
  name: PlaneName,
  closeUp: number | undefined,
): HTMLCanvasElement {
  const size = { width: Math.round(place[2]), height: Math.round(place[3]) };
  const view = getInitialView(whole, anatomicalPlanes[name], size, closeUp);
  const depth = dot(getMiddleVoxelPoint(whole), anatomicalPlanes[name].away);
  const texture = mapViewportToTexture(grid, anatomicalPlanes[name], view, size, depth);
  const step = view.scale * Math.min(grid.spacing[0], grid.spacing[1]) >= 2 ? 2 : 1;
  const drawn = { width: Math.ceil(size.width / step), height: Math.ceil(size.height / step) };
  return createCanvasAt(place, drawn, (pixels) =>
    drawPlane(pixels, drawn, values, grid, texture, createToneFunction(whole.window)),
  );
}

/** Returns the part of its plane with which a viewport begins; `closeUp`: CSS pixels per mm. */
export function getInitialView(whole: VolumeInfo, plane: Plane, size: Size, closeUp?: number): PlaneView {
  if (!closeUp) return fitPlaneView(whole, plane, size);
  const middle = getMiddleVoxelPoint(whole);
  return { middle: [dot(middle, plane.right), dot(middle, plane.down)], scale: closeUp };
}

/** Creates an image of a given size in pixels that fills a rectangle of the window. */
export function createCanvasAt(
  [left, top, width, height]: ViewportRect,
  size: Size,
  draw: (pixels: Uint32Array) => void,
): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement("canvas"), size);
  const style = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
  Object.assign(canvas.style, { position: "absolute", background: "#000", ...style });
  const context = canvas.getContext("2d");
  if (context && canvas.width > 0 && canvas.height > 0) {
    const image = context.createImageData(size.width, size.height);
    draw(new Uint32Array(image.data.buffer));
    context.putImageData(image, 0, 0);
  }
  return canvas;
}

/**
 * Draws a plane in its viewport, interpolated as a texture would be; black outside.
 * @param pixels RGBA, `size` rows of them
 * @param place texture coordinates of the viewport's middle and per half of its width and height: the columns go right,
 * the rows down
 */
export function drawPlane(
  pixels: Uint32Array,
  { width, height }: { width: number; height: number },
  values: Int16Array,
  { columns, rows }: Pick<VolumeInfo, "columns" | "rows">,
  { at, across, down }: { at: Vector; across: Vector; down: Vector },
  tone: (value: number) => number,
): void {
  const columnsAt = sampleAllPixels(width, columns, at[0], across[0]);
  for (let row = 0, pixel = 0; row < height; row++) {
    const [j0, j1, v] = sampleLine((2 * row + 1) / height - 1, rows, at[1], down[1]);
    const [above, below] = [j0 * columns, j1 * columns];
    for (let column = 0; column < width; column++, pixel++) {
      const i0 = columnsAt.low[column] ?? 0;
      const i1 = columnsAt.high[column] ?? 0;
      const u = columnsAt.share[column] ?? 0;
      let shade = 0;
      if (v >= 0 && u >= 0) {
        const high = (values[above + i0] ?? 0) * (1 - u) + (values[above + i1] ?? 0) * u;
        const low = (values[below + i0] ?? 0) * (1 - u) + (values[below + i1] ?? 0) * u;
        shade = Math.round(tone(high * (1 - v) + low * v));
      }
      pixels[pixel] = 0xff000000 | (shade * 0x10101);
    }
  }
}

/**
 * Returns the two points of a line between which a pixel lies, and its share; −1 outside the line, which extends half a
 * step beyond each end.
 */
function sampleLine(
  coordinate: number,
  count: number,
  at: number,
  along: number,
): [low: number, high: number, share: number] {
  const place = (at + along * coordinate) * count;
  if (place < 0 || place > count) return [0, 0, -1];
  const low = Math.floor(place - 0.5);
  return [Math.max(0, low), Math.min(count - 1, low + 1), place - 0.5 - low];
}

function sampleAllPixels(pixels: number, count: number, at: number, along: number) {
  const found = { low: new Int32Array(pixels), high: new Int32Array(pixels), share: new Float64Array(pixels) };
  for (let pixel = 0; pixel < pixels; pixel++)
    [found.low[pixel], found.high[pixel], found.share[pixel]] = sampleLine(
      (2 * pixel + 1) / pixels - 1,
      count,
      at,
      along,
    );
  return found;
}
