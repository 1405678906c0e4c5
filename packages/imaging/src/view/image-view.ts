import type { PixelSpacing, Point2D } from "./measure-lengths-angles.ts";

/** The position and orientation of an image on the screen. */
export interface ImageView {
  /** CSS pixels per image column. */
  zoom: number;
  /** The image point in the middle of the viewport. */
  centre: Point2D;
  /** Quarter turns clockwise, applied after the mirroring. */
  turns: 0 | 1 | 2 | 3;
  /** Degrees clockwise besides the quarter turns. */
  tilt?: number;
  mirrored: boolean;
}

export interface Size {
  width: number;
  height: number;
}

export interface ImageShape {
  columns: number;
  rows: number;
  spacing: PixelSpacing | null;
}

/** x' = a x + c y + e, y' = b x + d y + f: the order of a canvas transform. */
export interface Affine {
  a: number;
  b: number;
  c: number;
  d: number;
  e: number;
  f: number;
}

const zoomLimits = { least: 0.02, most: 64 } as const;

/** From image points to CSS pixels of the viewport. Pixels that are not square are drawn in their true proportions. */
export function computeViewMatrix(view: ImageView, shape: ImageShape, viewport: Size): Affine {
  const tall = pixelHeight(shape);
  const [cos, sin] = getViewDirection(view);
  const across = view.zoom * (view.mirrored ? -1 : 1);
  const down = view.zoom * tall;
  const matrix = { a: cos * across, b: sin * across, c: -sin * down, d: cos * down };
  const [x, y] = view.centre;
  return {
    ...matrix,
    e: viewport.width / 2 - matrix.a * x - matrix.c * y,
    f: viewport.height / 2 - matrix.b * x - matrix.d * y,
  };
}

export const applyAffine = (m: Affine, [x, y]: Point2D): Point2D => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f];

export function invertAffine(m: Affine): Affine {
  const scale = 1 / (m.a * m.d - m.b * m.c);
  return {
    a: m.d * scale,
    b: -m.b * scale,
    c: -m.c * scale,
    d: m.a * scale,
    e: (m.c * m.f - m.d * m.e) * scale,
    f: (m.b * m.e - m.a * m.f) * scale,
  };
}

/** A part of an image, in image points. */
export interface ImageArea {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * The whole image or a part of it, as large as the viewport allows, in its present orientation. `by` "width" fills the
 * width, even if a part of the height is cut off.
 */
export function fitView(
  view: ImageView,
  shape: ImageShape,
  viewport: Size,
  area: ImageArea = { left: 0, top: 0, right: shape.columns, bottom: shape.rows },
  by: "all" | "width" = "all",
): ImageView {
  const [across, down] = [area.right - area.left, pixelHeight(shape) * (area.bottom - area.top)];
  const [cos, sin] = getViewDirection(view).map(Math.abs) as [number, number];
  const [width, height] = [cos * across + sin * down, sin * across + cos * down];
  const zoom = by === "width" ? viewport.width / width : Math.min(viewport.width / width, viewport.height / height);
  return { ...view, zoom: clampZoom(zoom), centre: [(area.left + area.right) / 2, (area.top + area.bottom) / 2] };
}

/** Enlarges the content of the rectangle between two points of the viewport. */
export function zoomToRectangle(
  view: ImageView,
  shape: ImageShape,
  viewport: Size,
  from: Point2D,
  to: Point2D,
): ImageView {
  const [width, height] = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])];
  if (width < 4 || height < 4) return view;
  const back = invertAffine(computeViewMatrix(view, shape, viewport));
  const factor = Math.min(viewport.width / width, viewport.height / height);
  return {
    ...view,
    zoom: clampZoom(view.zoom * factor),
    centre: applyAffine(back, [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]),
  };
}

/** The matrix that shows the content under one place of the viewport enlarged around another. */
export const magnifyMatrix = (m: Affine, under: Point2D, at: Point2D, factor: number): Affine => ({
  a: m.a * factor,
  b: m.b * factor,
  c: m.c * factor,
  d: m.d * factor,
  e: at[0] + (m.e - under[0]) * factor,
  f: at[1] + (m.f - under[1]) * factor,
});

/** Zooms so that the content under the screen point stays there. */
export function zoomViewAt(view: ImageView, shape: ImageShape, viewport: Size, at: Point2D, factor: number): ImageView {
  const zoom = clampZoom(view.zoom * factor);
  const held = applyAffine(invertAffine(computeViewMatrix(view, shape, viewport)), at);
  const ratio = view.zoom / zoom;
  const centre: Point2D = [held[0] + (view.centre[0] - held[0]) * ratio, held[1] + (view.centre[1] - held[1]) * ratio];
  return { ...view, zoom, centre };
}

/** Moves the image by CSS pixels. */
export function panView(view: ImageView, shape: ImageShape, viewport: Size, by: Point2D): ImageView {
  const back = invertAffine(computeViewMatrix(view, shape, viewport));
  const centre = applyAffine(back, [viewport.width / 2 - by[0], viewport.height / 2 - by[1]]);
  return { ...view, centre };
}

export const rotateView = (view: ImageView, quarters: 1 | -1): ImageView => ({
  ...view,
  turns: wrapTurns(view.turns + quarters),
});

/** Mirrors left and right as they are on the screen: after a turn that is not the image's own left and right. */
export const mirrorView = (view: ImageView): ImageView => ({
  ...view,
  mirrored: !view.mirrored,
  turns: wrapTurns(-view.turns),
  ...(view.tilt !== undefined && { tilt: -view.tilt }),
});

/** Mirrors top and bottom as they are on the screen. */
export const flipView = (view: ImageView): ImageView => rotateHalfTurn(mirrorView(view));

const rotateHalfTurn = (view: ImageView): ImageView => ({ ...view, turns: wrapTurns(view.turns + 2) });

/** Returns the view turned to the given total of clockwise degrees. */
export function setViewRotation(view: ImageView, degrees: number): ImageView {
  const all = ((degrees % 360) + 360) % 360;
  const quarters = Math.round(all / 90);
  return { ...view, turns: wrapTurns(quarters), tilt: all - quarters * 90 };
}

/** Degrees clockwise altogether, −180 to 180. */
export function getViewRotation({ turns: quarters, tilt = 0 }: ImageView): number {
  const all = (((quarters * 90 + tilt) % 360) + 360) % 360;
  return all > 180 ? all - 360 : all;
}

function getViewDirection({ turns: quarters, tilt = 0 }: ImageView): readonly [cos: number, sin: number] {
  const [cos, sin] = quarterDirections[quarters];
  if (tilt === 0) return [cos, sin];
  const [c, s] = [Math.cos((tilt * Math.PI) / 180), Math.sin((tilt * Math.PI) / 180)];
  return [cos * c - sin * s, sin * c + cos * s];
}

const quarterDirections = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

const pixelHeight = ({ spacing }: ImageShape): number => (spacing ? spacing.row / spacing.column : 1);

const wrapTurns = (number: number): ImageView["turns"] => ([0, 1, 2, 3] as const)[((number % 4) + 4) % 4] ?? 0;

const clampZoom = (zoom: number): number => Math.min(zoomLimits.most, Math.max(zoomLimits.least, zoom));
