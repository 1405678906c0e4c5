import { toneOf } from "@arcada/imaging/picture/window";
import { fittedPane, paneTexture, planeNames, planes } from "@arcada/imaging/view/plane";
import type { Plane } from "@arcada/imaging/view/plane";
import { dot } from "@arcada/imaging/view/vector";
import type { Vector } from "@arcada/imaging/view/vector";
import { middleOf } from "@arcada/imaging/view/volume-geometry";
import type { VolumeInfo } from "@arcada/imaging/volume/volume";
import { firstPlaces } from "./first-places.ts";
import type { FirstPlace } from "./first-places.ts";
import { putFirstLook } from "./first-stage.ts";

/** Shows the three planes through a volume's middle where the viewer will show them. */
export function paintFirstLook(values: Int16Array, preview: VolumeInfo, whole: VolumeInfo): void {
  const stage = document.createElement("div");
  stage.setAttribute("aria-hidden", "true");
  Object.assign(stage.style, { position: "fixed", inset: "0", zIndex: "1000", pointerEvents: "none" });
  const places = firstPlaces();
  for (const name of planeNames) {
    const place = places[name];
    if (place) stage.append(paneAt(place, values, preview, whole, planes[name]));
  }
  putFirstLook(stage);
}

function paneAt(
  [left, top, width, height]: FirstPlace,
  values: Int16Array,
  preview: VolumeInfo,
  whole: VolumeInfo,
  plane: Plane,
): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.round(width),
    height: Math.round(height),
  });
  const style = { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
  Object.assign(canvas.style, { position: "absolute", background: "#000", ...style });
  const brush = canvas.getContext("2d");
  if (brush && canvas.width > 0 && canvas.height > 0) {
    const size = { width: canvas.width, height: canvas.height };
    const view = fittedPane(whole, plane, size);
    const place = paneTexture(preview, plane, view, size, dot(middleOf(whole), plane.away));
    const image = brush.createImageData(size.width, size.height);
    paintPlane(new Uint32Array(image.data.buffer), size, values, preview, place, toneOf(whole.window));
    brush.putImageData(image, 0, 0);
  }
  return canvas;
}

/**
 * A plane of a small volume, between voxels as a texture would show it; black outside.
 * @param pixels RGBA, `size` rows of them
 * @param place texture coordinates of the pane's middle and per half of its width and height
 */
export function paintPlane(
  pixels: Uint32Array,
  { width, height }: { width: number; height: number },
  values: Int16Array,
  { columns, rows, slices }: Pick<VolumeInfo, "columns" | "rows" | "slices">,
  { at, across, down }: { at: Vector; across: Vector; down: Vector },
  tone: (value: number) => number,
): void {
  const counts = [columns, rows, slices] as const;
  const voxel = (axis: 0 | 1 | 2, x: number, y: number) =>
    (at[axis] + across[axis] * x + down[axis] * y) * counts[axis];
  const value = between(values, counts);
  for (let row = 0, pixel = 0; row < height; row++) {
    const y = (2 * row + 1) / height - 1;
    for (let column = 0; column < width; column++, pixel++) {
      const x = (2 * column + 1) / width - 1;
      const [i, j, k] = [voxel(0, x, y), voxel(1, x, y), voxel(2, x, y)];
      const isInside = i >= 0 && i <= columns && j >= 0 && j <= rows && k >= 0 && k <= slices;
      const shade = isInside ? Math.round(tone(value(i - 0.5, j - 0.5, k - 0.5))) : 0;
      pixels[pixel] = 0xff000000 | (shade * 0x10101);
    }
  }
}

/** The value between the eight voxels around a place; at the rim that of the outermost. */
function between(values: Int16Array, [columns, rows, slices]: readonly [number, number, number]) {
  const within = (place: number, count: number) => Math.min(count - 1, Math.max(0, place));
  return (i: number, j: number, k: number): number => {
    const [i0, j0, k0] = [Math.floor(i), Math.floor(j), Math.floor(k)];
    const [a, b] = [within(i0, columns), within(i0 + 1, columns)];
    const [c, d] = [within(j0, rows) * columns, within(j0 + 1, rows) * columns];
    const [e, f] = [within(k0, slices) * rows * columns, within(k0 + 1, slices) * rows * columns];
    const [u, v, w] = [i - i0, j - j0, k - k0];
    const line = (from: number) => (values[from + a] ?? 0) * (1 - u) + (values[from + b] ?? 0) * u;
    return (line(e + c) * (1 - v) + line(e + d) * v) * (1 - w) + (line(f + c) * (1 - v) + line(f + d) * v) * w;
  };
}
