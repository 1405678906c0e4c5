import PDFDocument from "pdfkit";
import { drawBlock, measureHeading, measureKeptText } from "./draw-blocks.ts";
import { registerFonts, type Pdf } from "./text-runs.ts";
import { drawLine, faint, hairline, breakLines } from "./text-layout.ts";
import type { Line, TextStyle } from "./text-layout.ts";
import type { PdfDocument } from "./pdf-blocks.ts";
import type { Sheet } from "./sheet.ts";

/** Points from the edges of the sheet. */
const margin = { x: 48, top: 46, bottom: 54 } as const;
const a4 = { width: 595.28, height: 841.89 } as const;

/** Renders a document. */
export async function renderDocument(document: PdfDocument): Promise<Uint8Array> {
  const pdf = new PDFDocument({
    size: "A4",
    margin: 0,
    bufferPages: true,
    autoFirstPage: true,
    lang: document.language,
    displayTitle: true,
    info: { Title: document.title, Author: document.author, Producer: "Arcada", Creator: "Arcada" },
  });
  const bytes = collectBytes(pdf);
  registerFonts(pdf);
  const sheet = createSheet(pdf, document);
  document.blocks.forEach((block, at) => {
    sheet.requireSpace(
      Math.max(measureHeading(sheet, document.blocks, at), measureKeptText(sheet, document.blocks, at)),
    );
    drawBlock(sheet, block);
  });
  drawFooters(pdf, document);
  pdf.end();
  return bytes;
}

function createSheet(pdf: Pdf, { head, blocks }: PdfDocument): Sheet {
  const top = margin.top + (head ? headHeight : 0);
  const sheet: Sheet = {
    pdf,
    x: margin.x,
    y: blocks[0]?.kind === "banner" ? 0 : top,
    width: a4.width - 2 * margin.x,
    bottom: a4.height - margin.bottom,
    newPage() {
      pdf.addPage();
      sheet.y = top;
    },
    requireSpace(height) {
      if (sheet.y + height > sheet.bottom && sheet.y > top) sheet.newPage();
    },
    write(text, look, at = { x: sheet.x, width: sheet.width }) {
      for (const line of breakLines(pdf, text, look, at.width)) writeLine(sheet, line, look, at.x);
    },
  };
  return sheet;
}

const lineSpacing = 1.45;
function writeLine(sheet: Sheet, line: Line, look: TextStyle, x: number): void {
  sheet.requireSpace(look.size * lineSpacing);
  drawLine(sheet.pdf, line, look, x, sheet.y + look.size * 1.05);
  sheet.y += look.size * lineSpacing;
}

const headHeight = 26;
const maxLogoSize = { width: 110, height: 26 } as const;
function drawHeader(pdf: Pdf, { warning, logo }: NonNullable<PdfDocument["head"]>): void {
  if (logo) {
    const scale = Math.min(maxLogoSize.width / logo.width, maxLogoSize.height / logo.height);
    const [width, height] = [logo.width * scale, logo.height * scale];
    pdf.image(Buffer.from(logo.bytes), a4.width - margin.x - width, margin.top - 16, { width, height });
  }
  const look: TextStyle = { size: 9, bold: true, colour: warningColour };
  const [line] = warning ? breakLines(pdf, warning, look, a4.width - 2 * margin.x - maxLogoSize.width - 16) : [];
  if (line) drawLine(pdf, line, look, margin.x, margin.top);
}
const warningColour = "#b42318";

/** Drawn last, when the number of pages is known. */
function drawFooters(pdf: Pdf, { footer: foot, pageOf, head, blocks }: PdfDocument): void {
  const { count } = pdf.bufferedPageRange();
  const y = a4.height - 30;
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    const look: TextStyle = { size: 8, colour: faint };
    const hasBanner = page === 0 && blocks[0]?.kind === "banner";
    if (head && !hasBanner) drawHeader(pdf, head);
    pdf
      .moveTo(margin.x, y - 14)
      .lineTo(a4.width - margin.x, y - 14)
      .lineWidth(0.5)
      .stroke(hairline);
    const number = pageOf.replace("{page}", String(page + 1)).replace("{pages}", String(count));
    const [right] = breakLines(pdf, number, look, 120);
    const left = breakLines(pdf, foot, look, a4.width - 2 * margin.x - 130).slice(0, 2);
    left.forEach((line, at) => drawLine(pdf, line, look, margin.x, y + 10 * at));
    if (right) drawLine(pdf, right, look, a4.width - margin.x - right.width, y);
  }
}

const collectBytes = (pdf: Pdf): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    pdf.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
    pdf.on("error", reject);
  });
