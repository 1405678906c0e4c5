import { listPasses, type PngShape } from "./png-shape.ts";

/**
 * The result holds the palette entries that some pixel uses; the other entries are free bytes. `rows` holds the
 * filtered rows, pass after pass.
 */
export function findUsedEntries(rows: Uint8Array, shape: PngShape): Set<number> {
  const seen = new Uint8Array(256);
  const perByte = 8 / shape.depth;
  const mask = (1 << shape.depth) - 1;
  let at = 0;
  for (const pass of listPasses(shape)) {
    const bytes = Math.ceil(pass.columns / perByte);
    let above: Uint8Array = new Uint8Array(bytes);
    for (let row = 0; row < pass.rows; row++, at += 1 + bytes) {
      const line = unfilterRow(rows.subarray(at, at + 1 + bytes), above);
      for (let column = 0; column < pass.columns; column++) {
        const shift = 8 - shape.depth * ((column % perByte) + 1);
        seen[(line[Math.floor(column / perByte)] >> shift) & mask] = 1;
      }
      above = line;
    }
  }
  return new Set([...seen.keys()].filter((entry) => seen[entry] === 1));
}

/** ISO/IEC 15948, 9.2, for pixels of one byte or less. */
function unfilterRow(coded: Uint8Array, above: Uint8Array): Uint8Array {
  const line = new Uint8Array(coded.length - 1);
  const filter = coded[0];
  for (let at = 0; at < line.length; at++) {
    const [left, up, corner] = [line[at - 1] ?? 0, above[at], above[at - 1] ?? 0];
    line[at] = coded[at + 1] + (predictors[filter]?.(left, up, corner) ?? 0);
  }
  return line;
}

const predictors: ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const estimate = left + up - corner;
    const [byLeft, byUp, byCorner] = [left, up, corner].map((value) => Math.abs(estimate - value));
    return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
  },
];
