import PDFDocument from "pdfkit";
import { expect, it } from "vitest";
import { measureHeading, measureKeptText } from "./draw-blocks.ts";
import { registerFonts } from "./text-runs.ts";
import type { PdfBlock } from "./pdf-blocks.ts";
import type { Sheet } from "./sheet.ts";

const pdf = new PDFDocument({ bufferPages: true });
registerFonts(pdf);
const sheet: Sheet = {
  pdf,
  x: 0,
  y: 0,
  width: 500,
  bottom: 800,
  newPage: () => {},
  requireSpace: () => {},
  write: () => {},
};
const heading: PdfBlock = { kind: "heading", text: "影像分析引擎" };
const words = (text: string): PdfBlock => ({ kind: "text", text });
const table = (cell: string): PdfBlock => ({
  kind: "table",
  head: ["a", "b"],
  widths: [1, 1],
  rows: [{ cells: [cell, ""] }],
});

it("a heading and the words below it stay with the first row of their table, however tall it is", () => {
  const held = (...blocks: PdfBlock[]) => measureHeading(sheet, blocks, 0);
  const low = held(heading, words("全景片"), table("1"));
  expect(low).toBeGreaterThan(held(table("1")) + 36);
  expect(held(heading, words("全景片"), table("行 ".repeat(200)))).toBeGreaterThan(low + 50);
  for (const others of [
    [words("x"), heading, table("1")],
    [heading, words("x")],
    [words("长".repeat(900)), table("1")],
  ])
    expect(held(...others)).toBe(0);
});

it("words that are kept go on with all that follows them, as those above a signature do", () => {
  const kept: PdfBlock = { kind: "text", text: "A: measured", kept: true };
  const all = [kept, heading, words("Signed by Dr Chen"), words("SHA-256")];
  expect(measureKeptText(sheet, all, 0)).toBeGreaterThan(36 + 3 * 14);
  expect(measureKeptText(sheet, all.slice(0, 2), 0)).toBeLessThan(measureKeptText(sheet, all, 0) - 2 * 14);
  expect(measureKeptText(sheet, all, 1)).toBe(0);
});
