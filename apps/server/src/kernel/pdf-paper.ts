import PDFDocument from "pdfkit";
import { drawBlock } from "./pdf-blocks.ts";
import { drawLine, faint, hairline, linesOf, registerFonts } from "./pdf-text.ts";
import type { Line, Pdf, TextLook } from "./pdf-text.ts";
import type { PdfDocument } from "./pdf.ts";

/** Points from the edges of the sheet. */
const margin = { x: 48, top: 46, bottom: 54 } as const;
const a4 = { width: 595.28, height: 841.89 } as const;

/** Where the next thing goes. */
export interface Sheet {
  pdf: Pdf;
  x: number;
  y: number;
  width: number;
  /** Goes to a new page where so many points are not left. */
  need: (height: number) => void;
  /** Text from `x` on, as wide as given; the place below it. */
  write: (text: string, look: TextLook, at?: { x: number; width: number }) => void;
}

/** Sets a paper. */
export async function setPaper(paper: PdfDocument): Promise<Uint8Array> {
  const pdf = new PDFDocument({
    size: "A4",
    margin: 0,
    bufferPages: true,
    autoFirstPage: true,
    lang: paper.language,
    displayTitle: true,
    info: { Title: paper.title, Author: paper.author, Producer: "Arcada", Creator: "Arcada" },
  });
  const bytes = gathered(pdf);
  registerFonts(pdf);
  const sheet = sheetOf(pdf);
  for (const block of paper.blocks) drawBlock(sheet, block);
  drawFeet(pdf, paper);
  pdf.end();
  return bytes;
}

function sheetOf(pdf: Pdf): Sheet {
  const sheet: Sheet = {
    pdf,
    x: margin.x,
    y: margin.top,
    width: a4.width - 2 * margin.x,
    need(height) {
      if (sheet.y + height <= a4.height - margin.bottom) return;
      pdf.addPage();
      sheet.y = margin.top;
    },
    write(text, look, at = { x: sheet.x, width: sheet.width }) {
      for (const line of linesOf(pdf, text, look, at.width)) sheetLine(sheet, line, look, at.x);
    },
  };
  return sheet;
}

const leading = 1.45;
function sheetLine(sheet: Sheet, line: Line, look: TextLook, x: number): void {
  sheet.need(look.size * leading);
  drawLine(sheet.pdf, line, look, x, sheet.y + look.size * 1.05);
  sheet.y += look.size * leading;
}

/** Once all pages are there, their number is known. */
function drawFeet(pdf: Pdf, { foot, pageOf }: PdfDocument): void {
  const { count } = pdf.bufferedPageRange();
  const look: TextLook = { size: 8, colour: faint };
  const y = a4.height - 30;
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    pdf
      .moveTo(margin.x, y - 14)
      .lineTo(a4.width - margin.x, y - 14)
      .lineWidth(0.5)
      .stroke(hairline);
    const number = pageOf.replace("{page}", String(page + 1)).replace("{pages}", String(count));
    const [right] = linesOf(pdf, number, look, 120);
    const [left] = linesOf(pdf, foot, look, a4.width - 2 * margin.x - 130);
    if (left) drawLine(pdf, left, look, margin.x, y);
    if (right) drawLine(pdf, right, look, a4.width - margin.x - right.width, y);
  }
}

const gathered = (pdf: Pdf): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    pdf.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
    pdf.on("error", reject);
  });
