import PDFDocument from "pdfkit";
import { expect, it } from "vitest";
import { printable, registerFonts, splitRuns } from "./text-runs.ts";

const pdf = new PDFDocument({ bufferPages: true });
registerFonts(pdf);

it("characters without a font are printed as their Unicode numbers, and everything else unchanged", () => {
  for (const text of [
    "林小雨 龍 かナ Œuvre ışık Łódź Жук Ωμέγα",
    "½ ± 2.5° Pog′ “—” ✓",
    "Nguyễn Thị Ước\n2",
    "राम",
    "محمد علي",
    "שלום",
  ])
    expect(printable(pdf, text)).toBe(text);
  expect(printable(pdf, "张三😀")).toBe("张三(U+1F600)");
  expect(printable(pdf, "김철 Kim")).toBe("(U+AE40 U+CCA0) Kim");
  expect(printable(pdf, "👩🏽\u200d⚕\ufe0f!")).toBe("(U+1F469 U+1F3FD U+2695)!");
  expect(printable(pdf, "Jose\u0301\u2009X\u2060Y")).toBe("José XY");
});

it("right-to-left words are in their order, and numbers among them keep their direction", () => {
  const texts = (line: string) => splitRuns(pdf, line, false).map(({ text }) => text);
  const drawn = (line: string) => texts(line).join("|");
  expect(drawn("名 محمد علي 12")).toBe("名 |علي| |محمد| 12");
  expect(texts("שלום (כיתה) א").join("")).toBe("א (כיתה) שלום");
  expect(texts("غرفة ٤٢ يسار، 2026-11-22 علي").join("")).toBe(
    // Turned here, since the font's shaping turns the digits back.
    `علي 2026-11-22 يسار، ${[..."٤٢"].toReversed().join("")} غرفة`,
  );
  expect(texts("plain 12 words")).toEqual(["plain 12 words"]);
});
