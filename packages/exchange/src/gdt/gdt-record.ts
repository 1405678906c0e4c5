import { ExchangeError } from "../exchange-error.ts";
import { decodeSingleByte, decodeUtf8, encodeSingleByte } from "../single-byte-text.ts";
import type { SingleByteEncoding } from "../single-byte-text.ts";

/** A line of a GDT file: a field's four digits and its content. */
export interface GdtField {
  id: string;
  content: string;
}

export const gdtLimits = { bytes: 1024 * 1024, fields: 10_000 } as const;

/**
 * Reads the fields of a GDT file (versions 2 and 3). Line ends and lengths that are wrong do not matter.
 * @throws ExchangeError "tooLarge", or "notGdt" without a field of the record's type (8000)
 */
export function readGdt(bytes: Uint8Array): GdtField[] {
  if (bytes.length > gdtLimits.bytes) throw new ExchangeError("tooLarge", `${bytes.length} bytes`);
  const fields: GdtField[] = [];
  for (const line of decodeGdt(bytes).split(/\r\n|\n|\r/, gdtLimits.fields)) {
    const [, id, content = ""] = /^\d{3}(\d{4})(.*)$/.exec(line) ?? [];
    if (id !== undefined) fields.push({ id, content: content.trim() });
  }
  if (!fields.some(({ id }) => id === "8000")) throw new ExchangeError("notGdt");
  return fields;
}

/** Writes fields with the lengths, the record's length (8100) and the character set that they need. */
export function writeGdt(
  type: string,
  fields: readonly GdtField[],
  encoding: SingleByteEncoding = "cp437",
): Uint8Array {
  const all = [{ id: "9206", content: codes[encoding] }, ...fields].map((field) => writeField(field, encoding));
  const head = writeField({ id: "8000", content: type }, encoding);
  // 014 8100 and five digits, CR LF: the record's length counts its own line.
  const total = [head, ...all].reduce((sum, line) => sum + line.length, 14);
  const length = writeField({ id: "8100", content: String(total).padStart(5, "0") }, encoding);
  return joinBytes([head, length, ...all]);
}

const codes: Record<SingleByteEncoding, string> = { ascii: "1", cp437: "2", "windows-1252": "3" };
const encodings = new Map(Object.entries(codes).map(([encoding, code]) => [code, encoding as SingleByteEncoding]));

/**
 * Decodes by field 9206. Without it the standard has code page 437, but many programs write UTF-8 or the code page of
 * Windows: their bytes for umlauts are box drawings in 437, which no name contains.
 */
function decodeGdt(bytes: Uint8Array): string {
  const ascii = decodeSingleByte(bytes, "ascii");
  const declared = encodings.get(/(?:^|[\r\n])\d{3}9206(\d)/.exec(ascii)?.[1] ?? "");
  if (declared !== undefined) return decodeSingleByte(bytes, declared);
  const utf8 = decodeUtf8(bytes);
  if (utf8 !== null) return utf8;
  const isWindows =
    bytes.some((byte) => windowsUmlauts.includes(byte)) && !bytes.some((byte) => byte > 127 && byte < 160);
  return decodeSingleByte(bytes, isWindows ? "windows-1252" : "cp437");
}
// ä ö ü Ä Ö Ü ß in code page 1252.
const windowsUmlauts: readonly number[] = [0xe4, 0xf6, 0xfc, 0xc4, 0xd6, 0xdc, 0xdf];

/** The length counts bytes, with the line's end. A line break within a content would begin a field of its own. */
function writeField({ id, content }: GdtField, encoding: SingleByteEncoding): Uint8Array {
  const bytes = encodeSingleByte(content.replaceAll(/\p{Cc}+/gu, " "), encoding).slice(0, 990);
  const head = encodeSingleByte(String(bytes.length + 9).padStart(3, "0") + id, "ascii");
  return joinBytes([head, bytes, new Uint8Array([13, 10])]);
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
