import { fitted, type PictureShape, type PictureView, type Size } from "./picture-view.ts";

/** What two pictures that are moved together have in common. */
export interface LinkedView {
  /** Over the zoom at which the whole picture is shown; by mm: CSS pixels per mm. */
  zoom: number;
  /** From the picture's middle to the viewport's: parts of its width and height; by mm: mm. */
  shift: readonly [right: number, down: number];
}

/** Whether pictures are brought to the same size of what they show, which asks for mm, or to the same part of themselves. */
export type LinkedBy = "part" | "mm";

/** What of a view its neighbour follows. By mm a picture without spacing is taken at 1 mm a pixel. */
export function linkedView(view: PictureView, shape: PictureShape, viewport: Size, by: LinkedBy): LinkedView {
  const { zoom, width, height } = units(view, shape, viewport, by);
  const [x, y] = view.centre;
  return { zoom: view.zoom / zoom, shift: [(x - shape.columns / 2) / width, (y - shape.rows / 2) / height] };
}

/** The view of a picture that lies as `view` does and follows a neighbour. */
export function followedView(
  linked: LinkedView,
  view: PictureView,
  shape: PictureShape,
  viewport: Size,
  by: LinkedBy,
): PictureView {
  const { zoom, width, height } = units(view, shape, viewport, by);
  const [right, down] = linked.shift;
  return {
    ...view,
    zoom: linked.zoom * zoom,
    centre: [shape.columns / 2 + right * width, shape.rows / 2 + down * height],
  };
}

function units(view: PictureView, shape: PictureShape, viewport: Size, by: LinkedBy) {
  const { columns, rows, spacing } = shape;
  if (by === "part") return { zoom: fitted(view, shape, viewport).zoom, width: columns, height: rows };
  const { column, row } = spacing ?? { column: 1, row: 1 };
  return { zoom: column, width: 1 / column, height: 1 / row };
}
