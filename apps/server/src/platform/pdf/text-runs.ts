import { createRequire } from "node:module";
import path from "node:path";
import type PDFDocument from "pdfkit";

export type Pdf = InstanceType<typeof PDFDocument>;

/** A part of a line in one font, in drawing order from left to right. */
export interface TextRun {
  font: string;
  text: string;
}

const { resolve } = createRequire(import.meta.url);
const chinese = (weight: string) => path.join(resolve("@embedpdf/fonts-sc"), `../../fonts/NotoSansHans-${weight}.otf`);
const noto = (name: string, set: string) => (weight: number) =>
  resolve(`@fontsource/${name}/files/${name}-${set}-${weight}-normal.woff`);

type Font = readonly [name: string, regular: string, bold: string];
const weights = (name: string, file: (weight: number) => string): Font => [name, file(400), file(700)];

/**
 * Each font supplies characters that are missing in those before it; a font for many scripts has one file for each
 * script.
 */
const fonts: readonly Font[] = [
  ["main", chinese("Regular"), chinese("Bold")],
  ...["latin-ext", "latin", "vietnamese", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "devanagari"].map((set) =>
    weights(set, noto("noto-sans", set)),
  ),
  ...["arabic", "hebrew"].map((set) => weights(set, noto(`noto-sans-${set}`, set))),
];

export function registerFonts(pdf: Pdf): void {
  for (const [name, regular, bold] of fonts) pdf.registerFont(name, regular).registerFont(`${name}-bold`, bold);
}

/**
 * Returns a text in which a character that no font has is replaced by its Unicode number: empty boxes instead of
 * characters would make two people indistinguishable, in a document that a person signs.
 */
export function printable(pdf: Pdf, text: string): string {
  let numbers: string[] = [];
  let printed = "";
  const flushNumbers = (): void => {
    if (numbers.length > 0) printed += `(${numbers.join(" ")})`;
    numbers = [];
  };
  for (const letter of text.normalize("NFC")) {
    const isBlank = /[\p{Zs}\p{Cc}]/u.test(letter);
    const isMissing = !isBlank && findFont(pdf, letter) === null;
    if ((isMissing || numbers.length > 0) && /\p{Default_Ignorable_Code_Point}/u.test(letter)) continue;
    if (isMissing) {
      numbers.push(`U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`);
      continue;
    }
    flushNumbers();
    printed += /\p{Zs}/u.test(letter) ? " " : letter;
  }
  flushNumbers();
  return printed;
}

/** Splits a line of printable text into runs. */
export function splitRuns(pdf: Pdf, text: string, bold: boolean): TextRun[] {
  const runs: TextRun[] = [];
  let at = 0;
  for (const { index, 0: words } of text.matchAll(rightToLeftRun)) {
    runs.push(
      ...splitByFont(pdf, text.slice(at, index)),
      ...reorderRightToLeft(words).flatMap((token) => splitByFont(pdf, token)),
    );
    at = index + words.length;
  }
  runs.push(...splitByFont(pdf, text.slice(at)));
  return bold ? runs.map((run) => ({ ...run, font: `${run.font}-bold` })) : runs;
}

function splitByFont(pdf: Pdf, text: string): TextRun[] {
  const runs: TextRun[] = [];
  for (const letter of text) {
    const font = findFont(pdf, letter) ?? "main";
    const last = runs.at(-1);
    if (last?.font === font) last.text += letter;
    else runs.push({ font, text: letter });
  }
  return runs.map((run) =>
    isArabicNumber.test(run.text) ? { ...run, text: [...run.text].toReversed().join("") } : run,
  );
}
// The font's shaping reverses Arabic digits like letters, but numbers are written from left to right everywhere.
const isArabicNumber = /^(?:(?=\p{Nd})\p{Script_Extensions=Arabic})+$/u;

const letters = String.raw`\p{Script_Extensions=Arabic}\p{Script=Hebrew}`;
const word = String.raw`(?:(?!\p{Nd})[${letters}])(?:(?!\p{Nd})[${letters}\p{Mn}])*`;
const number = String.raw`\p{Nd}+(?:[.,:/-]\p{Nd}+)*`;
const rightToLeftRun = new RegExp(String.raw`${word}(?:[\s.,:;'’"()/\p{Nd}-]+${word})*`, "gu");
const tokens = new RegExp(String.raw`${word}|${number}|[^]`, "gu");

/**
 * Reverses the order of words that are read from the right. Within a word the font's own shaping does so, and numbers
 * stay as they are.
 */
const reorderRightToLeft = (text: string): string[] =>
  (text.match(tokens) ?? []).toReversed().map((token) => ({ "(": ")", ")": "(" })[token] ?? token);

// The fonts that have each character, cached for one document.
const fontCaches = new WeakMap<Pdf, Map<string, string | null>>();
function findFont(pdf: Pdf, letter: string): string | null {
  const known = fontCaches.get(pdf) ?? new Map<string, string | null>();
  fontCaches.set(pdf, known);
  const cached = known.get(letter);
  if (cached !== undefined) return cached;
  const font = fonts.find(([name]) => hasGlyph(pdf, name, letter))?.[0] ?? null;
  known.set(letter, font);
  return font;
}

/** The library hides the opened font, and silently draws a box for a missing character. */
const hasGlyph = (pdf: Pdf, font: string, letter: string): boolean =>
  (pdf.font(font) as unknown as Opened)._font.font.hasGlyphForCodePoint(letter.codePointAt(0)!);
interface Opened {
  _font: { font: { hasGlyphForCodePoint(code: number): boolean } };
}
