import {
  ZipReader,
  BlobReader,
  configure,
  ERR_ENCRYPTED,
  ERR_UNSUPPORTED_ENCRYPTION,
} from "@zip.js/zip.js/lib/zip-core-native.js";
import type { FileEntry } from "@zip.js/zip.js/lib/zip-core-native.js";
import type { CaseSource } from "@arcada/exchange/scan-folder/read-cases";

/** A file of a dropped folder or within one of its archives. It is unpacked only if it is needed. */
export interface DroppedFile extends CaseSource {
  open: () => Promise<Blob>;
}

/** The reasons why an archive cannot be opened. */
export const archiveProblems = ["encrypted", "damaged", "tooMany", "tooLarge"] as const;
export type ArchiveProblem = (typeof archiveProblems)[number];

export class ArchiveError extends Error {
  readonly problem: ArchiveProblem;
  constructor(problem: ArchiveProblem, archive: string) {
    super(`${problem}: ${archive}`);
    this.problem = problem;
  }
}

/** A case has tens of files. Scans have up to 300 MB; an archive within an archive is held in memory. */
export const archiveLimits = { files: 2000, fileBytes: 1024 ** 3, nestedBytes: 256 * 1024 ** 2 } as const;

// The browser's own decompression runs outside this thread already.
configure({ useWebWorkers: false });

/**
 * Lists the files of a folder and of the archives in it, also of archives within those; deeper ones stay closed. The
 * name of an archive becomes a folder, because an order of 3Shape has the name of its folder.
 * @param prefersChinese file names without an encoding of their own are GB 18030 then, else code page 437
 * @throws {ArchiveError}
 */
export async function listDroppedFiles(
  files: readonly { path: string; file: Blob }[],
  prefersChinese: boolean,
): Promise<DroppedFile[]> {
  const found: DroppedFile[] = [];
  for (const { path, file } of files) found.push(...(await listEntries(path, file, { depth: 0, prefersChinese })));
  if (found.length > archiveLimits.files) throw new ArchiveError("tooMany", "");
  return found;
}

interface Level {
  depth: number;
  prefersChinese: boolean;
}

async function listEntries(path: string, file: Blob, level: Level): Promise<DroppedFile[]> {
  if (!isArchive(path) || level.depth > 1) return [plainFile(path, file)];
  const entries = await readDirectory(path, file, level);
  const folder = path.slice(0, -".zip".length);
  const found: DroppedFile[] = [];
  for (const entry of entries) {
    const packed = packedFile(`${folder}/${entry.filename}`, entry);
    if (level.depth > 0 || !isArchive(packed.path)) found.push(packed);
    else if (packed.bytes > archiveLimits.nestedBytes) throw new ArchiveError("tooLarge", packed.path);
    else found.push(...(await listEntries(packed.path, await packed.open(), { ...level, depth: 1 })));
  }
  return found;
}

async function readDirectory(path: string, file: Blob, { prefersChinese }: Level): Promise<FileEntry[]> {
  const reader = new ZipReader(new BlobReader(file), {
    strictness: "balanced",
    checkOverlappingEntry: true,
    ...(prefersChinese && { filenameEncoding: "gb18030" }),
  });
  const files: FileEntry[] = [];
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (entry.directory) continue;
      if (entry.encrypted) throw new ArchiveError("encrypted", path);
      if (entry.uncompressedSize > archiveLimits.fileBytes) throw new ArchiveError("tooLarge", path);
      files.push(entry);
      if (files.length > archiveLimits.files) throw new ArchiveError("tooMany", path);
    }
  } catch (error) {
    throw toArchiveError(error, path);
  }
  return files;
}

const isArchive = (path: string): boolean => path.toLowerCase().endsWith(".zip");

const plainFile = (path: string, file: Blob): DroppedFile => ({
  path,
  bytes: file.size,
  read: async () => new Uint8Array(await file.arrayBuffer()),
  open: () => Promise.resolve(file),
});

function packedFile(path: string, entry: FileEntry): DroppedFile {
  const open = () => unpack(path, entry);
  return {
    path: path.replaceAll("\\", "/"),
    bytes: entry.uncompressedSize,
    read: async () => new Uint8Array(await (await open()).arrayBuffer()),
    open,
  };
}

/** Stops as soon as there are more bytes than the archive says. */
async function unpack(path: string, entry: FileEntry): Promise<Blob> {
  const parts: BlobPart[] = [];
  let bytes = 0;
  const sink = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(part) {
      bytes += part.length;
      if (bytes > entry.uncompressedSize) throw new ArchiveError("damaged", path);
      parts.push(part);
    },
  });
  try {
    await entry.getData(sink);
  } catch (error) {
    throw toArchiveError(error, path);
  }
  return new Blob(parts);
}

function toArchiveError(error: unknown, path: string): ArchiveError {
  if (error instanceof ArchiveError) return error;
  const message = error instanceof Error ? error.message : "";
  const isEncrypted = message === ERR_ENCRYPTED || message === ERR_UNSUPPORTED_ENCRYPTION;
  return new ArchiveError(isEncrypted ? "encrypted" : "damaged", path);
}
