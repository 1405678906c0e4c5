import { encode } from "uqr";
import type { Sheet } from "./sheet.ts";

/**
 * The size in points: modules of half a millimetre for our addresses, which a telephone reads from a hand's breadth.
 */
export const qrCodeSize = 58;

/** Draws a QR code with the quiet zone of four modules that ISO/IEC 18004 requires. */
export function drawQrCode({ pdf, y }: Sheet, text: string, x: number): void {
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
