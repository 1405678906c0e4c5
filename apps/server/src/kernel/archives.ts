import { createHmac, timingSafeEqual } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { parseRange } from "./file-range.ts";
import { nameParts } from "./file-routes.ts";
import { freshMemory, type ByteRange } from "./files.ts";
import { guarded } from "./guarded.ts";
import { answeredHolder, answerFor, proofBy, type Claim, type Readers } from "./holders.ts";
import { openLender } from "./lender.ts";
import { refuse } from "./refuse.ts";
import { secret } from "./services.ts";
import { sliceOf, zipped, type ZipEntry } from "./zip.ts";
import { trimEndsOf } from "./trim.ts";

/** A zip archive that is packed while it is read. */
export interface Archive {
  /** What its reader sees. */
  name: string;
  entries: Iterable<ZipEntry> | AsyncIterable<ZipEntry>;
  /** Known where every entry's size is: then it goes on where it was broken off. The same tag says the same bytes. */
  whole: { bytes: number; tag: string } | null;
}
/** Refuses what is no longer to be had. */
export type OpenArchive = (iid: string, id: string, now: Date) => Promise<Archive>;
export type ArchiveKind = "study" | "order" | "training" | "patient";

/** A copy of an original without names; `drop` takes it away. */
export interface CleanCopy {
  path: string;
  drop: () => Promise<void>;
}
/** Makes such copies for whoever an order or a link brings files to; refuses what cannot be freed of names. */
export type OpenCleaning = (order: string) => Promise<(iid: string, sha256: string) => Promise<CleanCopy>>;

export const ticketMinutes = 5;

/** The address of a prepared archive, good for five minutes and for the session or visit that asked for it. */
export const archiveUrl = (kind: ArchiveKind, iid: string, id: string, now: Date): string =>
  `/${kind}/downloads/${iid}/${id}?${ticketOf([kind, iid, id], now)}`;

/** What makes an address good for five minutes and for whoever is answered now. */
export function ticketOf(said: readonly string[], now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + ticketMinutes * 60;
  const holder = answeredHolder();
  if (!holder) throw new Error("a ticket is made for nobody");
  const s = signature([...said, expires, holder.id]);
  return new URLSearchParams({ e: String(expires), h: holder.id, s, p: proofBy(holder.seal, s) }).toString();
}

type ArchiveRequest = FastifyRequest<{ Params: { iid: string; id: string }; Querystring: Record<string, unknown> }>;

/** Archives by their ticket, as long as whoever was given it may have them. */
export function serveArchives(app: FastifyInstance, readers: Readers, kinds: Record<ArchiveKind, OpenArchive>): void {
  for (const [kind, open] of Object.entries(kinds) as [ArchiveKind, OpenArchive][])
    app.get(`/${kind}/downloads/:iid/:id`, { exposeHeadRoute: false }, async (request: ArchiveRequest, reply) => {
      const now = new Date();
      const { iid, id } = request.params;
      const claim = claimOf([kind, iid, id], request.query, now) ?? refuse("linkExpired");
      const { seal } = await readers.demand(request, claim);
      const archive = await answerFor({ id: claim.holder, seal }, () => open(iid, id, now));
      return answer(archive, { readers, holder: claim.holder, request, reply });
    });
}

interface Asking {
  readers: Readers;
  holder: string;
  request: FastifyRequest;
  reply: FastifyReply;
}
function answer({ name, entries, whole }: Archive, { readers, holder, request, reply }: Asking) {
  reply.headers({
    "content-type": "application/zip",
    "content-disposition": `attachment; ${nameParts(name)}`,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
  });
  const range = whole ? rangeOf(request, whole) : "whole";
  if (whole && range === "none") return reply.code(416).header("content-range", `bytes */${whole.bytes}`).send();
  if (whole) reply.headers({ "accept-ranges": "bytes", etag: `"${whole.tag}"` });
  const part = typeof range === "string" ? null : range;
  if (whole && part) reply.code(206).header("content-range", `bytes ${part.start}-${part.end}/${whole.bytes}`);
  if (whole) reply.header("content-length", part ? part.end - part.start + 1 : whole.bytes);
  const stream = streamOf(entries, part, reply);
  readers.watch(holder, stream);
  return reply.send(stream);
}

function streamOf(entries: Archive["entries"], part: ByteRange | null, { raw }: FastifyReply): Readable {
  let given = 0;
  const gone = () => given - stream.readableLength - raw.writableLength;
  const packed = zipped(entries, openLender(freshMemory, { given: () => given, gone }));
  async function* counted() {
    for await (const chunk of part ? sliceOf(packed, part.start, part.end) : packed) {
      given += chunk.length;
      yield chunk;
    }
  }
  // One piece is read while the one before it is sent.
  const stream: Readable = guarded(Readable.from(counted(), { objectMode: false, highWaterMark: 64 * 1024 }));
  return stream;
}

function rangeOf({ headers }: FastifyRequest, { bytes, tag }: NonNullable<Archive["whole"]>) {
  const only = headers["if-range"]?.toString();
  return only === undefined || only === `"${tag}"` ? parseRange(headers.range, bytes) : "whole";
}

/** For whom the address says that it was made; null where it is out of date or not one of ours. */
export function claimOf(said: readonly string[], { e, h, s, p }: Record<string, unknown>, now: Date): Claim | null {
  if (typeof e !== "string" || typeof h !== "string" || typeof s !== "string" || !/^\d{1,12}$/.test(e)) return null;
  const [claimed, real] = [Buffer.from(s), Buffer.from(signature([...said, Number(e), h]))];
  if (claimed.length !== real.length || !timingSafeEqual(claimed, real)) return null;
  return now.getTime() < Number(e) * 1000 ? { holder: h, signature: s, proof: p } : null;
}

const signature = (said: readonly (string | number)[]): string =>
  createHmac("sha256", createHmac("sha256", secret()).update("archive ticket").digest())
    .update(JSON.stringify(said))
    .digest("base64url");

/** Names in an archive, each once, whatever case a disk thinks them in. */
export function onceEach(): (base: string, ending: string) => string {
  const taken = new Set<string>();
  return (base, ending) => {
    for (let copy = 1; ; copy++) {
      const name = copy === 1 ? base + ending : `${base} (${copy})${ending}`;
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      return name;
    }
  };
}

/** What every file system takes, and nobody can mislead with: no controls, no marks of direction, no separators. */
export const safeName = (name: string): string =>
  trimEndsOf(name.toWellFormed().replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, "_"), /[\s.]/).slice(0, 120);
