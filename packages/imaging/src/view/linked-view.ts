import { fitView, type ImageShape, type ImageView, type Size } from "./image-view.ts";

/** The shared state of two images that move together. */
export interface LinkedView {
  /** Relative to the zoom at which the whole image is shown; by mm: CSS pixels per mm. */
  zoom: number;
  /** From the image's middle to the viewport's: shares of its width and height; by mm: mm. */
  shift: readonly [right: number, down: number];
}

/**
 * The rule for linking images: "mm" brings their contents to the same size, which requires mm; "part" shows the same
 * part of each.
 */
export type LinkMode = "part" | "mm";

/** Returns the part of a view that its neighbour follows. By mm, an image without spacing is taken at 1 mm a pixel. */
export function toLinkedView(view: ImageView, shape: ImageShape, viewport: Size, by: LinkMode): LinkedView {
  const { zoom, width, height } = getLinkUnits(view, shape, viewport, by);
  const [x, y] = view.centre;
  return { zoom: view.zoom / zoom, shift: [(x - shape.columns / 2) / width, (y - shape.rows / 2) / height] };
}

/** Returns the view of an image that keeps the orientation of `view` and follows a neighbour. */
export function followLinkedView(
  linked: LinkedView,
  view: ImageView,
  shape: ImageShape,
  viewport: Size,
  by: LinkMode,
): ImageView {
  const { zoom, width, height } = getLinkUnits(view, shape, viewport, by);
  const [right, down] = linked.shift;
  return {
    ...view,
    zoom: linked.zoom * zoom,
    centre: [shape.columns / 2 + right * width, shape.rows / 2 + down * height],
  };
}

function getLinkUnits(view: ImageView, shape: ImageShape, viewport: Size, by: LinkMode) {
  const { columns, rows, spacing } = shape;
  if (by === "part") return { zoom: fitView(view, shape, viewport).zoom, width: columns, height: rows };
  const { column, row } = spacing ?? { column: 1, row: 1 };
  return { zoom: column, width: 1 / column, height: 1 / row };
}
