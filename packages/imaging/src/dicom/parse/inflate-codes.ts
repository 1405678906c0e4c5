import { DicomError } from "../dicom-error.ts";

/** Symbols by their next `longest` bits: code length in the upper 16 bits (0: no such code), symbol in the lower ones. */
export interface CodeTable {
  entries: Uint32Array;
  longest: number;
}

/** The canonical Huffman code of RFC 1951 3.2.2, given the length of each symbol's code. */
export function buildCodeTable(lengths: Uint8Array): CodeTable {
  const longest = Math.max(1, ...lengths);
  const entries = new Uint32Array(1 << longest);
  let code = 0;
  for (let length = 1; length <= longest; length++) {
    lengths.forEach((own, symbol) => {
      if (own !== length) return;
      if (code >= 1 << length) throw new DicomError("truncated", "deflated data: more codes than fit");
      for (let at = reverseBits(code, length); at < entries.length; at += 1 << length)
        entries[at] = (length << 16) | symbol;
      code++;
    });
    code <<= 1;
  }
  return { entries, longest };
}

/** Codes are packed from their highest bit on, everything else from its lowest. */
function reverseBits(code: number, length: number): number {
  let out = 0;
  for (let bit = 0; bit < length; bit++) out |= ((code >> bit) & 1) << (length - 1 - bit);
  return out;
}
