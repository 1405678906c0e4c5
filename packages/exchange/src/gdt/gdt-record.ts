/** A line of a GDT file: a field's four digits and its content. */
export interface GdtField {
  id: string;
  content: string;
}

export type GdtEncoding = "ascii" | "cp437" | "windows-1252";
export const gdtLimits = { bytes: 1024 * 1024, fields: 10_000 } as const;

/** Thrown for a file that has no fields of GDT. */
export class GdtError extends Error {}

/**
 * Reads the fields of a GDT file (versions 2 and 3). Line ends and lengths that are wrong do not matter; the character
 * set is the one of field 9206, else code page 437, as the standard has it.
 * @throws {GdtError} too large, or without a field of the record's type (8000)
 */
export function readGdt(bytes: Uint8Array): GdtField[] {
  if (bytes.length > gdtLimits.bytes) throw new GdtError(`${bytes.length} bytes`);
  const ascii = new TextDecoder("latin1").decode(bytes);
  const encoding = encodings[/(?:^|\n)\d{3}9206(\d)/.exec(ascii)?.[1] ?? ""] ?? "cp437";
  const text = decode(bytes, encoding);
  const fields = text
    .split(/\r\n|\n|\r/)
    .slice(0, gdtLimits.fields)
    .flatMap((line) => {
      const [, id, content] = /^\d{3}(\d{4})(.*)$/.exec(line) ?? [];
      return id === undefined ? [] : { id, content: content!.trim() };
    });
  if (!fields.some(({ id }) => id === "8000")) throw new GdtError("no record type");
  return fields;
}

/** Writes fields with the lengths, the record's length (8100) and the character set that they need. */
export function writeGdt(type: string, fields: readonly GdtField[], encoding: GdtEncoding = "cp437"): Uint8Array {
  const code = Object.entries(encodings).find(([, one]) => one === encoding)![0];
  const all = [{ id: "9206", content: code }, ...fields].map((field) => writeField(field, encoding));
  const head = writeField({ id: "8000", content: type }, encoding);
  // 014 8100 and five digits, CR LF: the record's length counts its own line.
  const total = [head, ...all].reduce((sum, line) => sum + line.length, 14);
  const length = writeField({ id: "8100", content: String(total).padStart(5, "0") }, encoding);
  return joinLines([head, length, ...all]);
}

const encodings: Record<string, GdtEncoding> = { "1": "ascii", "2": "cp437", "3": "windows-1252" };

/** A line break within a content would begin a field of its own. */
function writeField({ id, content }: GdtField, encoding: GdtEncoding): Uint8Array {
  const bytes = encode(content.replaceAll(/[\r\n]+/g, " ").slice(0, 980), encoding);
  const head = encode(String(bytes.length + 9).padStart(3, "0") + id, "ascii");
  return joinLines([head, bytes, new Uint8Array([13, 10])]);
}

function joinLines(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// The letters of code page 437 from 128 on (IBM); none of the other characters occurs in names.
const cp437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0";

function decode(bytes: Uint8Array, encoding: GdtEncoding): string {
  if (encoding !== "cp437") return new TextDecoder("windows-1252").decode(bytes);
  return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : cp437[byte - 128]!)).join("");
}

/** Characters that the code page lacks become "?". */
function encode(text: string, encoding: GdtEncoding): Uint8Array {
  return Uint8Array.from(text, (letter) => {
    const code = letter.codePointAt(0)!;
    if (code < 128) return code;
    const at = encoding === "cp437" ? cp437.indexOf(letter) : -1;
    if (at >= 0) return at + 128;
    return encoding === "windows-1252" && code > 159 && code < 256 ? code : 63;
  });
}
