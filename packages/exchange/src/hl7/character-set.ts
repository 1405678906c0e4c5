import { ExchangeError } from "../exchange-error.ts";

/** HL7 table 0211 and the labels of the Encoding Standard. Senders write "UNICODE" where they mean UTF-8. */
const labels: Readonly<Record<string, string>> = {
  ASCII: "windows-1252",
  "8859/1": "windows-1252",
  "8859/2": "iso-8859-2",
  "8859/3": "iso-8859-3",
  "8859/4": "iso-8859-4",
  "8859/5": "iso-8859-5",
  "8859/6": "iso-8859-6",
  "8859/7": "iso-8859-7",
  "8859/8": "iso-8859-8",
  "8859/9": "windows-1254",
  "8859/15": "iso-8859-15",
  UNICODE: "utf-8",
  "UNICODE UTF-8": "utf-8",
  "UTF-8": "utf-8",
  "GB 18030-2000": "gb18030",
  GB18030: "gb18030",
  "BIG-5": "big5",
  "KS X 1001": "euc-kr",
  "ISO IR87": "iso-2022-jp",
};

/**
 * Decodes a whole message by its MSH-18. Bytes of a text may look like separators in GB 18030, so it is decoded before
 * it is taken apart. Without MSH-18, text that is not UTF-8 is that of Windows in western Europe.
 */
export function decodeHl7Text(bytes: Uint8Array, { field, repetition }: { field: string; repetition: string }): string {
  const end = bytes.findIndex((byte) => byte === 0x0d || byte === 0x0a);
  const header = new TextDecoder("latin1").decode(end < 0 ? bytes : bytes.subarray(0, end));
  const named = (header.split(field, 18)[17] ?? "").split(repetition)[0]!.trim().toUpperCase();
  if (named === "" || named === "ASCII") return decodeUnnamed(bytes);
  const label = labels[named];
  if (label === undefined) throw new ExchangeError("unknownEncoding", named.slice(0, 40));
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    throw new ExchangeError("unknownEncoding", `the bytes are not ${named}`);
  }
}

function decodeUnnamed(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
