import { mkdir, open, readFile } from "node:fs/promises";
import path from "node:path";
import type { Entry, ZipFile } from "yauzl";
import { z } from "zod";
import { writeHashed } from "../../platform/storage/durable-writes.ts";
import { openZip } from "../../platform/storage/zip-reader.ts";
import { parseJson } from "../cloud-connection.ts";

/** An archive that is not what Arcada wrote: cut off, changed under way, or of another program. */
export class BrokenCase extends Error {
  override name = "BrokenCase";
}

/** An order has fewer files; each has a path of a few segments. */
const limits = { entries: 20_000, pathBytes: 1000, bytes: 20_000_000_000 } as const;
export const markerName = "arcada-order.json";
const marker = z.object({ order: z.string() });

/**
 * Unpacks the archive of an order, arranged as a project of exocad, into a folder and verifies each file by the
 * archive's manifest. Everything lies below the case's own folder there.
 * @returns the name of the case, as exocad calls it
 * @throws BrokenCase; errors of the file system
 */
export async function unpackCase(archive: string, folder: string, order: string): Promise<string> {
  const zip = await openZip(archive).catch(() => fail("the archive cannot be read"));
  try {
    const entries = await readEntries(zip);
    const name = findCaseName([...entries.keys()]);
    const written = new Map<string, string>();
    let bytes = 0;
    for (const [at, entry] of entries) {
      bytes += entry.uncompressedSize;
      if (bytes > limits.bytes) fail("the archive is too large");
      const target = path.join(folder, name, ...placeInCase(at, name));
      await mkdir(path.dirname(target), { recursive: true });
      written.set(at, await writeEntry(zip, entry, target));
    }
    verify(await readFile(path.join(folder, name, "manifest.json"), "utf8"), written);
    await writeMarker(path.join(folder, name, markerName), order);
    return name;
  } finally {
    zip.close();
  }
}

/** Returns the order of which a folder is the case; null if it is another folder. */
export async function readMarker(folder: string): Promise<string | null> {
  const text = await readFile(path.join(folder, markerName), "utf8").catch(() => "");
  return marker.safeParse(parseJson(text)).data?.order ?? null;
}

async function writeMarker(at: string, order: string): Promise<void> {
  const file = await open(at, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify({ format: "arcada-case", order })}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.entries) fail("the archive has too many files");
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entry.fileNameLength > limits.pathBytes) fail("a path is too long");
    const name = entry.fileNameRaw.toString("utf8");
    if (name.endsWith("/")) continue;
    if (!isSafePath(name) || entries.has(name)) fail("a path leads elsewhere");
    entries.set(name, entry);
  }
  return entries;
}

/** Names that Windows opens as devices, whatever their ending. */
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** A path that no file system reads as another one: Arcada writes no others. */
const isSafePath = (name: string): boolean =>
  name.split("/").every((part) => part !== "" && !/^\.|[\s.]$|[\p{Cc}<>:"\\|?*]/u.test(part));

function findCaseName(names: readonly string[]): string {
  for (const name of names) {
    const [folder = "", file, ...deeper] = name.split("/");
    if (deeper.length === 0 && file === `${folder}.dentalProject`) return folder;
  }
  return fail("the project file is missing");
}

/** Scans of the project lie in the case's folder itself, everything else in folders below it. */
function placeInCase(at: string, name: string): string[] {
  const parts = at.split("/").map((part) => (deviceName.test(part) ? `_${part}` : part));
  return parts[0] === name ? parts.slice(1) : parts;
}

async function writeEntry(zip: ZipFile, entry: Entry, target: string): Promise<string> {
  const stream = await zip.openReadStreamPromise(entry).catch(() => fail("a file cannot be unpacked"));
  try {
    return (await writeHashed(target, stream)).sha256;
  } catch (error) {
    // Errors of the file system have a number; those of the archive have none.
    if ((error as NodeJS.ErrnoException).errno !== undefined) throw error;
    return fail("a file cannot be unpacked");
  }
}

const manifestSchema = z.object({
  format: z.literal("arcada-order"),
  files: z.array(z.object({ path: z.string(), sha256: z.string() })).max(limits.entries),
});

function verify(text: string, written: ReadonlyMap<string, string>): void {
  const { data } = manifestSchema.safeParse(parseJson(text));
  if (!data) return fail("the manifest is missing");
  for (const { path: at, sha256 } of data.files)
    if (written.get(at) !== sha256) fail("a file is not what the manifest states");
}

const fail = (message: string): never => {
  throw new BrokenCase(message);
};
