import { toneOf } from "@arcada/imaging/picture/window";
import { middleGrids } from "@arcada/imaging/view/middle-planes";
import { fittedPane, paneTexture, planeNames, planes } from "@arcada/imaging/view/plane";
import type { PaneView, Plane, PlaneName } from "@arcada/imaging/view/plane";
import { dot } from "@arcada/imaging/view/vector";
import type { Size } from "@arcada/imaging/view/picture-view";
import type { Vector } from "@arcada/imaging/view/vector";
import { middleVoxelOf } from "@arcada/imaging/view/volume-geometry";
import type { VolumeGeometry } from "@arcada/imaging/view/volume-geometry";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { firstPlaces } from "./first-places.ts";
import type { FirstPlace } from "./first-places.ts";
import { putFirstLook } from "./first-stage.ts";

/**
 * Shows the three planes through a volume's middle at the places where the viewer will show them; `values`: its
 * `middlePlanes`.
 */
export function paintFirstLook(values: Int16Array, preview: VolumeInfo, whole: VolumeInfo): void {
  const places = firstPlaces();
  const grids = middleGrids(whole, preview);
  let from = 0;
  for (const name of planeNames) {
    const { columns, rows } = grids[name];
    const own = values.subarray(from, (from += columns * rows));
    const place = places[name];
    if (place) putFirstLook(paneAt(place, own, grids[name], whole, name, places.closeUp));
  }
}

function paneAt(
  place: FirstPlace,
  values: Int16Array,
  grid: VolumeGeometry,
  whole: VolumeInfo,
  name: PlaneName,
  closeUp: number | undefined,
): HTMLCanvasElement {
  const size = { width: Math.round(place[2]), height: Math.round(place[3]) };
  const view = firstView(whole, planes[name], size, closeUp);
  const depth = dot(middleVoxelOf(whole), planes[name].away);
  const seen = paneTexture(grid, planes[name], view, size, depth);
  return pictureAt(place, size, (pixels) => paintPlane(pixels, size, values, grid, seen, toneOf(whole.window)));
}

/** Returns the part of its plane with which a viewport begins; `closeUp`: CSS pixels per mm. */
export function firstView(whole: VolumeInfo, plane: Plane, size: Size, closeUp?: number): PaneView {
  if (!closeUp) return fittedPane(whole, plane, size);
  const middle = middleVoxelOf(whole);
  return { middle: [dot(middle, plane.right), dot(middle, plane.down)], scale: closeUp };
}

/** Creates an image of a given size in pixels that fills a rectangle of the window. */
export function pictureAt(
  [left, top, width, height]: FirstPlace,
  size: Size,
  paint: (pixels: Uint32Array) => void,
): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement("canvas"), size);
  const style = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
  Object.assign(canvas.style, { position: "absolute", background: "#000", ...style });
  const brush = canvas.getContext("2d");
  if (brush && canvas.width > 0 && canvas.height > 0) {
    const image = brush.createImageData(size.width, size.height);
    paint(new Uint32Array(image.data.buffer));
    brush.putImageData(image, 0, 0);
  }
  return canvas;
}

/**
 * Draws a plane in its viewport, interpolated as a texture would be; black outside.
 * @param pixels RGBA, `size` rows of them
 * @param place texture coordinates of the viewport's middle and per half of its width and height: the columns go right,
 * the rows down
 */
export function paintPlane(
  pixels: Uint32Array,
  { width, height }: { width: number; height: number },
  values: Int16Array,
  { columns, rows }: Pick<VolumeInfo, "columns" | "rows">,
  { at, across, down }: { at: Vector; across: Vector; down: Vector },
  tone: (value: number) => number,
): void {
  const columnsAt = placesOf(width, columns, at[0], across[0]);
  for (let row = 0, pixel = 0; row < height; row++) {
    const [j0, j1, v] = spotOf((2 * row + 1) / height - 1, rows, at[1], down[1]);
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
function spotOf(pane: number, count: number, at: number, along: number): [low: number, high: number, share: number] {
  const place = (at + along * pane) * count;
  if (place < 0 || place > count) return [0, 0, -1];
  const low = Math.floor(place - 0.5);
  return [Math.max(0, low), Math.min(count - 1, low + 1), place - 0.5 - low];
}

function placesOf(pixels: number, count: number, at: number, along: number) {
  const found = { low: new Int32Array(pixels), high: new Int32Array(pixels), share: new Float64Array(pixels) };
  for (let pixel = 0; pixel < pixels; pixel++)
    [found.low[pixel], found.high[pixel], found.share[pixel]] = spotOf((2 * pixel + 1) / pixels - 1, count, at, along);
  return found;
}
