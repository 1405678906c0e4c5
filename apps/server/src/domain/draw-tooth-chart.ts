import {
  isDeciduous,
  jawOf,
  lowerDeciduous,
  lowerTeeth,
  positionInQuadrant,
  toothName,
  upperDeciduous,
  upperTeeth,
} from "@arcada/contract/kernel/tooth-numbers";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import type { PdfShape } from "../platform/pdf/pdf-blocks.ts";

/** The appearance of a tooth; `strong`: its name is emphasised. */
export interface ToothAppearance {
  /** Below the crown: the tooth's own root by default, the screw of an implant, or nothing. */
  below?: "implant" | "nothing";
  fill: string;
  stroke: string;
  line: number;
  dash?: number;
  strong?: boolean;
}
export interface ToothPosition {
  tooth: number;
  x: number;
}
interface TeethDrawing {
  scheme: ToothScheme;
  /** True to add the rows of deciduous teeth. */
  hasDeciduous: boolean;
  appearance: (tooth: number) => ToothAppearance;
  /**
   * Returns further shapes to draw over a row; `edge`: the position of the biting edge, `up`: true if the roots point
   * up.
   */
  over?: (positions: readonly ToothPosition[], edge: number, up: boolean) => PdfShape[];
}

const width = 480;
const permanent = { height: 40, label: 13 } as const;
/** Relative widths from the midline to the back. */
const widths = [8.4, 7.2, 7.8, 7.4, 7.4, 9.8, 9.4, 8.8] as const;
const grey = "#868e96";

/** Draws the teeth in their rows, as the dentist sees them. */
export function drawTeeth(teeth: TeethDrawing): { width: number; height: number; shapes: PdfShape[] } {
  const rows = [upperTeeth, ...(teeth.hasDeciduous ? [upperDeciduous, lowerDeciduous] : []), lowerTeeth];
  const shapes: PdfShape[] = [];
  let y = 0;
  for (const row of rows) {
    shapes.push(...rowOfTeeth(row, teeth, y));
    y += permanent.height + permanent.label + (jawOf(row[0]!) === "maxilla" ? 4 : 0);
  }
  const middle: PdfShape = { path: `M${width / 2} 0V${y}`, stroke: "#ced4da", line: 0.6, dash: 3 };
  return { width, height: y, shapes: [middle, ...shapes] };
}

/** Draws one tooth alone, as it stands in its row. */
export function drawTooth(
  tooth: number,
  appearance: ToothAppearance,
): { width: number; height: number; shapes: PdfShape[] } {
  const box = { width: 34, height: permanent.height + 12 };
  const isUpper = jawOf(tooth) === "maxilla";
  const edge = { x: box.width / 2, y: isUpper ? permanent.height + 8 : 4 };
  return { ...box, shapes: toothShapes(tooth, edge, 26, appearance) };
}

function rowOfTeeth(
  row: readonly number[],
  { scheme, appearance, over: overlay }: TeethDrawing,
  top: number,
): PdfShape[] {
  const isUpper = jawOf(row[0]!) === "maxilla";
  const scale = width / (2 * widths.reduce((sum, one) => sum + one, 0));
  const ownWidth = (tooth: number) => widths[positionInQuadrant(tooth) - 1]! * scale;
  const total = row.reduce((sum, tooth) => sum + ownWidth(tooth), 0);
  // The biting edge: roots of upper teeth point up, of lower teeth down; the names are between the jaws.
  const edge = isUpper ? top + permanent.height : top + permanent.label;
  const label = isUpper ? edge + 10 : edge - 5;
  let x = (width - total) / 2;
  const positions = row.map((tooth) => {
    x += ownWidth(tooth);
    return { tooth, x: x - ownWidth(tooth) / 2 };
  });
  return [
    ...positions.flatMap(({ tooth, x: at }) =>
      toothShapes(tooth, { x: at, y: edge }, ownWidth(tooth) - 2, appearance(tooth)),
    ),
    ...(overlay?.(positions, edge, isUpper) ?? []),
    ...positions.map(({ tooth, x: at }): PdfShape => {
      const { strong } = appearance(tooth);
      return {
        text: toothName(tooth, scheme),
        x: at,
        y: label,
        size: strong ? 8.5 : 7,
        colour: strong ? "#1b2430" : grey,
      };
    }),
  ];
}

function toothShapes(
  tooth: number,
  at: { x: number; y: number },
  wide: number,
  appearance: ToothAppearance,
): PdfShape[] {
  const size = (isDeciduous(tooth) ? 0.8 : 1) * permanent.height;
  const height = jawOf(tooth) === "maxilla" ? -size : size;
  const { fill, stroke, line, dash, below } = appearance;
  const drawn = { ...at, fill, stroke, line, ...(dash && { dash }) };
  const [place, isMilk] = [positionInQuadrant(tooth), isDeciduous(tooth)];
  if (!below) return [{ path: outline(place, isMilk, wide, height), ...drawn }];
  const crown: PdfShape = { path: outline(place, isMilk, wide, height, false), ...drawn };
  if (below === "nothing") return [crown];
  return [
    { path: fixture(wide, height), ...drawn },
    { path: threads(wide, height), ...at, stroke, line: line * 0.8 },
    crown,
  ];
}

/** Half the width of an implant's screw at its shoulder and at its tip, relative to the width of the tooth. */
const screw = { shoulder: 0.26, tip: 0.17, top: 0.46, bottom: 0.95 } as const;

/** The screw of an implant under the crown: a narrow cone with a round tip. */
function fixture(wide: number, height: number): string {
  const [a, b] = [screw.shoulder * wide, screw.tip * wide];
  const at = (x: number, y: number) => `${x.toFixed(2)} ${(y * height).toFixed(2)}`;
  return `M${at(-a, screw.top)}L${at(a, screw.top)}L${at(b, screw.bottom - 0.06)}Q${at(b * 0.9, screw.bottom)} ${at(0, screw.bottom)}Q${at(-b * 0.9, screw.bottom)} ${at(-b, screw.bottom - 0.06)}Z`;
}

/** The threads extend beyond the screw on both sides, so that it differs from a root without colour. */
function threads(wide: number, height: number): string {
  const turns = 5;
  return Array.from({ length: turns }, (_, turn) => {
    const share = (turn + 0.6) / turns;
    const y = screw.top + share * (screw.bottom - 0.08 - screw.top);
    const reach = (screw.shoulder + (screw.tip - screw.shoulder) * share) * wide + 1.1;
    return `M${(-reach).toFixed(2)} ${((y - 0.02) * height).toFixed(2)}L${reach.toFixed(2)} ${((y + 0.02) * height).toFixed(2)}`;
  }).join("");
}

/**
 * Returns the outline of a tooth from its outer side, the biting edge at 0 and the tip of the root at `height`; or of
 * its crown only.
 */
function outline(place: number, isMilk: boolean, wide: number, height: number, hasRoot = true): string {
  const isMolar = isMilk ? place >= 4 : place >= 6;
  const a = wide / 2;
  const neck = a * 0.76;
  const at = (x: number, y: number) => `${x.toFixed(2)} ${(y * height).toFixed(2)}`;
  const edge = isMolar
    ? `Q${at(-a * 0.45, -0.03)} ${at(0, 0.05)}Q${at(a * 0.45, -0.03)} ${at(a * 0.86, 0.05)}`
    : place === 3
      ? `L${at(0, -0.03)}L${at(a * 0.8, 0.09)}`
      : `Q${at(0, -0.01)} ${at(a * 0.86, 0.05)}`;
  const root = !hasRoot
    ? `Q${at(0, 0.49)} ${at(-neck, 0.44)}`
    : isMolar
      ? `C${at(neck * 1.1, 0.65)} ${at(neck * 0.95, 0.97)} ${at(neck * 0.62, 0.98)}C${at(neck * 0.4, 0.97)} ${at(neck * 0.35, 0.66)} ${at(0, 0.62)}C${at(-neck * 0.35, 0.66)} ${at(-neck * 0.4, 0.97)} ${at(-neck * 0.62, 0.98)}C${at(-neck * 0.95, 0.97)} ${at(-neck * 1.1, 0.65)} ${at(-neck, 0.44)}`
      : `C${at(neck * 0.95, 0.7)} ${at(neck * 0.45, 1)} ${at(0, 1)}C${at(-neck * 0.45, 1)} ${at(-neck * 0.95, 0.7)} ${at(-neck, 0.44)}`;
  return `M${at(-a * 0.86, 0.05)}${edge}C${at(a * 1.08, 0.16)} ${at(a * 1.02, 0.32)} ${at(neck, 0.44)}${root}C${at(-a * 1.02, 0.32)} ${at(-a * 1.08, 0.16)} ${at(-a * 0.86, 0.05)}Z`;
}
