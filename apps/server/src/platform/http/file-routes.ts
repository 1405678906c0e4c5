import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { sendBytes } from "./range-response.ts";
import { verifyFileUrl } from "../storage/file-url.ts";
import type { FileAddress } from "../storage/file-url.ts";
import type { ByteRange, FileStore, AcquireBuffer } from "../storage/file-store.ts";
import type { FileAccessCheck } from "../storage/file-access.ts";
import { guardStream } from "../storage/guarded-stream.ts";
import type { HolderGuard, ValidHolder } from "../live/address-holders.ts";
import { audit } from "../audit/audit.ts";
import type { Database } from "../database/database.ts";
import { refuse } from "./refuse.ts";
import { files, secret } from "../runtime/services.ts";

type FileRequest = FastifyRequest<{
  Params: { area: string; iid: string; sha256: string; name: string };
  Querystring: Record<string, unknown>;
}>;

/** Returns the derived file that is the de-identified original, for the receiver of this order. */
export type Deidentifier = (iid: string, sha256: string, order: string) => Promise<string>;

/** Serves files by signed address, for the holder of the address and as long as the holder may see the file. */
export function serveFiles(app: FastifyInstance, services: FileServices): void {
  app.route({
    method: ["GET", "HEAD"],
    url: "/files/:area/:iid/:sha256/:name",
    handler: (request, reply) => sendFile(services, request as FileRequest, reply),
  });
}

interface FileServices {
  readers: HolderGuard;
  maySee: FileAccessCheck;
  deidentify: Deidentifier;
  /** Records who is led to the store itself, before that. */
  recordDirectDownload: (download: DirectDownload) => Promise<void>;
}
interface DirectDownload {
  reader: ValidHolder;
  file: StoredFileKey;
  address: string;
  requestId: string;
}

async function sendFile(
  { readers, maySee, deidentify, recordDirectDownload }: FileServices,
  request: FileRequest,
  reply: FastifyReply,
) {
  const address = verifyFileUrl(secret(), { path: request.params, query: request.query }) ?? refuse("linkExpired");
  const reader = await readers.demand(request, address.claim);
  if (!(await maySee(reader, address))) refuse("notFound");
  const file: FileAddress = address.clean
    ? {
        ...address,
        area: "converted",
        sha256: await deidentify(address.iid, address.sha256, address.clean),
        download: true,
      }
    : address;
  const total = (await files().bytes(file.area, file.iid, file.sha256)) ?? refuse("notFound");
  reply.headers(safetyHeaders(file));
  // The form in which it is sent belongs to the address.
  return sendBytes(request, reply, {
    total,
    sha256: file.sha256,
    open: async (range) => {
      const bytes = await openSanitized(files(), file, range);
      readers.watch(address.claim.holder, bytes);
      return bytes;
    },
    findElsewhere: async (isPart) => {
      if (address.clean || !(await mayDownloadDirectly(request, file, { total, isPart }))) return null;
      const { ip, id } = request;
      await recordDirectDownload({ reader, file, address: ip, requestId: id });
      const { range } = request.headers;
      const disposition = `attachment; ${contentDispositionName(file.name)}`;
      const url = files().directUrl?.(file, { type: safeType(file), disposition, ...(range && { range }) });
      return url ?? null;
    },
  });
}

/** Writes each direct download to the audit log of the reader's organisation: the store knows no readers. */
export const directDownloadRecorder =
  (database: Database): FileServices["recordDirectDownload"] =>
  ({ reader: { tenantScope, shared }, file, address, requestId }) =>
    database.asSystem((db) =>
      audit(db, {
        institution_id: tenantScope.iid,
        user_id: tenantScope.uid,
        action: "file.download",
        subject: file.sha256,
        detail: { store: file.iid, ...(shared && { [shared.kind]: shared.id }) },
        address,
        request_id: requestId,
      }),
    );

/** Smaller files are sent from here at once: a second connection would cost more than it saves. Tests set less. */
export const directDownloadRules = { minBytes: 16 * 1024 * 1024 };

/**
 * True for an original that is saved as it is stored, by the store's own answer. Requests of pages themselves stay here:
 * their policy knows no other origin. A condition by our tag is one that the store does not understand.
 */
async function mayDownloadDirectly(
  { headers }: FileRequest,
  file: FileAddress,
  { total, isPart }: { total: number; isPart: boolean },
): Promise<boolean> {
  // Every browser sends the site; other programs do not, although some name a mode.
  const isNavigation = headers["sec-fetch-site"] === undefined || headers["sec-fetch-mode"] === "navigate";
  const isUnderstood = (headers.range !== undefined) === isPart && headers["if-range"] === undefined;
  const isStoredForm = file.area === "originals" && Boolean(file.download) && !file.gzip;
  if (!files().directUrl || total < directDownloadRules.minBytes || !isNavigation || !isUnderstood || !isStoredForm)
    return false;
  return !(await isDicom(files(), file)) || (await hasBlankPreamble(files(), file));
}

/** Returns the headers that prevent a browser from running uploaded bytes in our pages. */
function safetyHeaders(file: FileAddress): Record<string, string> {
  const type = safeType(file);
  return {
    "content-type": type,
    "cache-control": "private, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "content-disposition": `${isInline(file, type) ? "inline" : "attachment"}; ${contentDispositionName(file.name)}`,
    ...(file.gzip && file.area === "converted" && { "content-encoding": "gzip" }),
  };
}

const imageTypes = ["image/png", "image/jpeg", "image/webp", "image/avif"];
const knownTypes = [
  ...imageTypes,
  "application/octet-stream",
  "application/dicom",
  "application/pdf",
  "application/zip",
  "image/bmp",
  "image/tiff",
  "model/stl",
  "model/obj",
  "model/3mf",
  "video/mp4",
];
// Everything that a browser might run (HTML, SVG, XML, scripts) is sent as plain bytes.
const safeType = (file: FileAddress): string =>
  knownTypes.includes(file.type) ? file.type : "application/octet-stream";
const isInline = (file: FileAddress, type: string): boolean =>
  file.area === "converted" && !file.download && (imageTypes.includes(type) || type === "application/octet-stream");

/** RFC 6266: an ASCII approximation for old clients, and the name itself in UTF-8 for all others. */
export function contentDispositionName(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_");
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${exact}`;
}

/** Returns the bytes for download to a user's disk: the preamble, which may hide something, is blank. */
export async function openSanitized(store: FileStore, file: StoredFileKey, range: ByteRange): Promise<Readable> {
  const stream = await store.read(file.area, file.iid, file.sha256, range);
  if (file.area !== "originals" || range.start >= preamble || !(await isDicom(store, file))) return stream;
  return guardStream(Readable.from(blankBytes(stream, preamble - range.start), { objectMode: false }));
}

/** Does the same chunk by chunk, into lent memory. */
export async function* readSanitizedChunks(
  store: FileStore,
  file: StoredFileKey,
  range: ByteRange,
  acquireBuffer: AcquireBuffer,
): AsyncGenerator<Uint8Array> {
  if (range.end < range.start) return;
  const chunks = store.readChunks(file.area, file.iid, file.sha256, range, acquireBuffer);
  const hasPreamble = file.area === "originals" && range.start < preamble && (await isDicom(store, file));
  yield* hasPreamble ? blankBytes(chunks, preamble - range.start) : chunks;
}

type StoredFileKey = Pick<FileAddress, "area" | "iid" | "sha256">;

// PS3.10 7.1: 128 free bytes before "DICM", in which a file can hide another format (a program, a page).
const preamble = 128;
async function isDicom(store: FileStore, file: StoredFileKey): Promise<boolean> {
  if (((await store.bytes(file.area, file.iid, file.sha256)) ?? 0) < preamble + 4) return false;
  const magic: Buffer[] = [];
  for await (const chunk of await store.read(file.area, file.iid, file.sha256, { start: preamble, end: preamble + 3 }))
    magic.push(chunk as Buffer);
  return Buffer.concat(magic).toString("latin1") === "DICM";
}
async function hasBlankPreamble(store: FileStore, file: StoredFileKey): Promise<boolean> {
  const bytes = Buffer.alloc(preamble);
  await store.readInto(file.area, file.iid, file.sha256, 0, bytes);
  return bytes.every((byte) => byte === 0);
}
async function* blankBytes(source: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of source) {
    if (left > 0) chunk.fill(0, 0, Math.min(left, chunk.length));
    left -= chunk.length;
    yield chunk;
  }
}
