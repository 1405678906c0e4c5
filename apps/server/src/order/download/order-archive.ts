import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import {
  toSafeFileName,
  type DeidentifiedCopy,
  type OpenArchive,
  type OpenDeidentifier,
} from "../../platform/http/zip-archive-routes.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import { readSanitizedChunks } from "../../platform/http/file-routes.ts";
import type { AcquireBuffer } from "../../platform/storage/file-store.ts";
import { Refused, refuse } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";
import type { ArchiveLayout } from "@arcada/contract/order/download.calls";
import type { Language } from "../../platform/text/texts.ts";
import { computeZipLength, type ZipEntry } from "../../platform/storage/zip-writer.ts";
import { buildManifest, manifestPath } from "./archive-manifest.ts";
import { nameArchiveFiles } from "./archive-file-names.ts";
import { buildExocadProject } from "./exocad-layout.ts";
import { findDownload, readSharedParts, readSlices } from "./download.store.ts";
import { readOrder, readParts } from "../core/order.read.ts";
import { listSharedFiles, listDownloadableFiles } from "../files/file-access.ts";
import { sideOf } from "../transition/guards.ts";
import { isVolume } from "../files/file-view.ts";
import type { ArchiveContent, ArchiveFile } from "./archive-types.ts";

/** Opens archives of orders. The reader's rights are checked again at the time of the download. */
export const orderArchives =
  (database: Database, openDeidentifier: OpenDeidentifier): OpenArchive =>
  async (iid, id, now) => {
    const content = await database.asSystem((db) => readArchiveContent(db, iid, id, now));
    const packed = nameArchiveFiles(content);
    const name = `${toSafeFileName(content.order.number)}.zip`;
    return {
      name,
      entries: generateEntries(content, packed, openDeidentifier),
      known: describeWholeArchive(content, packed),
    };
  };

async function readArchiveContent(db: Db, iid: string, id: string, now: Date): Promise<ArchiveContent> {
  const row = (await findDownload(db, iid, id)) ?? refuse("linkExpired");
  const order = (await readOrder(db, iid, row.order_id)) ?? refuse("linkExpired");
  const parts = await readParts(db, order);
  const sharedParts =
    row.share_id === null ? null : ((await readSharedParts(db, row.share_id)) ?? refuse("linkExpired"));
  const all = sharedParts
    ? listSharedFiles(parts.files, { ...sharedParts, shareId: row.share_id! })
    : listDownloadableFiles(order, parts.files, sideOf(order, { iid }), now);
  const accessibleFiles = all.filter(({ file }) => row.files.includes(file.id));
  if (accessibleFiles.length === 0) refuse("linkExpired");
  const volumes = accessibleFiles.filter(({ file }) => isVolume(file)).map(({ file }) => file);
  const slices = await readSlices(db, volumes);
  return {
    order,
    accessibleFiles,
    slices,
    revisions: parts.revisions,
    language: row.language as Language,
    layout: row.layout as ArchiveLayout,
    isDeidentified: sharedParts?.nameless ?? false,
  };
}

/** Known in advance if every file is sent unchanged. */
function describeWholeArchive(
  content: ArchiveContent,
  packed: readonly ArchiveFile[],
): { bytes: number; tag: string } | null {
  if (packed.some(({ deidentifyFor: clean }) => clean !== null)) return null;
  const text = buildManifest(
    content,
    packed.map((file) => ({ ...file, sha256: "0".repeat(64) })),
    [],
  );
  const last = { path: manifestPath, at: archiveDate(content), bytes: text.length };
  const bytes = computeZipLength([...packed, ...projectEntries(content), last]);
  const fingerprint = JSON.stringify([packed, content.layout, content.order.version, text.toString()]);
  return bytes === null ? null : { bytes, tag: createHash("sha256").update(fingerprint).digest("hex") };
}

/** The project file of exocad, if the archive is arranged as a project. */
function projectEntries(content: ArchiveContent): ZipEntry[] {
  if (content.layout !== "exocad") return [];
  const { path, bytes } = buildExocadProject(content);
  return [{ path, at: archiveDate(content), bytes: bytes.length, open: () => [bytes] }];
}

const archiveDate = ({ order }: ArchiveContent): Date => new Date(order.created_at);

async function* generateEntries(
  content: ArchiveContent,
  packed: readonly ArchiveFile[],
  openDeidentifier: OpenDeidentifier,
): AsyncGenerator<ZipEntry> {
  const written: ArchiveFile[] = [];
  const leftOut: string[] = [];
  let clean: Awaited<ReturnType<OpenDeidentifier>> | null = null;
  for (const file of packed) {
    if (file.deidentifyFor === null) {
      yield hashWhileReading(
        file,
        { bytes: file.bytes, open: (acquireBuffer) => readSourceFile(file, acquireBuffer) },
        (sha256) => written.push({ ...file, sha256 }),
      );
      continue;
    }
    clean ??= await openDeidentifier(file.deidentifyFor);
    const copy = await deidentifyOrSkip(clean, file);
    if (!copy) {
      leftOut.push(file.path);
      continue;
    }
    try {
      const { size: bytes } = await stat(copy.path);
      const open = () => createReadStream(copy.path, { highWaterMark: chunk });
      yield hashWhileReading(file, { bytes, open }, (sha256) => written.push({ ...file, bytes, sha256 }));
    } finally {
      await copy.discard();
    }
  }
  yield* projectEntries(content);
  const text = buildManifest(content, written, leftOut);
  yield { path: manifestPath, at: archiveDate(content), bytes: text.length, open: () => [text] };
}
const chunk = 256 * 1024;

/** Null for a file that cannot be de-identified: it is left out, and the manifest lists it. */
async function deidentifyOrSkip(
  clean: (iid: string, sha256: string) => Promise<DeidentifiedCopy>,
  { iid, sha256 }: ArchiveFile,
): Promise<DeidentifiedCopy | null> {
  try {
    return await clean(iid, sha256);
  } catch (error) {
    if (error instanceof Refused && error.refusal !== "notFound") return null;
    throw error;
  }
}

/**
 * Stored files are named by their hash; a DICOM file leaves with an empty preamble, and a de-identified copy is another
 * file.
 */
function hashWhileReading(
  { path, at, sha256, isDicom, deidentifyFor: clean }: ArchiveFile,
  { bytes, open }: Pick<ZipEntry, "bytes" | "open">,
  done: (sha256: string) => void,
): ZipEntry {
  async function* read(acquireBuffer: AcquireBuffer): AsyncGenerator<Uint8Array> {
    const hash = isDicom || clean !== null ? createHash("sha256") : null;
    for await (const part of await open(acquireBuffer)) {
      hash?.update(part);
      yield part;
    }
    done(hash?.digest("hex") ?? sha256);
  }
  return { path, at, bytes, open: read };
}

const readSourceFile = ({ iid, sha256, bytes }: ArchiveFile, acquireBuffer: AcquireBuffer) =>
  readSanitizedChunks(files(), { area: "originals", iid, sha256 }, { start: 0, end: bytes - 1 }, acquireBuffer);
