import { takeEarly } from "../../kernel/early-answers.ts";
import type { Bringer } from "../first/bringer.ts";
import { isKept, keepFile, keptFile } from "../../kernel/kept-files.ts";

type Reason = "gone" | "network" | "damaged" | "unconverted";

/**
 * The reason for which bytes could not be fetched: `gone` is an address that is no longer valid, to be renewed;
 * `unconverted`: nobody makes the file.
 */
export class FetchFault extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, cause?: unknown) {
    super(`fetch: ${reason}`, { cause });
    this.name = "FetchFault";
    this.reason = reason;
  }
}

/**
 * Fetches the bytes behind an address, with progress; read from this browser's store if an earlier page load fetched
 * them. Throws FetchFault, or the signal's reason.
 */
export async function fetchBytes(
  url: string,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const kept = await keptFile(url);
  signal.throwIfAborted();
  if (kept) {
    onBytes?.(kept.length);
    return kept;
  }
  const bytes = await download(url, signal, onBytes);
  keepFile(url, bytes);
  return bytes;
}

/** The same in a worker, which nothing on the page delays; the caller stops it on leaving. */
export async function fetchAside(url: string, bringer: Bringer): Promise<Uint8Array<ArrayBuffer>> {
  const brought = await bringer.bring(url, isKept(url));
  if ("bytes" in brought) return brought.bytes;
  throw new FetchFault(reasonOf(brought.status));
}

async function download(
  url: string,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await reach(url, signal);
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body) {
      parts.push(part);
      size += part.length;
      onBytes?.(size);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw new FetchFault("network", error);
  }
  return joined(parts, size);
}

/** The bytes, decompressed if a store in between served the gzip without decoding. */
export async function fetchUnpacked(
  url: string,
  expected: number,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await fetchBytes(url, signal, onBytes);
  const isGzip = bytes.length !== expected && bytes[0] === 0x1f && bytes[1] === 0x8b;
  const unpacked = isGzip ? await gunzip(bytes) : bytes;
  if (unpacked.length !== expected) throw new FetchFault("damaged");
  return unpacked;
}

async function reach(url: string, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    // Files in our own store need not be cached by the browser a second time.
    response = await (takeEarly(url) ?? fetch(url, { signal, ...(isKept(url) && { cache: "no-store" }) }));
  } catch (error) {
    if (signal.aborted) throw error;
    throw new FetchFault("network", error);
  }
  if (response.ok) return response;
  throw new FetchFault(reasonOf(response.status));
}

const reasonOf = (status: number): Reason => ([403, 404, 410].includes(status) ? "gone" : "network");

async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (error) {
    throw new FetchFault("damaged", error);
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
