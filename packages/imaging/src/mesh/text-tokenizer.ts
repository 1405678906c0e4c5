/** Walks over the words of a text file without making it one string: files of 100 MB occur. */
export class TextTokenizer {
  private readonly bytes: Uint8Array;
  private at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  get isDone(): boolean {
    this.skipSpace();
    return this.at >= this.bytes.length;
  }

  /** The next word of the whole text, "" at its end. */
  readWord(): string {
    this.skipSpace();
    return this.takeWord();
  }

  /** The next word of this line, "" at the line's end. */
  readWordInLine(): string {
    this.skipBlanks();
    return this.takeWord();
  }

  /** The next number of the whole text; NaN for a word that is none or when the text has ended. */
  readNumber(): number {
    this.skipSpace();
    return this.takeNumber();
  }

  /** The next number of this line, null at the line's end. */
  readNumberInLine(): number | null {
    this.skipBlanks();
    const code = this.bytes[this.at];
    return this.at >= this.bytes.length || code === 10 || code === 13 ? null : this.takeNumber();
  }

  skipLine(): void {
    while (this.at < this.bytes.length && this.bytes[this.at] !== 10 && this.bytes[this.at] !== 13) this.at++;
    this.skipSpace();
  }

  private skipSpace(): void {
    while (this.at < this.bytes.length && this.bytes[this.at] <= 32) this.at++;
  }

  private skipBlanks(): void {
    // Other control characters, too: a word without characters would be read forever.
    for (let code = this.bytes[this.at]; code <= 32 && code !== 10 && code !== 13;) code = this.bytes[++this.at];
  }

  private takeWord(): string {
    let word = "";
    while (this.at < this.bytes.length && this.bytes[this.at] > 32) word += String.fromCharCode(this.bytes[this.at++]);
    return word;
  }

  // Number() on a cut-out string is exact but four times slower; 15 digits and a power of ten under 22 are exact too.
  private takeNumber(): number {
    const start = this.at;
    const { bytes } = this;
    let negative = false;
    if (bytes[this.at] === 45 || bytes[this.at] === 43) negative = bytes[this.at++] === 45;
    let value = 0;
    let digits = 0;
    let exponent = 0;
    let fraction = false;
    for (; this.at < bytes.length; this.at++) {
      const code = bytes[this.at];
      if (code >= 48 && code <= 57) {
        value = value * 10 + (code - 48);
        digits++;
        if (fraction) exponent--;
      } else if (code === 46 && !fraction) fraction = true;
      else break;
    }
    if (digits > 0 && digits <= 15 && !(bytes[this.at] > 32))
      return scaleByPowerOfTen(negative ? -value : value, exponent);
    this.at = start;
    const word = this.takeWord();
    return word === "" ? Number.NaN : Number(word);
  }
}

const powersOfTen = Array.from({ length: 23 }, (_, n) => Number(`1e${n}`));

const scaleByPowerOfTen = (value: number, exponent: number): number =>
  exponent === 0 ? value : value / powersOfTen[-exponent];
