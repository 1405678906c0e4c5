import { printable, splitRuns } from "./text-runs.ts";
import type { TextRun, Pdf } from "./text-runs.ts";

/** One size and weight of text. */
export interface TextStyle {
  size: number;
  bold?: boolean;
  colour?: string;
}
export interface Line {
  runs: readonly TextRun[];
  width: number;
}

// The widths of text tokens, cached for one document: its fonts measure each token once.
const measured = new WeakMap<Pdf, Map<string, number>>();
function measureWidth(pdf: Pdf, text: string, { size, bold = false }: TextStyle): number {
  const known = measured.get(pdf) ?? new Map<string, number>();
  measured.set(pdf, known);
  const key = `${bold}${text}`;
  const unit = known.get(key) ?? unitWidth(pdf, text, bold);
  known.set(key, unit);
  return unit * size;
}
const unitWidth = (pdf: Pdf, text: string, bold: boolean): number =>
  splitRuns(pdf, text, bold).reduce((sum, run) => sum + pdf.font(run.font).fontSize(1).widthOfString(run.text), 0);

/** Breaks a text into lines of at most `width` points: at blanks, and between Chinese characters. */
export function breakLines(pdf: Pdf, text: string, style: TextStyle, width: number): Line[] {
  return printable(pdf, text)
    .split("\n")
    .flatMap((paragraph) => {
      const lines = [""];
      let lineWidth = 0;
      for (const token of splitTokens(pdf, paragraph, style, width)) {
        const more = measureWidth(pdf, token, style);
        const isBlank = token.trim() === "";
        if (lines.at(-1) !== "" && !isBlank && lineWidth + more > width) {
          lines.push("");
          lineWidth = 0;
        }
        if (lines.at(-1) === "" && isBlank) continue;
        lines[lines.length - 1] += token;
        lineWidth += more;
      }
      return lines.map((line) => {
        const shown = line.trimEnd();
        return { runs: splitRuns(pdf, shown, style.bold ?? false), width: measureWidth(pdf, shown, style) };
      });
    });
}

// A line never begins with a closing punctuation mark, nor ends with an opening one.
const tokenPattern =
  /\s+|[（「『《〈【“‘([]*(?:[\u2e80-\u2fff\u3005-\u3007\u3021-\u30ff\u3400-\u9fff\uf900-\ufaff]|\p{Script=Han}|[^\s\u2e80-\u9fff\uf900-\ufaff]+?(?=\p{Script=Han}|\s|$)|[^\s\u3400-\u9fff]+)[、，。；：！？）」』》〉】”’)\]]*/gu;

function splitTokens(pdf: Pdf, paragraph: string, style: TextStyle, width: number): string[] {
  // A token that no rule breaks, such as a hash or a long file name, breaks anywhere.
  return (paragraph.match(tokenPattern) ?? []).flatMap((token) =>
    measureWidth(pdf, token, style) > width ? [...token] : [token],
  );
}

/** One line, its baseline at `y`. */
export function drawLine(pdf: Pdf, { runs }: Line, { size, colour = ink }: TextStyle, x: number, y: number): void {
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
