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
import { toProgramWords } from "@arcada/exchange/lab-case/lab-words";
import { renderPdf } from "../../platform/pdf/pdf-blocks.ts";
import { computeZipLength, type ZipEntry } from "../../platform/storage/zip-writer.ts";
import { buildManifest, manifestPath } from "./archive-manifest.ts";
import { nameArchiveFiles } from "./archive-file-names.ts";
import { buildExocadProject } from "./exocad-layout.ts";
import { findLabWords, readLabTemplate } from "../lab-program/lab-program.store.ts";
import { openPrescription } from "../prescription/prescription.routes.ts";
import { pickColumns } from "../../platform/database/camel-case-columns.ts";
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
    const companions = await buildCompanions(database, content, now);
    const name = `${toSafeFileName(content.order.number)}.zip`;
    return {
      name,
      entries: generateEntries(content, packed, companions, openDeidentifier),
      known: describeWholeArchive(content, packed, companions),
    };
  };

/** The file that a program needs beside the scans: exocad its project, 3Shape the prescription on paper. */
async function buildCompanions(database: Database, content: ArchiveContent, now: Date): Promise<ZipEntry[]> {
  const toEntry = (path: string, bytes: Uint8Array): ZipEntry => ({
    path,
    at: archiveDate(content),
    bytes: bytes.length,
    open: () => [bytes],
  });
  if (content.layout === "exocad") {
    const { path, bytes } = buildExocadProject(content);
    return [toEntry(path, bytes)];
  }
  if (content.layout !== "threeShape" || content.userId === null) return [];
  const { order, language, userId: uid, readerId: iid } = content;
  const opened = await openPrescription(database)({ iid, uid, id: order.id, language, scheme: "fdi" }, now);
  return "document" in opened ? [toEntry(opened.name, await renderPdf(opened.document))] : [];
}

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
    ...pickColumns(row, "user_id"),
    readerId: iid,
    lab: await readLabSettings(db, iid),
    isDeidentified: sharedParts?.nameless ?? false,
  };
}

async function readLabSettings(db: Db, iid: string): Promise<ArchiveContent["lab"]> {
  const own = await findLabWords(db, iid);
  const template = await readLabTemplate(db, iid);
  return { words: toProgramWords(own?.words ?? []), template: template ? Buffer.from(template.content) : null };
}

/** Known in advance if every file is sent unchanged. */
function describeWholeArchive(
  content: ArchiveContent,
  packed: readonly ArchiveFile[],
  companions: readonly ZipEntry[],
): { bytes: number; tag: string } | null {
  // A prescription states the moment at which it is printed, so that a continued download would be another one.
  if (content.layout === "threeShape") return null;
  if (packed.some(({ deidentifyFor: clean }) => clean !== null)) return null;
  const text = buildManifest(
    content,
    packed.map((file) => ({ ...file, sha256: "0".repeat(64) })),
    [],
  );
  const last = { path: manifestPath, at: archiveDate(content), bytes: text.length };
  const bytes = computeZipLength([...packed, ...companions, last]);
  const fingerprint = JSON.stringify([
    packed,
    content.layout,
    content.order.version,
    text.toString(),
    content.lab.words,
    content.lab.template === null ? null : createHash("sha256").update(content.lab.template).digest("hex"),
  ]);
  return bytes === null ? null : { bytes, tag: createHash("sha256").update(fingerprint).digest("hex") };
}

const archiveDate = ({ order }: ArchiveContent): Date => new Date(order.created_at);

async function* generateEntries(
  content: ArchiveContent,
  packed: readonly ArchiveFile[],
  companions: readonly ZipEntry[],
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
  yield* companions;
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
