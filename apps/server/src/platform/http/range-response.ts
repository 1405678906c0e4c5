import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { parseRange } from "./byte-range.ts";
import type { ByteRange } from "../storage/file-store.ts";

/** Immutable bytes with their hash. */
interface ImmutableBytes {
  total: number;
  sha256: string;
  open: (range: ByteRange) => Promise<Readable>;
  /** Returns an address of the same bytes elsewhere, to which the reader is led; null: they are sent from here. */
  findElsewhere?: (isPart: boolean) => Promise<string | null>;
}

/** Sends all bytes or the requested range; resumes an interrupted download. */
export async function sendBytes(request: FastifyRequest, reply: FastifyReply, bytes: ImmutableBytes) {
  const { total, sha256, open, findElsewhere } = bytes;
  const etag = `"${sha256}"`;
  reply.headers({ etag, "accept-ranges": "bytes" });
  if (matchesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  const range = isSameEtag(request.headers["if-range"]?.toString(), etag)
    ? parseRange(request.headers.range, total)
    : "whole";
  if (range === "none")
    return reply
      .code(416)
      .headers({ "content-range": `bytes */${total}`, "cache-control": "no-store" })
      .send();
  const part = range === "whole" ? null : range;
  const elsewhere = request.method === "GET" && total > 0 ? await findElsewhere?.(part !== null) : null;
  if (elsewhere) return redirect(reply, elsewhere);
  if (part) reply.code(206).header("content-range", `bytes ${part.start}-${part.end}/${total}`);
  reply.header("content-length", part ? part.end - part.start + 1 : total);
  if (request.method === "HEAD" || total === 0) return reply.send("");
  return reply.send(await open(part ?? { start: 0, end: total - 1 }));
}

/** The next request must ask here again: its rights are checked, and the address of this one expires soon. */
function redirect(reply: FastifyReply, url: string) {
  for (const name of ["etag", "accept-ranges", "content-type", "content-disposition"]) reply.removeHeader(name);
  return reply.header("cache-control", "no-store").redirect(url, 302);
}

const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === etag));
const isSameEtag = (header: string | undefined, etag: string): boolean =>
  header === undefined || header.trim() === etag;
