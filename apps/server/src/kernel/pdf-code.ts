import { encode } from "uqr";
import type { Sheet } from "./pdf-paper.ts";

/** In points: modules of half a millimetre at the addresses that we write, which a telephone reads from a hand's breadth. */
export const codeSize = 58;

/** A QR code with the quiet zone of four modules that ISO/IEC 18004 asks for. */
export function drawCode({ pdf, y }: Sheet, text: string, x: number): void {
  const { data, size } = encode(text, { border: 4 });
  const module = codeSize / size;
  const boxes: string[] = [];
  for (const [row, cells] of data.entries())
    for (let from = 0; from < size; from++) {
      if (!cells[from]) continue;
      let to = from;
      while (cells[to]) to++;
      // A hair taller than a module, so that no light shows between two rows.
      const box = [x + from * module, y + row * module, (to - from) * module, module * 1.02];
      boxes.push(`${box.map((value) => value.toFixed(2)).join(" ")} re`);
      from = to;
    }
  // All in one (ISO 32000-1, 8.5.2.1): a paper of 500 cards has 180,000 boxes, and each would be written by itself.
  pdf.fillColor("#000000").addContent(`${boxes.join("\n")}\nf`);
}
