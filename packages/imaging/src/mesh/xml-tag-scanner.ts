import { MeshError } from "./mesh-error.ts";

/** A start tag, or the end of an element; `isEmpty`: `<a/>`, after which no end comes. */
export interface XmlTag {
  /** Without its prefix. */
  name: string;
  prefix: string;
  isEnd: boolean;
  isEmpty: boolean;
}

const [lessThan, greaterThan, slash, equals, space, quote, apostrophe] = [60, 62, 47, 61, 32, 34, 39];
const maxAttributes = 64;
/** Identifiers and paths; numbers are shorter. */
const maxValueLength = 4096;

/**
 * Walks over the tags of a large XML text without making it one string. Texts, comments and instructions are skipped; a
 * document type is refused, because it may define entities that expand without end.
 */
export class XmlTagScanner {
  private readonly bytes: Uint8Array;
  private at = 0;
  private readonly names: string[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private count = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The next tag; null at the end of the text. Its attributes are read by `attribute` and `number`. */
  next(): XmlTag | null {
    for (;;) {
      const open = this.bytes.indexOf(lessThan, this.at);
      if (open < 0) return null;
      this.at = open + 1;
      const code = this.bytes[this.at];
      if (code === 33) this.skipDeclaration();
      else if (code === 63) this.skipTo("?>");
      else return this.readTag();
    }
  }

  /** The value of an attribute by its full name, with its entities replaced; undefined if the tag has none. */
  attribute(name: string): string | undefined {
    for (let place = 0; place < this.count; place++) {
      if (this.names[place] !== name) continue;
      const value = this.bytes.subarray(this.starts[place], this.ends[place]);
      if (value.length > maxValueLength) throw new MeshError("badNumbers");
      return replaceEntities(new TextDecoder().decode(value));
    }
    return undefined;
  }

  /** A number in an attribute; NaN without one. */
  number(name: string): number {
    for (let place = 0; place < this.count; place++) {
      if (this.names[place] !== name) continue;
      let text = "";
      const end = Math.min(this.ends[place]!, this.starts[place]! + 64);
      for (let at = this.starts[place]!; at < end; at++) text += String.fromCharCode(this.bytes[at]!);
      return text.trim() === "" ? Number.NaN : Number(text);
    }
    return Number.NaN;
  }

  /** All attributes of the tag: names with prefixes, and values. */
  attributes(): [string, string][] {
    return this.names.slice(0, this.count).map((name) => [name, this.attribute(name) ?? ""]);
  }

  private readTag(): XmlTag {
    const isEnd = this.bytes[this.at] === slash;
    if (isEnd) this.at++;
    const full = this.readName();
    this.count = 0;
    let isEmpty = false;
    for (;;) {
      this.skipSpace();
      const code = this.bytes[this.at];
      if (code === undefined) throw new MeshError("truncated");
      if (code === greaterThan) break;
      if (code === slash) {
        isEmpty = true;
        this.at++;
      } else this.readAttribute();
    }
    this.at++;
    const colon = full.indexOf(":");
    return { name: full.slice(colon + 1), prefix: colon < 0 ? "" : full.slice(0, colon), isEnd, isEmpty };
  }

  private readAttribute(): void {
    const name = this.readName();
    this.skipSpace();
    if (name === "" || this.bytes[this.at] !== equals || this.count >= maxAttributes) throw new MeshError("notMesh");
    this.at++;
    this.skipSpace();
    const mark = this.bytes[this.at];
    if (mark !== quote && mark !== apostrophe) throw new MeshError("notMesh");
    const end = this.bytes.indexOf(mark, this.at + 1);
    if (end < 0) throw new MeshError("truncated");
    this.names[this.count] = name;
    this.starts[this.count] = this.at + 1;
    this.ends[this.count] = end;
    this.count++;
    this.at = end + 1;
  }

  private readName(): string {
    let name = "";
    for (;;) {
      const code = this.bytes[this.at];
      if (code === undefined) throw new MeshError("truncated");
      if (code <= space || code === equals || code === greaterThan || code === slash) return name;
      if (name.length >= 256) throw new MeshError("notMesh");
      name += String.fromCharCode(code);
      this.at++;
    }
  }

  private skipSpace(): void {
    while (this.bytes[this.at]! <= space) this.at++;
  }

  private skipDeclaration(): void {
    if (this.startsWith("!--")) return this.skipTo("-->");
    if (this.startsWith("![CDATA[")) return this.skipTo("]]>");
    throw new MeshError("notMesh");
  }

  private startsWith(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.bytes[this.at + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  private skipTo(text: string): void {
    const first = text.charCodeAt(0);
    for (let found = this.bytes.indexOf(first, this.at); found >= 0; found = this.bytes.indexOf(first, found + 1)) {
      this.at = found;
      if (!this.startsWith(text)) continue;
      this.at += text.length;
      return;
    }
    throw new MeshError("truncated");
  }
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const replaceEntities = (text: string): string =>
  text.includes("&")
    ? text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|\w{2,4});/gi, (whole, name: string) => {
        if (!name.startsWith("#")) return entities[name] ?? whole;
        const code = name[1] === "x" || name[1] === "X" ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      })
    : text;
