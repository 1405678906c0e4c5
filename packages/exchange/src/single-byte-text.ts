/** The character sets of the files that practice programs on Windows exchange. */
export type SingleByteEncoding = "ascii" | "cp437" | "windows-1252";

// The characters of code page 437 from 128 on (IBM).
const cp437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0";

export function decodeSingleByte(bytes: Uint8Array, encoding: SingleByteEncoding): string {
  if (encoding !== "cp437") return new TextDecoder("windows-1252").decode(bytes);
  return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : cp437[byte - 128]!)).join("");
}

/** One byte for each character; characters that the code page lacks become "?". */
export const encodeSingleByte = (text: string, encoding: SingleByteEncoding): Uint8Array =>
  Uint8Array.from(text, (letter) => {
    const code = letter.codePointAt(0)!;
    if (code < 128) return code;
    if (encoding === "cp437") {
      const at = cp437.indexOf(letter);
      return at < 0 ? 63 : at + 128;
    }
    return encoding === "windows-1252" && code > 159 && code < 256 ? code : 63;
  });

/** Returns the text of bytes that are UTF-8 and not only ASCII; null for other bytes. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  if (bytes.every((byte) => byte < 128)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
