import { DicomError } from "../dicom-error.ts";

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
  get isExhausted(): boolean {
    return this.#padding > this.#count;
  }

  /** The value of the next Huffman code. */
  symbol(table: HuffmanTable): number {
    this.#fill();
    const entry = table[(this.#hold >>> (this.#count - 16)) & 0xffff];
    if (entry === 0) throw new DicomError("truncated", "JPEG data holds a code that no table has");
    this.#count -= entry >> 8;
    return entry & 0xff;
  }

  /** The next signed number of `size` bits, 0 to 15 (T.81 F.2.2.1: EXTEND). */
  signed(size: number): number {
    if (size === 0) return 0;
    this.#fill();
    this.#count -= size;
    const value = (this.#hold >>> this.#count) & ((1 << size) - 1);
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }

  /** The next difference: a category by Huffman code, then its bits (T.81 H.1.2.2 and table H.2). */
  difference(table: HuffmanTable): number {
    const category = this.symbol(table);
    return category === 16 ? 32768 : this.signed(category);
  }

  /** Goes past the next restart marker. */
  restart(): void {
    if (this.isExhausted) throw new DicomError("truncated", "JPEG data ends before a restart marker");
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
