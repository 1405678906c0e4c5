/** Character sets in which text is written here (PS3.3 C.12.1.1.2); "ISO_IR 6" is plain ASCII. */
export const writableCharsets = ["ISO_IR 192", "GB18030", "GBK", "ISO 2022 IR 58", "ISO_IR 100", "ISO_IR 6"] as const;
export type WritableCharset = (typeof writableCharsets)[number];

/** The first of the declared sets (0008,0005) that contains more than ASCII; null: one that is not written here. */
export function selectWritableCharset(declared: readonly string[]): WritableCharset | null {
  const names = declared.map((name) => name.trim().toUpperCase()).filter((name) => !/^(ISO[ _].*IR 6)?$/.test(name));
  if (names.length === 0) return "ISO_IR 6";
  const name = names[0]!.replace("ISO 2022 IR 100", "ISO_IR 100").replace("ISO 2022 IR 192", "ISO_IR 192");
  return writableCharsets.find((one) => one === name) ?? null;
}

/** The value of Specific Character Set for a set. PS3.5 6.1.2.5.1: with escapes the first set is ASCII. */
export const formatSpecificCharacterSet = (set: WritableCharset): string =>
  set === "ISO 2022 IR 58" ? "\\ISO 2022 IR 58" : set;

/** Encodes text in the set; returns null if a character is missing from the set. */
export function encodeText(text: string, set: WritableCharset): Uint8Array | null {
  if (/^[\x00-\x7f]*$/.test(text)) return utf8.encode(text);
  if (set === "ISO_IR 192") return utf8.encode(text);
  if (set === "ISO_IR 6") return null;
  if (set === "ISO_IR 100") return /^[\x00-\x7f\xa0-\xff]*$/.test(text) ? latin1Bytes(text) : null;
  if (set !== "ISO 2022 IR 58") return encodeChinese(text, 0x8140);
  // PS3.5 6.1.2.5.3: after a delimiter ASCII is active again, and the escape sequence is repeated.
  const parts = text.split(/([\\^=\r\n\f\t])/).map((part) => {
    const bytes = encodeChinese(part, 0xb0a1, true);
    return bytes && bytes.some((byte) => byte > 0x7f) ? [0x1b, 0x24, 0x29, 0x41, ...bytes] : bytes;
  });
  return parts.includes(null) ? null : Uint8Array.from(parts.flatMap((part) => [...(part ?? [])]));
}

const utf8 = new TextEncoder();
const latin1Bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

function encodeChinese(text: string, from: number, isGb2312 = false): Uint8Array | null {
  const bytes: number[] = [];
  for (const letter of text) {
    const code = letter.charCodeAt(0) < 0x80 ? letter.charCodeAt(0) : (twoByteCodes().get(letter) ?? -1);
    const inSet = code < 0x80 || (code >= from && (!isGb2312 || (code & 0xff) >= 0xa1));
    if (code < 0 || !inSet) return null;
    if (code < 0x80) bytes.push(code);
    else bytes.push(code >> 8, code & 0xff);
  }
  return Uint8Array.from(bytes);
}

let cachedCodes: Map<string, number> | undefined;

/** The decoder's own table, inverted: the characters that GB 18030 writes in two bytes, as GBK does. */
function twoByteCodes(): Map<string, number> {
  if (cachedCodes) return cachedCodes;
  const decoder = new TextDecoder("gb18030");
  cachedCodes = new Map();
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      if (trail === 0x7f) continue;
      const letter = decoder.decode(Uint8Array.of(lead, trail));
      if ([...letter].length === 1 && letter !== "\ufffd" && !cachedCodes.has(letter))
        cachedCodes.set(letter, (lead << 8) | trail);
    }
  return cachedCodes;
}
