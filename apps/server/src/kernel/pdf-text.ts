import { createRequire } from "node:module";
import path from "node:path";
import type PDFDocument from "pdfkit";

export type Pdf = InstanceType<typeof PDFDocument>;

/** One size and weight of text. */
export interface TextLook {
  size: number;
  bold?: boolean;
  colour?: string;
}
interface Run {
  font: string;
  text: string;
}
export interface Line {
  runs: Run[];
  width: number;
}

const { resolve } = createRequire(import.meta.url);
const chinese = (weight: string) => path.join(resolve("@embedpdf/fonts-sc"), `../../fonts/NotoSansHans-${weight}.otf`);
const latin = (set: string, weight: number) =>
  resolve(`@fontsource/noto-sans/files/noto-sans-${set}-${weight}-normal.woff`);

export function registerFonts(pdf: Pdf): void {
  pdf.registerFont("main", chinese("Regular")).registerFont("main-bold", chinese("Bold"));
  pdf.registerFont("wide", latin("latin-ext", 400)).registerFont("wide-bold", latin("latin-ext", 700));
  pdf.registerFont("few", latin("latin", 400)).registerFont("few-bold", latin("latin", 700));
}

// The Chinese font has Latin, Cyrillic and Greek, and not the Latin letters of Turkish, Polish or Czech; ı, Œ and œ stand
// in the basic set of the other font.
const outside = /[ıŒœ]+|(?:(?![ıŒœ])[\u0100-\u024f])+/g;

/** The same text in pieces that one font has. */
function runsOf(text: string, bold: boolean): Run[] {
  const tail = bold ? "-bold" : "";
  const runs: Run[] = [];
  let at = 0;
  for (const { index, 0: found } of text.matchAll(outside)) {
    if (index > at) runs.push({ font: `main${tail}`, text: text.slice(at, index) });
    runs.push({ font: /[ıŒœ]/.test(found) ? `few${tail}` : `wide${tail}`, text: found });
    at = index + found.length;
  }
  if (at < text.length) runs.push({ font: `main${tail}`, text: text.slice(at) });
  return runs;
}

// Of one paper: its fonts measure each piece once.
const measured = new WeakMap<Pdf, Map<string, number>>();
function widthOf(pdf: Pdf, text: string, { size, bold = false }: TextLook): number {
  const known = measured.get(pdf) ?? new Map<string, number>();
  measured.set(pdf, known);
  const key = `${bold}${text}`;
  const unit = known.get(key) ?? unitWidth(pdf, text, bold);
  known.set(key, unit);
  return unit * size;
}
const unitWidth = (pdf: Pdf, text: string, bold: boolean): number =>
  runsOf(text, bold).reduce((sum, run) => sum + pdf.font(run.font).fontSize(1).widthOfString(run.text), 0);

/** Breaks a text into lines of at most `width` points: at blanks, and between Chinese characters. */
export function linesOf(pdf: Pdf, text: string, look: TextLook, width: number): Line[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines = [""];
    let reached = 0;
    for (const piece of piecesOf(pdf, paragraph, look, width)) {
      const more = widthOf(pdf, piece, look);
      const isBlank = piece.trim() === "";
      if (lines.at(-1) !== "" && !isBlank && reached + more > width) {
        lines.push("");
        reached = 0;
      }
      if (lines.at(-1) === "" && isBlank) continue;
      lines[lines.length - 1] += piece;
      reached += more;
    }
    return lines.map((line) => {
      const shown = line.trimEnd();
      return { runs: runsOf(shown, look.bold ?? false), width: widthOf(pdf, shown, look) };
    });
  });
}

// A line never begins with a closing mark, nor ends with an opening one.
const pieces =
  /\s+|[（「『《〈【“‘([]*(?:[\u2e80-\u2fff\u3005-\u3007\u3021-\u30ff\u3400-\u9fff\uf900-\ufaff]|\p{Script=Han}|[^\s\u2e80-\u9fff\uf900-\ufaff]+?(?=\p{Script=Han}|\s|$)|[^\s\u3400-\u9fff]+)[、，。；：！？）」』》〉】”’)\]]*/gu;

function piecesOf(pdf: Pdf, paragraph: string, look: TextLook, width: number): string[] {
  // What no rule breaks, such as a hash or a long file name, breaks anywhere.
  return (paragraph.match(pieces) ?? []).flatMap((piece) => (widthOf(pdf, piece, look) > width ? [...piece] : [piece]));
}

/** One line, its baseline at `y`. */
export function drawLine(pdf: Pdf, { runs }: Line, { size, colour = ink }: TextLook, x: number, y: number): void {
  let at = x;
  for (const { font, text } of runs) {
    pdf.font(font).fontSize(size).fillColor(colour);
    pdf.text(text, at, y, { lineBreak: false, baseline: "alphabetic" });
    at += pdf.widthOfString(text);
  }
}

export const ink = "#1b2430";
export const faint = "#5c6775";
export const hairline = "#c9d0d8";
