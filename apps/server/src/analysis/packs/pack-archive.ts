import { sign, type KeyObject } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { streamZip } from "../../platform/storage/zip-writer.ts";

/** The files of a pack by their names. */
export type PackFiles = Readonly<Record<string, Uint8Array>>;

/** Returns the files with the signature of their manifest, in place of one that was there. */
export function signPackFiles(files: PackFiles, key: KeyObject): PackFiles {
  const manifest = files["manifest.json"];
  if (!manifest) throw new Error("no manifest.json to sign");
  return { ...files, "manifest.sig": Buffer.from(sign(null, manifest, key).toString("base64")) };
}

/** Returns the archive of a pack. The same files give the same bytes: one date for all, and no compression. */
export function zipPackFiles(files: PackFiles): Promise<Buffer> {
  const at = new Date("2000-01-01T00:00:00Z");
  const entries = Object.entries(files).map(([path, bytes]) => ({
    path,
    at,
    bytes: bytes.length,
    open: () => [bytes],
  }));
  return buffer(Readable.from(streamZip(entries)));
}
