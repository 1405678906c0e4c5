import { createHmac, timingSafeEqual } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { parseRange } from "./byte-range.ts";
import { contentDispositionName } from "./file-routes.ts";
import { allocateBuffer, type ByteRange } from "../storage/file-store.ts";
import { guardStream } from "../storage/guarded-stream.ts";
import {
  currentHolder,
  runAsHolder,
  holderProof,
  type HolderClaim,
  type HolderGuard,
} from "../live/address-holders.ts";
import { createBufferPool } from "../storage/buffer-pool.ts";
import { refuse } from "./refuse.ts";
import { secret } from "../runtime/services.ts";
import { sliceStream, streamZip, type ZipEntry } from "../storage/zip-writer.ts";
import { trimMatching } from "../text/trim-characters.ts";

/** A zip archive that is compressed while it is read. */
export interface Archive {
  /** The file name that the reader sees. */
  name: string;
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>;
  /**
   * Known if every entry's size is known: then an interrupted download can be resumed. The same tag means the same
   * bytes.
   */
  known: { bytes: number; tag: string } | null;
}
/** Opens an archive; refuses one that is no longer available. */
export type OpenArchive = (iid: string, id: string, now: Date) => Promise<Archive>;
export type ArchiveKind = "study" | "order" | "training" | "patient";

/** A de-identified copy of an original; `drop` deletes it. */
export interface DeidentifiedCopy {
  path: string;
  discard: () => Promise<void>;
}
/** Makes such copies for the receiver of an order or link; refuses files that cannot be de-identified. */
export type OpenDeidentifier = (order: string) => Promise<(iid: string, sha256: string) => Promise<DeidentifiedCopy>>;

export const ticketMinutes = 5;

/**
 * Returns the address of a prepared archive. It works for five minutes and only for the session or guest session that
 * requested it.
 */
export const archiveUrl = (kind: ArchiveKind, iid: string, id: string, now: Date): string =>
  `/${kind}/downloads/${iid}/${id}?${createTicket([kind, iid, id], now)}`;

/**
 * Returns the signed query of an address. The address works for five minutes and only for the holder (session, guest
 * session or key) that receives the response.
 */
export function createTicket(signedParts: readonly string[], now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + ticketMinutes * 60;
  const holder = currentHolder();
  if (!holder) throw new Error("a ticket is made for nobody");
  const s = signature([...signedParts, expires, holder.id]);
  return new URLSearchParams({ e: String(expires), h: holder.id, s, p: holderProof(holder.tokenHash, s) }).toString();
}

type ArchiveRequest = FastifyRequest<{ Params: { iid: string; id: string }; Querystring: Record<string, unknown> }>;

/** Serves archives by their ticket, as long as its holder may have them. */
export function serveArchives(
  app: FastifyInstance,
  readers: HolderGuard,
  kinds: Record<ArchiveKind, OpenArchive>,
): void {
  for (const [kind, open] of Object.entries(kinds) as [ArchiveKind, OpenArchive][])
    app.get(`/${kind}/downloads/:iid/:id`, { exposeHeadRoute: false }, async (request: ArchiveRequest, reply) => {
      const now = new Date();
      const { iid, id } = request.params;
      const claim = verifyTicket([kind, iid, id], request.query, now) ?? refuse("linkExpired");
      const { tokenHash } = await readers.demand(request, claim);
      const archive = await runAsHolder({ id: claim.holder, tokenHash }, () => open(iid, id, now));
      return sendArchive(archive, { readers, holder: claim.holder, request, reply });
    });
}

interface ArchiveReply {
  readers: HolderGuard;
  holder: string;
  request: FastifyRequest;
  reply: FastifyReply;
}
function sendArchive({ name, entries, known }: Archive, { readers, holder, request, reply }: ArchiveReply) {
  reply.headers({
    "content-type": "application/zip",
    "content-disposition": `attachment; ${contentDispositionName(name)}`,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  });
  const range = known ? requestedRange(request, known) : "whole";
  if (known && range === "none") return reply.code(416).header("content-range", `bytes */${known.bytes}`).send();
  if (known) reply.headers({ "accept-ranges": "bytes", etag: `"${known.tag}"` });
  const part = typeof range === "string" ? null : range;
  if (known && part) reply.code(206).header("content-range", `bytes ${part.start}-${part.end}/${known.bytes}`);
  if (known) reply.header("content-length", part ? part.end - part.start + 1 : known.bytes);
  const stream = createStream(entries, part, reply);
  readers.watch(holder, stream);
  return reply.send(stream);
}

function createStream(entries: Archive["entries"], part: ByteRange | null, { raw }: FastifyReply): Readable {
  let produced = 0;
  const transmitted = () => produced - stream.readableLength - raw.writableLength;
  const packed = streamZip(entries, createBufferPool(allocateBuffer, { produced: () => produced, transmitted }));
  async function* counted() {
    for await (const chunk of part ? sliceStream(packed, part.start, part.end) : packed) {
      produced += chunk.length;
      yield chunk;
    }
  }
  // The next chunk is read while the previous one is sent.
  const stream: Readable = guardStream(Readable.from(counted(), { objectMode: false, highWaterMark: 64 * 1024 }));
  return stream;
}

function requestedRange({ headers }: FastifyRequest, { bytes, tag }: NonNullable<Archive["known"]>) {
  const only = headers["if-range"]?.toString();
  return only === undefined || only === `"${tag}"` ? parseRange(headers.range, bytes) : "whole";
}

/** Returns the holder that the address claims; null if it has expired or was not signed by us. */
export function verifyTicket(
  signedParts: readonly string[],
  { e, h, s, p }: Record<string, unknown>,
  now: Date,
): HolderClaim | null {
  if (typeof e !== "string" || typeof h !== "string" || typeof s !== "string" || !/^\d{1,12}$/.test(e)) return null;
  const [claimed, real] = [Buffer.from(s), Buffer.from(signature([...signedParts, Number(e), h]))];
  if (claimed.length !== real.length || !timingSafeEqual(claimed, real)) return null;
  return now.getTime() < Number(e) * 1000 ? { holder: h, signature: s, proof: p } : null;
}

const signature = (signedParts: readonly (string | number)[]): string =>
  createHmac("sha256", createHmac("sha256", secret()).update("archive ticket").digest())
    .update(JSON.stringify(signedParts))
    .digest("base64url");

/** Returns a function that makes names in an archive unique, also on a disk that ignores case. */
export function uniqueNames(): (base: string, ending: string) => string {
  const used = new Set<string>();
  return (base, ending) => {
    for (let copy = 1; ; copy++) {
      const name = copy === 1 ? base + ending : `${base} (${copy})${ending}`;
      if (used.has(name.toLowerCase())) continue;
      used.add(name.toLowerCase());
      return name;
    }
  };
}

/**
 * Returns a name that every file system accepts and that cannot mislead: without control characters, direction marks
 * and separators.
 */
export const toSafeFileName = (name: string): string =>
  trimMatching(name.toWellFormed().replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, "_"), /[\s.]/).slice(0, 120);
