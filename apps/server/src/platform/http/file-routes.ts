import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Readable } from "node:stream";
import { sendBytes } from "./range-response.ts";
import { readFileUrl } from "../storage/file-url.ts";
import type { FileAddress } from "../storage/file-url.ts";
import type { ByteRange, FileStore, Lend } from "../storage/file-store.ts";
import type { MaySee } from "../storage/file-access.ts";
import { guardedStream } from "../storage/guarded-stream.ts";
import type { Readers } from "../live/session-queue.ts";
import { refuse } from "./refuse.ts";
import { files, secret } from "../runtime/services.ts";

type FileRequest = FastifyRequest<{
  Params: { area: string; iid: string; sha256: string; name: string };
  Querystring: Record<string, unknown>;
}>;

/** Returns the derived file that is the de-identified original, for the receiver of this order. */
export type Cleaner = (iid: string, sha256: string, order: string) => Promise<string>;

/** Serves files by signed address, for the holder of the address and as long as the holder may see the file. */
export function serveFiles(app: FastifyInstance, serving: Serving): void {
  app.route({
    method: ["GET", "HEAD"],
    url: "/files/:area/:iid/:sha256/:name",
    handler: (request, reply) => answer(serving, request as FileRequest, reply),
  });
}

interface Serving {
  readers: Readers;
  maySee: MaySee;
  clean: Cleaner;
}

async function answer({ readers, maySee, clean }: Serving, request: FileRequest, reply: FastifyReply) {
  const asked = readFileUrl(secret(), { path: request.params, query: request.query }) ?? refuse("linkExpired");
  const reader = await readers.demand(request, asked.claim);
  if (!(await maySee(reader, asked))) refuse("notFound");
  const file: FileAddress = asked.clean
    ? { ...asked, area: "converted", sha256: await clean(asked.iid, asked.sha256, asked.clean), download: true }
    : asked;
  const total = (await files().bytes(file.area, file.iid, file.sha256)) ?? refuse("notFound");
  reply.headers(guards(file));
  // The form in which it is sent belongs to the address.
  return sendBytes(request, reply, {
    total,
    sha256: file.sha256,
    open: async (range) => {
      const bytes = await openHarmless(files(), file, range);
      readers.watch(asked.claim.holder, bytes);
      return bytes;
    },
  });
}

/** Returns the headers that keep a stranger's bytes from acting as anything but bytes in our pages. */
function guards(file: FileAddress): Record<string, string> {
  const type = safeType(file);
  return {
    "content-type": type,
    "cache-control": "private, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
    "content-disposition": `${shown(file, type) ? "inline" : "attachment"}; ${nameParts(file.name)}`,
    ...(file.gzip && file.area === "converted" && { "content-encoding": "gzip" }),
  };
}

const pictures = ["image/png", "image/jpeg", "image/webp", "image/avif"];
const known = [
  ...pictures,
  "application/octet-stream",
  "application/dicom",
  "application/pdf",
  "application/zip",
  "image/bmp",
  "image/tiff",
  "model/stl",
];
// Everything that a browser might run (HTML, SVG, XML, scripts) is sent as plain bytes.
const safeType = (file: FileAddress): string => (known.includes(file.type) ? file.type : "application/octet-stream");
const shown = (file: FileAddress, type: string): boolean =>
  file.area === "converted" && !file.download && (pictures.includes(type) || type === "application/octet-stream");

/** RFC 6266: an ASCII approximation for old clients, and the name itself in UTF-8 for all others. */
export function nameParts(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, "_").replace(/["\\%]/g, "_");
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${exact}`;
}

/** Returns the bytes for download to a user's disk: the preamble, which may hide something, is blank. */
export async function openHarmless(store: FileStore, file: StoredPlace, range: ByteRange): Promise<Readable> {
  const stream = await store.read(file.area, file.iid, file.sha256, range);
  if (file.area !== "originals" || range.start >= preamble || !(await isDicom(store, file))) return stream;
  return guardedStream(Readable.from(blank(stream, preamble - range.start), { objectMode: false }));
}

/** Does the same chunk by chunk, into lent memory. */
export async function* harmlessPieces(
  store: FileStore,
  file: StoredPlace,
  range: ByteRange,
  lend: Lend,
): AsyncGenerator<Uint8Array> {
  if (range.end < range.start) return;
  const pieces = store.pieces(file.area, file.iid, file.sha256, range, lend);
  const hides = file.area === "originals" && range.start < preamble && (await isDicom(store, file));
  yield* hides ? blank(pieces, preamble - range.start) : pieces;
}

type StoredPlace = Pick<FileAddress, "area" | "iid" | "sha256">;

// PS3.10 7.1: 128 free bytes before "DICM", in which a file can hide another format (a program, a page).
const preamble = 128;
async function isDicom(store: FileStore, file: StoredPlace): Promise<boolean> {
  if (((await store.bytes(file.area, file.iid, file.sha256)) ?? 0) < preamble + 4) return false;
  const sign: Buffer[] = [];
  for await (const chunk of await store.read(file.area, file.iid, file.sha256, { start: preamble, end: preamble + 3 }))
    sign.push(chunk as Buffer);
  return Buffer.concat(sign).toString("latin1") === "DICM";
}
async function* blank(source: AsyncIterable<Uint8Array>, count: number): AsyncGenerator<Uint8Array> {
  let left = count;
  for await (const chunk of source) {
    if (left > 0) chunk.fill(0, 0, Math.min(left, chunk.length));
    left -= chunk.length;
    yield chunk;
  }
}
