import type { PixelSpacing, Spot } from "./measure.ts";

/** How a picture lies on the screen. */
export interface PictureView {
  /** CSS pixels per image column. */
  zoom: number;
  /** The image point in the middle of the viewport. */
  centre: Spot;
  /** Quarter turns clockwise, applied after the mirroring. */
  turns: 0 | 1 | 2 | 3;
  mirrored: boolean;
}

export interface Size {
  width: number;
  height: number;
}

export interface PictureShape {
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
export function viewMatrix(view: PictureView, shape: PictureShape, viewport: Size): Affine {
  const tall = pixelHeight(shape);
  const [cos, sin] = quarter[view.turns];
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

export const applied = (m: Affine, [x, y]: Spot): Spot => [m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f];

export function inverted(m: Affine): Affine {
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

/** The whole picture, as large as the viewport allows, turned as it is. */
export function fitted(view: PictureView, shape: PictureShape, viewport: Size): PictureView {
  const tall = pixelHeight(shape) * shape.rows;
  const [width, height] = view.turns % 2 === 0 ? [shape.columns, tall] : [tall, shape.columns];
  const zoom = Math.min(viewport.width / width, viewport.height / height);
  return { ...view, zoom: limited(zoom), centre: [shape.columns / 2, shape.rows / 2] };
}

/** Zooms so that what lies under the screen point stays there. */
export function zoomedAt(
  view: PictureView,
  shape: PictureShape,
  viewport: Size,
  at: Spot,
  factor: number,
): PictureView {
  const zoom = limited(view.zoom * factor);
  const held = applied(inverted(viewMatrix(view, shape, viewport)), at);
  const ratio = view.zoom / zoom;
  const centre: Spot = [held[0] + (view.centre[0] - held[0]) * ratio, held[1] + (view.centre[1] - held[1]) * ratio];
  return { ...view, zoom, centre };
}

/** Moves the picture by CSS pixels. */
export function panned(view: PictureView, shape: PictureShape, viewport: Size, by: Spot): PictureView {
  const back = inverted(viewMatrix(view, shape, viewport));
  const centre = applied(back, [viewport.width / 2 - by[0], viewport.height / 2 - by[1]]);
  return { ...view, centre };
}

export const turned = (view: PictureView, quarters: 1 | -1): PictureView => ({
  ...view,
  turns: turns(view.turns + quarters),
});

/** Mirrors left and right as they are on the screen: after a turn that is not the image's own left and right. */
export const mirrored = (view: PictureView): PictureView => ({
  ...view,
  mirrored: !view.mirrored,
  turns: turns(-view.turns),
});

const quarter = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

const pixelHeight = ({ spacing }: PictureShape): number => (spacing ? spacing.row / spacing.column : 1);

const turns = (number: number): PictureView["turns"] => ([0, 1, 2, 3] as const)[((number % 4) + 4) % 4] ?? 0;

const limited = (zoom: number): number => Math.min(zoomLimits.most, Math.max(zoomLimits.least, zoom));
