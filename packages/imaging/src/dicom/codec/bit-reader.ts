import { DicomError } from "../error.ts";

/** Huffman codes by their next 16 bits: length in the high byte (0: no such code), category in the low one. */
export type HuffmanTable = Uint16Array;

/** Reads the entropy-coded bits of a JPEG scan: bytes stuffed after 0xFF are skipped, a marker ends the data. */
export class BitReader {
  #bytes: Uint8Array;
  #at: number;
  #hold = 0;
  #count = 0;
  #padding = 0;

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes;
    this.#at = start;
  }

  /** True when bits were read that the data did not have. */
  get ranOut(): boolean {
    return this.#padding > this.#count;
  }

  /** The next difference: a category by Huffman code, then its bits (T.81 H.1.2.2 and table H.2). */
  difference(table: HuffmanTable): number {
    this.#fill();
    const entry = table[(this.#hold >>> (this.#count - 16)) & 0xffff];
    if (entry === 0) throw new DicomError("truncated", "JPEG Lossless data holds a code that no table has");
    this.#count -= entry >> 8;
    const category = entry & 0xff;
    if (category === 0) return 0;
    if (category === 16) return 32768;
    this.#fill();
    this.#count -= category;
    const value = (this.#hold >>> this.#count) & ((1 << category) - 1);
    return value < 1 << (category - 1) ? value - (1 << category) + 1 : value;
  }

  /** Goes past the next restart marker. */
  restart(): void {
    if (this.ranOut) throw new DicomError("truncated", "JPEG Lossless data ends before a restart marker");
    [this.#hold, this.#count, this.#padding] = [0, 0, 0];
    const bytes = this.#bytes;
    while (
      this.#at + 1 < bytes.length &&
      !(bytes[this.#at] === 0xff && bytes[this.#at + 1] >= 0xd0 && bytes[this.#at + 1] <= 0xd7)
    )
      this.#at++;
    this.#at += 2;
  }

  #fill(): void {
    const bytes = this.#bytes;
    while (this.#count <= 24) {
      let byte = 0;
      if (this.#at >= bytes.length || (bytes[this.#at] === 0xff && bytes[this.#at + 1] !== 0)) this.#padding += 8;
      else {
        byte = bytes[this.#at];
        this.#at += byte === 0xff ? 2 : 1;
      }
      this.#hold = (this.#hold << 8) | byte;
      this.#count += 8;
    }
  }
}
