import { takePrefetched } from "../../data/prefetched-responses.ts";
import type { FileFetcher } from "./file-fetcher.ts";
import { isPersistable, persistFile, readPersistedFile } from "../../browser/persisted-files.ts";

type Reason = "gone" | "network" | "damaged" | "unconverted";

/**
 * The reason why bytes could not be fetched. `gone`: the address is no longer valid and must be renewed; `unconverted`:
 * no job creates the file.
 */
export class FetchError extends Error {
  readonly reason: Reason;

  constructor(reason: Reason, cause?: unknown) {
    super(`fetch: ${reason}`, { cause });
    this.name = "FetchError";
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
  const stored = await readPersistedFile(url);
  signal.throwIfAborted();
  if (stored) {
    onBytes?.(stored.length);
    return stored;
  }
  const bytes = await download(url, signal, onBytes);
  persistFile(url, bytes);
  return bytes;
}

/** The same in a worker, which nothing on the page delays; the caller stops it on leaving. */
export async function fetchInWorker(url: string, fetcher: FileFetcher): Promise<Uint8Array<ArrayBuffer>> {
  const fetched = await fetcher.load(url, isPersistable(url));
  if ("bytes" in fetched) return fetched.bytes;
  throw new FetchError(reasonOf(fetched.status));
}

async function download(
  url: string,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await sendRequest(url, signal);
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
    throw new FetchError("network", error);
  }
  return concatenate(parts, size);
}

/** The bytes, decompressed if a store in between served the gzip without decoding. */
export async function fetchDecompressed(
  url: string,
  expected: number,
  signal: AbortSignal,
  onBytes?: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await fetchBytes(url, signal, onBytes);
  const isGzip = bytes.length !== expected && bytes[0] === 0x1f && bytes[1] === 0x8b;
  const unpacked = isGzip ? await gunzip(bytes) : bytes;
  if (unpacked.length !== expected) throw new FetchError("damaged");
  return unpacked;
}

async function sendRequest(url: string, signal: AbortSignal): Promise<Response> {
  let response: Response;
  try {
    // Files in our own store need not be cached by the browser a second time.
    response = await (takePrefetched(url) ?? fetch(url, { signal, ...(isPersistable(url) && { cache: "no-store" }) }));
  } catch (error) {
    if (signal.aborted) throw error;
    throw new FetchError("network", error);
  }
  if (response.ok) return response;
  throw new FetchError(reasonOf(response.status));
}

const reasonOf = (status: number): Reason => ([403, 404, 410].includes(status) ? "gone" : "network");

async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (error) {
    throw new FetchError("damaged", error);
  }
}

function concatenate(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
