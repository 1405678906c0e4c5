import { inflateSync, deflateSync } from "node:zlib";
import type { Zlib } from "@arcada/imaging/deidentify/rebuild-png";

// For tests: a name in every encoding in which programs write one.

export const canaryName = "金丝雀Kanarienvogel";
export const nodeZlib: Zlib = {
  inflate: (bytes) => {
    const { buffer, engine } = inflateSync(bytes, { info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    return { bytes: buffer, used: engine.bytesWritten };
  },
  deflate: (bytes) => deflateSync(bytes),
};
export const utf8 = (text: string): Buffer => Buffer.from(text);
const gb18030 = Buffer.from([0xbd, 0xf0, 0xcb, 0xbf, 0xc8, 0xb8]);
export const canaryEncodings: Record<string, Buffer> = {
  "UTF-8": utf8(canaryName),
  "UTF-16LE": Buffer.from(canaryName, "utf16le"),
  "UTF-16BE": Buffer.from(canaryName, "utf16le").swap16(),
  GB18030: Buffer.concat([gb18030, utf8("Kanarienvogel")]),
  base64: utf8(utf8(canaryName).toString("base64")),
};
/** Parts of the name in each encoding, because the whole name may have been truncated. */
const canaryParts = [
  utf8("Kanarien"),
  utf8("金丝雀"),
  gb18030,
  Buffer.from("金丝雀", "utf16le"),
  Buffer.from("vogel", "utf16le"),
  Buffer.from("金丝雀", "utf16le").swap16(),
  Buffer.from("vogel", "utf16le").swap16(),
  utf8(utf8(canaryName).toString("base64")).subarray(4, 16),
];
/** Returns whether the bytes contain the canary, also in compressed parts: the profiles of a PNG, and its pixels. */
export function containsCanary(bytes: Uint8Array): boolean {
  const whole = Buffer.from(bytes);
  const found = (where: Buffer) => canaryParts.some((encoded) => where.includes(encoded));
  if (found(whole)) return true;
  for (let at = whole.indexOf(0x78); at >= 0; at = whole.indexOf(0x78, at + 1)) {
    try {
      if (found(inflateSync(whole.subarray(at), { finishFlush: 2 }))) return true;
    } catch {
      // No stream begins here.
    }
  }
  return false;
}

export type CanaryWriter = (name: Buffer) => Uint8Array | Promise<Uint8Array>;
export const concatBytes = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? utf8(part) : part)));
/** As a word of a text file. */
export const toWord = (name: Buffer): string => name.toString("latin1").replace(/[\0-\x20#\x7f-\xa0]/g, "_");
