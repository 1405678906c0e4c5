import { drawBitmap } from "./draw-images.ts";
import { breakLines, drawLine, faint, hairline, ink } from "./text-layout.ts";
import type { TextStyle } from "./text-layout.ts";
import type { PdfBlock, PdfCase, PdfShape } from "./pdf-blocks.ts";
import type { Sheet } from "./sheet.ts";

type Block<K extends PdfBlock["kind"]> = Extract<PdfBlock, { kind: K }>;

const accent = "#0b7f63";
const body: TextStyle = { size: 10 };
const bodyLine = 14.5;

const banner = { ground: "#16324f", light: "#ffffff", pale: "#c8d6e5", warning: "#ffd8a8" } as const;

/** Draws the dark band. Logos for it are white. Long values take a second line. */
export function drawBanner(sheet: Sheet, { text, aside, rows, note, logo }: Block<"banner">): void {
  const { pdf, x, width } = sheet;
  const column = width / Math.max(1, rows.length);
  const valueStyle: TextStyle = { size: 11, bold: true, colour: banner.light };
  const values = rows.map(([, value]) => breakLines(pdf, value, valueStyle, column - 12).slice(0, 2));
  const top = logo ? 92 : 62;
  const height = top + 44 + Math.max(1, ...values.map((lines) => lines.length)) * 14 + (note ? 18 : 0) + 14;
  pdf.rect(0, 0, pdf.page.width, height).fill(banner.ground);
  if (logo) {
    const scale = Math.min(170 / logo.width, 40 / logo.height, 1);
    drawBitmap(pdf, logo, { x, y: 24, width: logo.width * scale, height: logo.height * scale });
  }
  const asideStyle: TextStyle = { size: 11, colour: banner.pale };
  const [right] = breakLines(pdf, aside, asideStyle, width / 2);
  if (right) drawLine(pdf, right, asideStyle, x + width - right.width, top);
  const titleStyle: TextStyle = { size: 24, bold: true, colour: banner.light };
  const [title] = breakLines(pdf, text, titleStyle, width - (right?.width ?? 0) - 20);
  if (title) drawLine(pdf, title, titleStyle, x, top);
  const nameStyle: TextStyle = { size: 8, colour: banner.pale };
  rows.forEach(([name], at) => {
    const left = x + at * column;
    const [label] = breakLines(pdf, name, nameStyle, column - 12);
    if (label) drawLine(pdf, label, nameStyle, left, top + 28);
    values[at]!.forEach((line, place) => drawLine(pdf, line, valueStyle, left, top + 44 + place * 14));
  });
  if (note) {
    const look: TextStyle = { size: 10, bold: true, colour: banner.warning };
    const [line] = breakLines(pdf, note, look, width);
    if (line) drawLine(pdf, line, look, x, height - 14);
  }
  sheet.y = height + 14;
}

const dial = { radius: 46, line: 9, track: "#e4e9ee", from: 135, sweep: 270 } as const;

/** Draws three quarters of a ring, filled up to the score, and the text beside it. */
export function drawDial(sheet: Sheet, { score, below, heading, lines }: Block<"dial">): void {
  const { pdf } = sheet;
  const size = 2 * (dial.radius + dial.line);
  const left = sheet.x + size + 24;
  const textWidth = sheet.x + sheet.width - left;
  const written = lines.flatMap((line) => breakLines(pdf, line, body, textWidth));
  const height = Math.max(size, 24 + written.length * bodyLine);
  sheet.requireSpace(height + 12);
  const [centreX, centreY] = [sheet.x + size / 2, sheet.y + size / 2];
  const arc = (share: number, colour: string) =>
    pdf
      .path(arcPath(centreX, centreY, share))
      .lineWidth(dial.line)
      .lineCap("round")
      .stroke(colour);
  arc(1, dial.track);
  if (score !== null && score > 0) arc(score / 100, accent);
  pdf.lineCap("butt");
  drawCentred(sheet, score === null ? "–" : String(score), { size: 32, bold: true }, centreX, centreY + 10);
  drawCentred(sheet, below, { size: 8.5, colour: faint }, centreX, centreY + 25);
  const headingStyle: TextStyle = { size: 13, bold: true };
  const [title] = breakLines(pdf, heading, headingStyle, textWidth);
  if (title) drawLine(pdf, title, headingStyle, left, sheet.y + 18);
  written.forEach((line, at) => drawLine(pdf, line, body, left, sheet.y + 38 + at * bodyLine));
  sheet.y += height + 12;
}

/** Returns the path of an arc over a share of the dial, clockwise from its lower left. */
function arcPath(x: number, y: number, share: number): string {
  const at = (degrees: number) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(x + dial.radius * Math.cos(angle)).toFixed(2)} ${(y + dial.radius * Math.sin(angle)).toFixed(2)}`;
  };
  const sweep = dial.sweep * share;
  return `M${at(dial.from)}A${dial.radius} ${dial.radius} 0 ${sweep > 180 ? 1 : 0} 1 ${at(dial.from + sweep)}`;
}

function drawCentred({ pdf }: Sheet, text: string, look: TextStyle, x: number, y: number): void {
  const [line] = breakLines(pdf, text, look, 2 * dial.radius);
  if (line) drawLine(pdf, line, look, x - line.width / 2, y);
}

export function drawLegend(sheet: Sheet, { items }: Block<"legend">): void {
  const { pdf, x } = sheet;
  const look: TextStyle = { size: 9 };
  const column = (sheet.width - 20) / 2;
  for (let at = 0; at < items.length; at += 2) {
    const row = items
      .slice(at, at + 2)
      .map((item) => ({ ...item, lines: breakLines(pdf, item.text, look, column - 16) }));
    const height = Math.max(...row.map(({ lines }) => lines.length)) * 12.5 + 4;
    sheet.requireSpace(height);
    row.forEach(({ colour, lines }, place) => {
      const left = x + place * (column + 20);
      pdf.roundedRect(left, sheet.y + 3, 9, 9, 2).fill(colour);
      lines.forEach((line, of) => drawLine(pdf, line, look, left + 16, sheet.y + 11 + of * 12.5));
    });
    sheet.y += height;
  }
  sheet.y += 4;
}

const picture = { width: 104, height: 78 } as const;
type DrawShapes = (sheet: Sheet, shapes: readonly PdfShape[], x: number, y: number) => void;

/** Draws each problem in a row that stays on one page: its picture on the left, what it is and the plan on the right. */
export function drawCases(sheet: Sheet, cases: readonly PdfCase[], drawShapes: DrawShapes): void {
  const { pdf, x } = sheet;
  const left = x + picture.width + 18;
  const width = sheet.x + sheet.width - left;
  cases.forEach((one, place) => {
    const title = breakLines(pdf, one.title, caseTitle, width);
    const text = breakLines(pdf, one.text, body, width);
    const plan = one.plan ? breakLines(pdf, one.plan.text, body, width) : [];
    const shown = one.text === "" ? [] : text;
    const textHeight = title.length * 16 + (shown.length + plan.length) * bodyLine + (one.plan ? 16 : 0) + 4;
    const height = Math.max(one.picture ? pictureHeight(one.picture) : 0, textHeight) + 16;
    const before = sheet.y;
    sheet.requireSpace(height);
    // A new page separates two problems as well as a line does.
    if (place > 0 && sheet.y === before)
      pdf
        .moveTo(x, sheet.y)
        .lineTo(x + sheet.width, sheet.y)
        .lineWidth(0.5)
        .stroke(hairline);
    drawCasePicture(sheet, one.picture, drawShapes);
    let y = sheet.y + 20;
    for (const line of title) y = drawNext(sheet, line, caseTitle, left, y, 16);
    for (const line of shown) y = drawNext(sheet, line, body, left, y, bodyLine);
    if (one.plan) {
      const [label] = breakLines(pdf, one.plan.label, planLabel, width);
      if (label) y = drawNext(sheet, label, planLabel, left, y + 2, 14);
      for (const line of plan) y = drawNext(sheet, line, body, left, y, bodyLine);
    }
    sheet.y += height;
  });
  sheet.y += 4;
}
const caseTitle: TextStyle = { size: 11, bold: true, colour: ink };
const planLabel: TextStyle = { size: 8.5, bold: true, colour: accent };

function drawNext(
  { pdf }: Sheet,
  line: Parameters<typeof drawLine>[1],
  look: TextStyle,
  x: number,
  y: number,
  step: number,
): number {
  drawLine(pdf, line, look, x, y);
  return y + step;
}

const isDrawn = (one: NonNullable<PdfCase["picture"]>): one is Extract<typeof one, { shapes: unknown }> =>
  "shapes" in one;
const scaleOf = (one: { width: number; height: number }): number =>
  Math.min(picture.width / one.width, picture.height / one.height);
const pictureHeight = (one: NonNullable<PdfCase["picture"]>): number =>
  isDrawn(one) ? one.height : one.height * scaleOf(one);

function drawCasePicture(sheet: Sheet, one: PdfCase["picture"], drawShapes: DrawShapes): void {
  if (!one) return;
  const y = sheet.y + 8;
  if (isDrawn(one)) return drawShapes(sheet, one.shapes, sheet.x + (picture.width - one.width) / 2, y);
  const scale = scaleOf(one);
  const [width, height] = [one.width * scale, one.height * scale];
  drawBitmap(sheet.pdf, one, { x: sheet.x + (picture.width - width) / 2, y, width, height });
}

export function drawSteps(sheet: Sheet, { items }: Block<"steps">): void {
  const { pdf, x } = sheet;
  items.forEach((text, at) => {
    const lines = breakLines(pdf, text, body, sheet.width - 28);
    const height = Math.max(22, lines.length * bodyLine + 6);
    sheet.requireSpace(height);
    pdf.circle(x + 9, sheet.y + 9, 9).fill("#dff3ec");
    drawCentred(sheet, String(at + 1), { size: 9, bold: true, colour: accent }, x + 9, sheet.y + 12.2);
    lines.forEach((line, place) => drawLine(pdf, line, body, x + 28, sheet.y + 12.5 + place * bodyLine));
    sheet.y += height;
  });
  sheet.y += 4;
}
