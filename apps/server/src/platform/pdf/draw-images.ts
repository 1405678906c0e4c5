import { drawLine, faint, breakLines } from "./text-layout.ts";
import type { TextStyle } from "./text-layout.ts";
import type { PdfBlock, PdfImage, PdfBitmap } from "./pdf-blocks.ts";
import type { Sheet } from "./sheet.ts";
import type { Pdf } from "./text-runs.ts";

type Block<K extends PdfBlock["kind"]> = Extract<PdfBlock, { kind: K }>;

const gap = 12;
const captionStyle: TextStyle = { size: 8, colour: faint };
const captionLineHeight = captionStyle.size * 1.4;

/** Draws rows of images; an image and its caption stay on one page. */
export function drawImages(sheet: Sheet, { columns, maxHeight: most, images }: Block<"images">): void {
  const width = (sheet.width - gap * (columns - 1)) / columns;
  for (let at = 0; at < images.length; at += columns) {
    const row = images.slice(at, at + columns).map((image) => layOutImage(sheet, image, width, most));
    const imageHeight = Math.max(...row.map(({ size }) => size.height));
    const height = imageHeight + Math.max(...row.map(({ lines }) => lines.length)) * captionLineHeight + 10;
    sheet.requireSpace(height);
    row.forEach(({ image, size, lines }, column) => {
      const x = sheet.x + column * (width + gap);
      drawBitmap(sheet.pdf, image, { x, y: sheet.y, ...size });
      lines.forEach((line, place) =>
        drawLine(sheet.pdf, line, captionStyle, x, sheet.y + imageHeight + 11 + place * captionLineHeight),
      );
    });
    sheet.y += height;
  }
  sheet.y += 4;
}

function layOutImage(sheet: Sheet, image: PdfImage, width: number, most: number) {
  const scale = Math.min(width / image.width, most / image.height);
  return {
    image,
    size: { width: image.width * scale, height: image.height * scale },
    lines: image.captions.flatMap((text) => breakLines(sheet.pdf, text, captionStyle, width)),
  };
}

/** Draws an image over the whole box of a drawing, below its shapes. */
export const drawBackground = drawBitmap;

export function drawBitmap(
  pdf: Pdf,
  { bytes }: PdfBitmap,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): void {
  pdf.image(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), x, y, { width, height });
}

export function drawFigure(sheet: Sheet, { figure, text }: Block<"figure">): void {
  const look: TextStyle = { size: 34, bold: true };
  const [line] = breakLines(sheet.pdf, figure, look, sheet.width / 3);
  const textStyle = { size: 10 };
  const left = sheet.x + (line?.width ?? 0) + 20;
  const lines = breakLines(sheet.pdf, text, textStyle, sheet.x + sheet.width - left);
  const height = Math.max(44, lines.length * 14 + 6);
  sheet.requireSpace(height);
  if (line) drawLine(sheet.pdf, line, look, sheet.x, sheet.y + 34);
  lines.forEach((one, at) => drawLine(sheet.pdf, one, textStyle, left, sheet.y + 14 + at * 14));
  sheet.y += height + 4;
}
