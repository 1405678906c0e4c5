import type { ImageArea } from "../../view/image-view.ts";
import type { DicomItem } from "../parse/dicom-item.ts";
import { tags, type Tag } from "../parse/tags.ts";

type ImagePoint = [x: number, y: number];

/** A drawing over an image in its image points: pixel (0, 0) covers 0…1. Plain data that survives JSON. */
export interface StateGraphic {
  points: ImagePoint[];
  isFilled: boolean;
  /** Counted from 0; none: all of them. */
  frames: number[];
}
export interface StateText {
  words: string;
  at: ImagePoint;
  frames: number[];
}
export interface StateShutter {
  /** Pixels outside of any of these outlines are hidden. */
  outlines: ImagePoint[][];
  /** The shade that hides them, 0 black to 255 white. */
  shade: number;
}

/**
 * The rotation and mirroring of an image by a presentation state, and the part of it that is shown (PS3.3 C.10.4 and
 * C.10.6).
 */
export interface StateSpatialTransform {
  /** Quarter turns clockwise, after the mirroring. */
  turns: 0 | 1 | 2 | 3;
  mirrored: boolean;
  area: ImageArea | null;
}

export interface ParsedPart<T> {
  value: T;
  /** Something of it could not be read. */
  isIncomplete: boolean;
}

/** @param items of Displayed Area Selection that refer to the image */
export function readSpatialTransform(state: DicomItem, items: readonly DicomItem[]): ParsedPart<StateSpatialTransform> {
  const degrees = (readIntegers(state, tags.rotation, 2)[0] ?? 0) % 360;
  const mirrored = state.text(tags.flip) === "Y";
  const quarters = degrees / 90;
  // The standard turns first and mirrors then; mirrored first, the turn goes the other way.
  const turns = ([0, 1, 2, 3] as const)[((mirrored ? -quarters : quarters) + 4) % 4];
  const corners = items[0] && readCorners(items[0]);
  const isIncomplete = turns === undefined || (items.length > 0 && corners === null);
  return { value: { turns: turns ?? 0, mirrored, area: corners ? areaBetween(corners) : null }, isIncomplete };
}

interface Corners {
  first: ImagePoint;
  last: ImagePoint;
}

/** The first and the last pixel, each counted from 1, as placed when the image is turned. */
function readCorners(item: DicomItem): Corners | null {
  const [[x1, y1], [x2, y2]] = [
    readIntegers(item, tags.displayedTopLeft, 4),
    readIntegers(item, tags.displayedBottomRight, 4),
  ];
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return null;
  return { first: [x1, y1], last: [x2, y2] };
}

const areaBetween = ({ first: [x1, y1], last: [x2, y2] }: Corners): ImageArea => ({
  left: Math.min(x1, x2) - 1,
  top: Math.min(y1, y2) - 1,
  right: Math.max(x1, x2),
  bottom: Math.max(y1, y2),
});

interface Size {
  rows: number;
  columns: number;
}

/** The largest number of points drawn over one image. */
const maxPoints = 20_000;

/**
 * The graphic annotations of an image (PS3.3 C.10.5): circles, ellipses and curves as lines of many points.
 * @param items of the Graphic Annotation Sequence that refer to the image
 */
export function readAnnotations(
  items: readonly DicomItem[],
  areaItem: DicomItem | undefined,
  turns: number,
  size: Size,
): ParsedPart<{ graphics: StateGraphic[]; words: StateText[] }> {
  const corners = (areaItem && readCorners(areaItem)) ?? { first: [1, 1], last: [size.columns, size.rows] };
  const toImage = (units: string | null) =>
    units === "DISPLAY" ? displayToImage(corners, turns) : (point: ImagePoint) => point;
  const graphics: StateGraphic[] = [];
  const words: StateText[] = [];
  let [isIncomplete, count] = [false, 0];
  for (const item of items) {
    const frames = item.sequence(tags.referencedImageSequence).flatMap((image) => image.numbers(tags.referencedFrames));
    const scope = { frames: frames.map((frame) => frame - 1) };
    // Rulers, arrows and axes (PS3.3 C.10.5.1.6) are not drawn.
    if (item.sequence(tags.compoundGraphics).length > 0) isIncomplete = true;
    for (const object of item.sequence(tags.graphicObjects)) {
      const points = readGraphicPoints(object)?.map(toImage(object.text(tags.graphicUnits)));
      count += points?.length ?? 0;
      if (!points || count > maxPoints) isIncomplete = true;
      else graphics.push({ points, isFilled: object.text(tags.graphicFilled) === "Y", ...scope });
    }
    for (const object of item.sequence(tags.textObjects)) {
      const textObject = readTextObject(object, toImage);
      if (textObject && words.length < 500) words.push({ ...textObject, ...scope });
      else isIncomplete = true;
    }
  }
  return { value: { graphics, words }, isIncomplete };
}

/** Points as fractions of the displayed area, 0 to 1 from its upper left as it is shown. */
const displayToImage =
  ({ first, last }: Corners, turns: number) =>
  ([u, v]: ImagePoint): ImagePoint => {
    const [across, down] = turns % 2 === 0 ? [u, v] : [v, u];
    const along = (axis: 0 | 1, part: number) => {
      const [from, to] = [first[axis], last[axis]];
      return from <= to ? from - 1 + part * (to - from + 1) : from - part * (from - to + 1);
    };
    return [along(0, across), along(1, down)];
  };

function readGraphicPoints(object: DicomItem): ImagePoint[] | null {
  const numbers = readFloats(object, tags.graphicData);
  const points = toPoints(numbers);
  const [middle, rim] = points;
  if (!middle || points.length > 2000) return null;
  switch (object.text(tags.graphicType) ?? "") {
    case "POINT":
    case "POLYLINE":
      return points;
    case "INTERPOLATED":
      return interpolateCurve(points);
    case "CIRCLE":
      return rim
        ? ellipsePoints(middle, [rim[0] - middle[0], rim[1] - middle[1]], [middle[1] - rim[1], rim[0] - middle[0]])
        : null;
    case "ELLIPSE":
      return ellipseFromAxes(points);
    default:
      return null;
  }
}

/** Four points: both ends of one axis, then of the other. */
function ellipseFromAxes([a, b, c, d]: ImagePoint[]): ImagePoint[] | null {
  if (!a || !b || !c || !d) return null;
  const half = (from: ImagePoint, to: ImagePoint): ImagePoint => [(to[0] - from[0]) / 2, (to[1] - from[1]) / 2];
  return ellipsePoints([(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], half(a, b), half(c, d));
}

const ellipsePoints = (middle: ImagePoint, one: ImagePoint, other: ImagePoint): ImagePoint[] =>
  Array.from({ length: 65 }, (_, step) => {
    const [cos, sin] = [Math.cos((step * Math.PI) / 32), Math.sin((step * Math.PI) / 32)];
    return [middle[0] + one[0] * cos + other[0] * sin, middle[1] + one[1] * cos + other[1] * sin];
  });

/** Returns a curve through all points (Catmull-Rom), with eight segments from each to the next. */
const interpolateCurve = (points: readonly ImagePoint[]): ImagePoint[] =>
  points.flatMap((point, at) => {
    const next = points[at + 1];
    if (!next) return [point];
    const [before, after] = [points[at - 1] ?? point, points[at + 2] ?? next];
    return Array.from({ length: 8 }, (_, step): ImagePoint => {
      const s = step / 8;
      const axis = (index: 0 | 1) =>
        0.5 *
        (2 * point[index] +
          (next[index] - before[index]) * s +
          (2 * before[index] - 5 * point[index] + 4 * next[index] - after[index]) * s * s +
          (3 * point[index] - before[index] - 3 * next[index] + after[index]) * s * s * s);
      return [axis(0), axis(1)];
    });
  });

function readTextObject(
  object: DicomItem,
  toImage: (units: string | null) => (point: ImagePoint) => ImagePoint,
): Pick<StateText, "words" | "at"> | null {
  const words = object.text(tags.unformattedText)?.slice(0, 1000);
  const [box] = toPoints(readFloats(object, tags.boundingTopLeft));
  const [anchor] = toPoints(readFloats(object, tags.anchorPoint));
  if (!words) return null;
  if (box) return { words, at: toImage(object.text(tags.boundingUnits))(box) };
  return anchor ? { words, at: toImage(object.text(tags.anchorUnits))(anchor) } : null;
}

/** The display shutter (PS3.3 C.7.6.11): rectangle, circle and polygon; a bitmap is not read. */
export function readShutter(state: DicomItem): ParsedPart<StateShutter | null> {
  const shapes = state.texts(tags.shutterShape).filter(Boolean);
  const outlines = shapes.map((shape) => readOutline(state, shape));
  const known = outlines.filter((outline) => outline !== null);
  const shade = (readIntegers(state, tags.shutterValue, 2)[0] ?? 0) >> 8;
  return { value: known.length > 0 ? { outlines: known, shade } : null, isIncomplete: known.length < shapes.length };
}

function readOutline(state: DicomItem, shape: string): ImagePoint[] | null {
  const edges = [tags.shutterLeft, tags.shutterUpper, tags.shutterRight, tags.shutterLower].map((tag) =>
    state.number(tag),
  );
  if (shape === "RECTANGULAR") {
    const [left, top, right, bottom] = edges;
    if (left == null || top == null || right == null || bottom == null) return null;
    return [
      [left - 1, top - 1],
      [right, top - 1],
      [right, bottom],
      [left - 1, bottom],
    ];
  }
  if (shape === "CIRCULAR") {
    const [row, column] = state.numbers(tags.shutterCentre);
    const radius = state.number(tags.shutterRadius);
    if (row === undefined || column === undefined || radius === null) return null;
    return ellipsePoints([column - 0.5, row - 0.5], [radius, 0], [0, radius]);
  }
  // Vertices are stored as row and column.
  const corners = toPoints(state.numbers(tags.shutterVertices)).map(([row, column]): ImagePoint => [
    column - 0.5,
    row - 0.5,
  ]);
  return shape === "POLYGONAL" && corners.length > 2 ? corners : null;
}

const toPoints = (numbers: readonly number[]): ImagePoint[] =>
  Array.from({ length: numbers.length >> 1 }, (_, at) => [numbers[at * 2] ?? 0, numbers[at * 2 + 1] ?? 0]);

/** Implicit VR does not state the kind of these numbers, and is always little endian. */
function readFloats(item: DicomItem, tag: Tag): number[] {
  const decoded = item.numbers(tag);
  const bytes = decoded.length > 0 ? null : item.rawValue(tag);
  if (bytes === null) return decoded;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length >> 2 }, (_, at) => view.getFloat32(at * 4, true));
}

function readIntegers(item: DicomItem, tag: Tag, size: 2 | 4): number[] {
  const decoded = item.numbers(tag);
  const bytes = decoded.length > 0 ? null : item.rawValue(tag);
  if (bytes === null) return decoded;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, at) =>
    size === 2 ? view.getUint16(at * 2, true) : view.getInt32(at * 4, true),
  );
}
