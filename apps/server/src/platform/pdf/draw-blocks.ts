import { encode } from "uqr";
import { drawLine, faint, hairline, ink, breakLines } from "./text-layout.ts";
import type { Line, TextStyle } from "./text-layout.ts";
import { drawBanner, drawCases, drawDial, drawLegend, drawSteps } from "./draw-report-blocks.ts";
import { drawFigure, drawImages, drawBackground } from "./draw-images.ts";
import type { PdfBlock, PdfCell, PdfRow, PdfShape } from "./pdf-blocks.ts";
import type { Sheet } from "./sheet.ts";

type Block<K extends PdfBlock["kind"]> = Extract<PdfBlock, { kind: K }>;
type Drawers = { [K in PdfBlock["kind"]]: (sheet: Sheet, block: Block<K>) => void };

/** Draws a block at the current position of the sheet, and moves the position below it. */
export const drawBlock = <K extends PdfBlock["kind"]>(sheet: Sheet, block: Block<K>): void =>
  (drawers[block.kind] as (sheet: Sheet, block: Block<K>) => void)(sheet, block);

const headingHeight = 36;
const body: TextStyle = { size: 10 };
const small: TextStyle = { size: 8 };
const tiny: TextStyle = { size: 7 };

const drawers: Drawers = {
  banner: drawBanner,
  dial: drawDial,
  legend: drawLegend,
  steps: drawSteps,
  cases: (sheet, { cases }) => drawCases(sheet, cases, drawShapesAt),
  figure: drawFigure,
  images: drawImages,
  title(sheet, { text, aside }) {
    const look: TextStyle = { size: 20, bold: true };
    const { pdf, x, width } = sheet;
    const [right] = aside ? breakLines(pdf, aside, { size: 14, bold: true }, width / 2) : [];
    if (right) drawLine(pdf, right, { size: 14, bold: true }, x + width - right.width, sheet.y + 21);
    sheet.write(text, look, { x, width: width - (right ? right.width + 16 : 0) });
    sheet.y += 6;
    rule(sheet, 1.2, ink);
    sheet.y += 10;
  },
  heading(sheet, { text, before = 28 }) {
    // A heading must not be alone at the foot of a page.
    sheet.requireSpace(headingHeight + before);
    sheet.y += 10;
    sheet.write(text, { size: 12, bold: true });
    sheet.y += 2;
  },
  text(sheet, { text, muted }) {
    sheet.write(text, muted ? { ...body, colour: faint } : body);
    sheet.y += 4;
  },
  facts: drawFacts,
  table: drawTable,
  drawing(sheet, { width, height, shapes, under }) {
    sheet.requireSpace(height + 8);
    const { pdf, x, y } = sheet;
    const left = x + (sheet.width - width) / 2;
    if (under) drawBackground(pdf, under, { x: left, y, width, height });
    drawShapesAt(sheet, shapes, left, y);
    sheet.y += height + 8;
  },
  signature(sheet, { names }) {
    sheet.requireSpace(60);
    sheet.y += 34;
    const each = (sheet.width - 24 * (names.length - 1)) / names.length;
    names.forEach((name, at) => {
      const x = sheet.x + at * (each + 24);
      sheet.pdf
        .moveTo(x, sheet.y)
        .lineTo(x + each, sheet.y)
        .lineWidth(0.7)
        .stroke(faint);
      const [line] = breakLines(sheet.pdf, name, small, each);
      if (line) drawLine(sheet.pdf, line, { ...small, colour: faint }, x, sheet.y + 11);
    });
    sheet.y += 16;
  },
};

function rule(sheet: Sheet, line = 0.5, colour = hairline): void {
  sheet.pdf
    .moveTo(sheet.x, sheet.y)
    .lineTo(sheet.x + sheet.width, sheet.y)
    .lineWidth(line)
    .stroke(colour);
}

const factGap = 20;
const nameShare = 0.36;
function drawFacts(sheet: Sheet, { rows }: Block<"facts">): void {
  const half = (sheet.width - factGap) / 2;
  for (let at = 0; at < rows.length; at += 2) {
    const cells = rows.slice(at, at + 2).map(([name, value]) => ({
      name: breakLines(sheet.pdf, name, body, half * nameShare - 6),
      value: breakLines(sheet.pdf, value, body, half * (1 - nameShare)),
    }));
    const height = Math.max(...cells.flatMap(({ name, value }) => [name.length, value.length])) * lineHeight(body) + 3;
    sheet.requireSpace(height);
    cells.forEach(({ name, value }, column) => {
      const x = sheet.x + column * (half + factGap);
      drawLines(sheet, name, { ...body, colour: faint }, x);
      drawLines(sheet, value, body, x + half * nameShare);
    });
    sheet.y += height;
  }
  sheet.y += 4;
}

const padding = 5;
const headTextStyle: TextStyle = { ...small, bold: true, colour: faint };
const tableTextStyle = ({ small: isSmall }: Block<"table">): TextStyle => (isSmall ? tiny : body);
function columnsOf(sheet: Sheet, { widths }: Block<"table">): number[] {
  const share = sheet.width / widths.reduce((sum, width) => sum + width, 0);
  return widths.map((width) => width * share);
}

function drawTable(sheet: Sheet, table: Block<"table">): void {
  const widths = columnsOf(sheet, table);
  const head = () => drawRow(sheet, layOutRow(sheet, { cells: table.head }, widths, headTextStyle));
  sheet.requireSpace(minimumHeight(sheet, table));
  head();
  for (const row of table.rows) drawRow(sheet, layOutRow(sheet, row, widths, tableTextStyle(table)), head);
  sheet.y += 6;
}

function minimumHeight(sheet: Sheet, table: Block<"table">): number {
  const widths = columnsOf(sheet, table);
  const [first] = table.rows;
  const head = layOutRow(sheet, { cells: table.head }, widths, headTextStyle).height;
  return head + (first ? layOutRow(sheet, first, widths, tableTextStyle(table)).height : 0);
}

/**
 * Returns the points from a heading, or text below it, to the first row of the table that follows; 0 if none follows.
 */
export function measureHeading(sheet: Sheet, blocks: readonly PdfBlock[], at: number): number {
  let held = 0;
  for (const block of blocks.slice(at)) {
    if (block.kind === "table") return held + minimumHeight(sheet, block);
    if (block.kind === "heading" && held > 0) return 0;
    if (block.kind === "heading") held = headingHeight;
    else if (block.kind === "text") held += textHeight(sheet, block.text);
    else return 0;
    // Pages of text above a table need not move.
    if (held > 150) return 0;
  }
  return 0;
}

/** Returns the points from text that is kept with the next blocks to their end; 0 for everything else. */
export function measureKeptText(sheet: Sheet, blocks: readonly PdfBlock[], at: number): number {
  const first = blocks[at];
  if (first?.kind !== "text" || !first.kept) return 0;
  let kept = 0;
  for (const block of blocks.slice(at)) {
    if (block.kind === "heading") kept += headingHeight;
    else if (block.kind === "text") kept += textHeight(sheet, block.text);
    else break;
  }
  return kept;
}
const textHeight = (sheet: Sheet, text: string): number =>
  breakLines(sheet.pdf, text, body, sheet.width).length * 14.5 + 4;

interface RowLayout extends PdfRow {
  lines: Line[][];
  height: number;
  widths: readonly number[];
  look: TextStyle;
}
function layOutRow(sheet: Sheet, row: PdfRow, widths: readonly number[], look: TextStyle): RowLayout {
  const lines = row.cells.map((cell, at) => breakLines(sheet.pdf, cellText(cell), look, widths[at]! - 2 * padding));
  const least = row.cells.some(isCode) ? qrCodeSize : lineHeight(look);
  const height = Math.max(least, ...lines.map((cell) => cell.length * lineHeight(look))) + 2 * 3.5;
  return { ...row, lines, height, widths, look };
}

/**
 * The size in points: modules of half a millimetre for our addresses, which a telephone reads from a hand's breadth.
 */
const qrCodeSize = 58;

/** Draws a QR code with the quiet zone of four modules that ISO/IEC 18004 requires. */
function drawQrCode({ pdf, y }: Sheet, text: string, x: number): void {
  const { data, size } = encode(text, { border: 4 });
  const module = qrCodeSize / size;
  const boxes: string[] = [];
  for (const [row, cells] of data.entries())
    for (let from = 0; from < size; from++) {
      if (!cells[from]) continue;
      let to = from;
      while (cells[to]) to++;
      // Slightly taller than a module, so that there is no gap between two rows.
      const box = [x + from * module, y + row * module, (to - from) * module, module * 1.02];
      boxes.push(`${box.map((value) => value.toFixed(2)).join(" ")} re`);
      from = to;
    }
  // All boxes are written in one operator (ISO 32000-1, 8.5.2.1): a document of 500 cards has 180,000 of them, and each
  // would be written separately.
  pdf.fillColor("#000000").addContent(`${boxes.join("\n")}\nf`);
}

/** Draws a row, which stays on one page; a new page repeats the head. */
function drawRow(
  sheet: Sheet,
  { cells, colour, lines, height, widths, look }: RowLayout,
  onNewPage?: () => void,
): void {
  const top = sheet.y;
  sheet.requireSpace(height);
  if (sheet.y < top) onNewPage?.();
  if (colour) sheet.pdf.rect(sheet.x, sheet.y + 2, 3, height - 4).fill(colour);
  sheet.y += 3.5;
  let x = sheet.x;
  lines.forEach((cell, at) => {
    drawLines(sheet, cell, look, x + padding);
    const drawn = cells[at]!;
    if (isCode(drawn)) drawQrCode(sheet, drawn.code, x);
    else if (typeof drawn !== "string")
      drawDeviation(sheet, drawn.deviation, x + padding, widths[at]! - 2 * padding, look);
    x += widths[at]!;
  });
  sheet.y += height - 3.5;
  rule(sheet);
}

const isCode = (cell: PdfCell): cell is { code: string } => typeof cell !== "string" && "code" in cell;
const cellText = (cell: PdfCell): string => (typeof cell === "string" ? cell : "");

const maxDeviation = 3;
/**
 * Draws a scale of three standard deviations to either side of the norm, and the value on it; a value outside is drawn
 * at its end.
 */
function drawDeviation({ pdf, y }: Sheet, deviation: number | null, x: number, width: number, look: TextStyle): void {
  if (deviation === null) return;
  const middle = y + lineHeight(look) / 2;
  const at = (value: number) => x + width / 2 + (value / maxDeviation) * (width / 2 - 4);
  pdf.moveTo(at(-maxDeviation), middle).lineTo(at(maxDeviation), middle).lineWidth(0.5).stroke(hairline);
  for (let mark = -maxDeviation; mark <= maxDeviation; mark++)
    pdf
      .moveTo(at(mark), middle - (mark === 0 ? 3.5 : 1.8))
      .lineTo(at(mark), middle + (mark === 0 ? 3.5 : 1.8))
      .lineWidth(0.5)
      .stroke(faint);
  const shown = Math.max(-maxDeviation, Math.min(maxDeviation, deviation));
  pdf
    .circle(at(shown), middle, 2.4)
    .fill(Math.abs(deviation) <= 1 ? "#0b7f63" : Math.abs(deviation) <= 2 ? "#b35c00" : "#b42318");
}

const lineHeight = ({ size }: TextStyle): number => size * 1.4;
function drawLines(sheet: Sheet, lines: readonly Line[], look: TextStyle, x: number): void {
  lines.forEach((line, at) => drawLine(sheet.pdf, line, look, x, sheet.y + look.size * 1.05 + at * lineHeight(look)));
}

function drawShapesAt(sheet: Sheet, shapes: readonly PdfShape[], x: number, y: number): void {
  sheet.pdf.save().translate(x, y);
  for (const shape of shapes) drawShape(sheet, shape);
  sheet.pdf.restore();
}

function drawShape({ pdf }: Sheet, shape: PdfShape): void {
  if ("text" in shape) {
    const look: TextStyle = { size: shape.size, colour: shape.colour ?? ink };
    const [line] = breakLines(pdf, shape.text, look, 400);
    if (line) drawLine(pdf, line, look, shape.x - line.width / 2, shape.y);
    return;
  }
  const { path, x = 0, y = 0, fill, stroke, line = 1, dash } = shape;
  pdf.save().translate(x, y).path(path).lineWidth(line);
  if (dash) pdf.dash(dash, { space: dash * 0.8 });
  if (fill && stroke) pdf.fillAndStroke(fill, stroke);
  else if (fill) pdf.fill(fill);
  else pdf.stroke(stroke ?? ink);
  pdf.restore();
}
