import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { fromBuffer } from "yauzl";
import { inflateRawSync } from "node:zlib";
import { newId } from "../../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { streamZip } from "../../../apps/server/src/platform/storage/zip-writer.ts";
import type { Manifest } from "../../../apps/server/src/data-export/archive-manifest.ts";
import { present } from "@arcada/testing/require-present";

/** Creates a small colour image. */
export const createPng = (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 106, channels: 3, background: { r: 30, g: 90, b: 160 } } })
    .png()
    .toBuffer();

type TextChanges = Record<string, (text: string) => string>;

/**
 * Returns the archive with changed texts and more entries; `updatesManifest` also rewrites the manifest, as a clever forger
 * would.
 */
export async function rewriteArchive(
  archive: Uint8Array,
  changes: TextChanges,
  more: Record<string, Uint8Array> = {},
  updatesManifest = false,
  packed = false,
): Promise<Buffer> {
  const entries = await readEntries(archive);
  for (const [name, change] of Object.entries(changes)) {
    const bytes = entries.get(name);
    if (bytes) entries.set(name, Buffer.from(change(bytes.toString())));
  }
  if (updatesManifest) entries.set("manifest.json", Buffer.from(JSON.stringify(updatedManifest(entries))));
  const written = (name: string, bytes: Uint8Array, compress: boolean) => ({
    path: name,
    at: new Date(0),
    bytes: bytes.length,
    compress,
    open: () => [bytes],
  });
  return buffer(
    Readable.from(
      streamZip([
        ...[...entries].map(([name, bytes]) => written(name, bytes, !name.includes("/"))),
        ...Object.entries(more).map(([name, bytes]) => written(name, bytes, packed)),
      ]),
    ),
  );
}

export type TableRow = Record<string, unknown>;
/**
 * Returns the archive with changed rows in its tables and a consistent manifest, as an attacker who knows the format
 * would forge it.
 */
export const forgeArchive = (
  archive: Uint8Array,
  tables: Record<string, (rows: TableRow[]) => TableRow[]>,
  manifest: (parsed: Manifest) => void = () => {},
): Promise<Buffer> =>
  rewriteArchive(
    archive,
    {
      ...Object.fromEntries(
        Object.entries(tables).map(([name, change]) => [
          `tables/${name}.jsonl`,
          (text: string) =>
            change(
              text
                .split("\n")
                .filter(Boolean)
                .map((line) => JSON.parse(line) as TableRow),
            )
              .map((row) => `${JSON.stringify(row)}\n`)
              .join(""),
        ]),
      ),
      "manifest.json": (text) => {
        const parsed = JSON.parse(text) as Manifest;
        manifest(parsed);
        return JSON.stringify(parsed);
      },
    },
    {},
    true,
  );

/** Returns the same rows with other ids: those in `known`, else new ones, except for ids that stay. */
export function replaceIds(
  archive: Uint8Array,
  known: Map<string, string>,
  stay: ReadonlySet<string>,
): Promise<Buffer> {
  const manifest = JSON.parse(readArchiveText(archive, "manifest.json")) as Manifest;
  const other = (id: string): string => {
    if (stay.has(id)) return id;
    if (!known.has(id)) known.set(id, newId());
    return present(known.get(id));
  };
  const change = (text: string) =>
    text.replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, other);
  const names = ["manifest.json", ...Object.keys(manifest.tables).map((name) => `tables/${name}.jsonl`)];
  return rewriteArchive(archive, Object.fromEntries(names.map((name) => [name, change])), {}, true);
}

function updatedManifest(entries: ReadonlyMap<string, Buffer>): unknown {
  const manifest = JSON.parse(present(entries.get("manifest.json"), "manifest.json").toString()) as {
    tables: Record<string, { rows: number; bytes: number; sha256: string }>;
  };
  for (const [name, parsed] of Object.entries(manifest.tables)) {
    const bytes = present(entries.get(`tables/${name}.jsonl`));
    parsed.bytes = bytes.length;
    parsed.rows = bytes.toString().split("\n").length - 1;
    parsed.sha256 = createHash("sha256").update(bytes).digest("hex");
  }
  return manifest;
}

function readEntries(archive: Uint8Array): Promise<Map<string, Buffer>> {
  return new Promise((resolve, reject) => {
    fromBuffer(Buffer.from(archive), { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      const found = new Map<string, Buffer>();
      zip.on("entry", (entry: { fileName: string }) => {
        zip.openReadStream(entry as never, (problem, stream) => {
          if (problem) return reject(problem);
          buffer(stream).then((bytes) => {
            found.set(entry.fileName, bytes);
            zip.readEntry();
          }, reject);
        });
      });
      zip.on("end", () => resolve(found));
      zip.readEntry();
    });
  });
}

/** A packed text of the archive, found by its entry in the directory. */
export function readArchiveText(archive: Uint8Array, name: string): string {
  const bytes = Buffer.from(archive);
  const at = bytes.lastIndexOf(name) - 46;
  const [method, packed, local] = [
    bytes.readUInt16LE(at + 10),
    bytes.readUInt32LE(at + 20),
    bytes.readUInt32LE(at + 42),
  ];
  const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const data = bytes.subarray(begin, begin + packed);
  return (method === 8 ? inflateRawSync(data) : data).toString();
}

/** One bit in the first stored file. */
export function flipBit(bytes: Buffer): Uint8Array {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf("originals/") + 10 + 64 + 50;
  copy[at] = copy[at] ^ 1;
  return copy;
}

/** Replaces `from` by `to` everywhere, and gives the relationship a new id. */
export const swapIdChanges = (from: string, to: string, tables: string[], relationId: string) =>
  Object.fromEntries(
    tables
      .filter((name) => name !== "contact")
      .map((name) => [
        `tables/${name}.jsonl`,
        (text: string) => text.replaceAll(from, to).replaceAll(relationId, crypto.randomUUID()),
      ]),
  );
