/** FDI numbers as a chart shows them, seen from the front: the patient's right is at the left. */
export const archesOfTeeth = [
  [18, 17, 16, 15, 14, 13, 12, 11, 21, 22, 23, 24, 25, 26, 27, 28],
  [48, 47, 46, 45, 44, 43, 42, 41, 31, 32, 33, 34, 35, 36, 37, 38],
] as const;
export const chartSize = { width: 400, height: 512 } as const;

export interface ToothShape {
  tooth: number;
  x: number;
  y: number;
  /** Degrees by which the tooth is turned so that its outer side looks outwards. */
  turn: number;
  /** Outline and furrows around the tooth's own centre. */
  outline: string;
  furrows: string;
  /** Where its number stands. */
  labelX: number;
  labelY: number;
}

/** Teeth between two of one arch, both included, in the arch's order; empty across arches. */
export function spanOf(from: number, to: number): number[] {
  const arch: readonly number[] | undefined = archesOfTeeth.find((teeth) =>
    (teeth as readonly number[]).includes(from),
  );
  if (!arch?.includes(to)) return [];
  const [first, last] = [arch.indexOf(from), arch.indexOf(to)].toSorted((a, b) => a - b) as [number, number];
  return arch.slice(first, last + 1);
}

/** In the order of the arches, as people name the teeth of a bridge. */
export const inArchOrder = (teeth: readonly number[]): number[] =>
  archesOfTeeth.flatMap((arch) => arch.filter((tooth) => teeth.includes(tooth)));

/** The neighbour to which an arrow key leads. */
export function neighbourOf(tooth: number, key: string): number | undefined {
  const row = archesOfTeeth.findIndex((arch) => (arch as readonly number[]).includes(tooth));
  const place = (archesOfTeeth[row] as readonly number[] | undefined)?.indexOf(tooth) ?? -1;
  if (place < 0) return undefined;
  if (key === "ArrowLeft") return archesOfTeeth[row]![place - 1];
  if (key === "ArrowRight") return archesOfTeeth[row]![place + 1];
  if (key === "ArrowUp") return archesOfTeeth[0][place];
  if (key === "ArrowDown") return archesOfTeeth[1][place];
  return undefined;
}

// Half an ellipse for each arch; the numbers stand inside it.
const arch = { x: 200, halfWidth: 164, height: 208, upperY: 240, lowerY: 272 } as const;
/** Relative widths and depths, central incisor to wisdom tooth; narrow ones are widened so that a finger finds them. */
const widths = { upper: [8.4, 7.2, 7.8, 7.4, 7.4, 9.4, 9, 8.6], lower: [6.9, 7, 7.4, 7.5, 7.6, 9.7, 9.4, 9] } as const;
const depths = [6.4, 6.1, 7.4, 8.2, 8.4, 9.6, 9.4, 9] as const;
const gap = 1.5;

const steps = 720;
const round = (value: number): number => Math.round(value * 10) / 10;

interface Place {
  x: number;
  y: number;
  along: number;
}
/** Points of the half ellipse from left to right, each with its distance along the curve. */
function curve(isUpper: boolean): Place[] {
  let along = 0;
  let before: { x: number; y: number } | null = null;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = Math.PI * (1 - step / steps);
    const rise = arch.height * Math.sin(angle);
    const x = arch.x + arch.halfWidth * Math.cos(angle);
    const y = isUpper ? arch.upperY - rise : arch.lowerY + rise;
    if (before) along += Math.hypot(x - before.x, y - before.y);
    before = { x, y };
    return { x, y, along };
  });
}

function shapesOf(teeth: readonly number[], isUpper: boolean): ToothShape[] {
  const points = curve(isUpper);
  const own = isUpper ? widths.upper : widths.lower;
  const placeIn = (tooth: number) => (tooth % 10) - 1;
  const total = teeth.reduce((sum, tooth) => sum + own[placeIn(tooth)]!, 0);
  const scale = points.at(-1)!.along / total;
  let at = 0;
  return teeth.map((tooth) => {
    const width = own[placeIn(tooth)]! * scale;
    const middle = at + width / 2;
    at += width;
    return shapeOf(tooth, points, middle, width - gap, depths[placeIn(tooth)]! * 4.8);
  });
}

function shapeOf(tooth: number, points: readonly Place[], middle: number, width: number, depth: number): ToothShape {
  const step = points.findIndex(({ along }) => along >= middle);
  const [before, here, after] = [points[step - 1]!, points[step]!, points[step + 1] ?? points[step]!];
  const length = Math.hypot(after.x - before.x, after.y - before.y);
  const isUpper = tooth < 30;
  // The normal to the inside: down in the upper arch, up in the lower.
  const inX = ((after.y - before.y) / length) * (isUpper ? -1 : 1);
  const inY = ((after.x - before.x) / length) * (isUpper ? 1 : -1);
  const label = depth / 2 + 12;
  return {
    tooth,
    x: round(here.x),
    y: round(here.y),
    turn: round((Math.atan2(after.y - before.y, after.x - before.x) * 180) / Math.PI),
    outline: outlineOf(tooth % 10, width / 2, depth / 2),
    furrows: furrowsOf(tooth % 10, width / 2, depth / 2),
    labelX: round(here.x + inX * label),
    labelY: round(here.y + inY * label),
  };
}

/** A superellipse: squarer for molars, rounder for canines. */
function outlineOf(place: number, halfWidth: number, halfDepth: number): string {
  const power = place >= 6 ? 3.4 : place >= 4 ? 2.6 : place === 3 ? 2.1 : 2.9;
  const bend = (value: number) => Math.sign(value) * Math.abs(value) ** (2 / power);
  const points = Array.from({ length: 40 }, (_, step) => {
    const angle = (step / 40) * 2 * Math.PI;
    return `${round(halfWidth * bend(Math.cos(angle)))} ${round(halfDepth * bend(Math.sin(angle)))}`;
  });
  return `M${points.join("L")}Z`;
}

function furrowsOf(place: number, halfWidth: number, halfDepth: number): string {
  const x = round(halfWidth * 0.5);
  const y = round(halfDepth * 0.45);
  if (place >= 6) return `M${-x} 0H${x}M0 ${-y}V${y}`;
  if (place >= 4) return `M${-x} 0H${x}`;
  return "";
}

/** Every tooth of the chart, by its number. */
export const toothShapes: ReadonlyMap<number, ToothShape> = new Map(
  [...shapesOf(archesOfTeeth[0], true), ...shapesOf(archesOfTeeth[1], false)].map((shape) => [shape.tooth, shape]),
);
