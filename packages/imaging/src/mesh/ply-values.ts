import { MeshError } from "./mesh-error.ts";
import type { PlyHeader, PlyType } from "./ply-header.ts";
import { TextTokenizer } from "./text-tokenizer.ts";

/** The values behind a PLY header, one after another; throws MeshError "truncated" past the end. */
export type PlyValues = {
  /** At least so many rows of one byte can follow. */
  readonly remaining: number;
  next: (type: PlyType) => number;
  skip: (type: PlyType, count: number) => void;
};

/** Opens the values behind the header, in whichever of the three formats they are. */
export const openPlyValues = (bytes: Uint8Array, header: PlyHeader): PlyValues =>
  header.format === "ascii"
    ? new TextValues(bytes, header.end)
    : new BinaryValues(bytes, header.end, header.format === "binary_little_endian");

class BinaryValues implements PlyValues {
  private readonly view: DataView;
  private readonly little: boolean;
  private at: number;

  constructor(bytes: Uint8Array, at: number, little: boolean) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.little = little;
    this.at = at;
  }

  get remaining(): number {
    return this.view.byteLength - this.at;
  }

  next(type: PlyType): number {
    const { at } = this;
    this.skip(type, 1);
    return type.read(this.view, at, this.little);
  }

  skip(type: PlyType, count: number): void {
    this.at += count * type.size;
    if (this.at > this.view.byteLength) throw new MeshError("truncated");
  }
}

class TextValues implements PlyValues {
  private readonly tokens: TextTokenizer;
  readonly remaining: number;

  constructor(bytes: Uint8Array, at: number) {
    this.tokens = new TextTokenizer(bytes, at);
    this.remaining = bytes.length - at + 1;
  }

  next(): number {
    if (this.tokens.isDone) throw new MeshError("truncated");
    return this.tokens.readNumber();
  }

  skip(_type: PlyType, count: number): void {
    for (let i = 0; i < count; i++) this.next();
  }
}
