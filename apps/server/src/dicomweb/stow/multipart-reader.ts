import { refuse } from "../../platform/http/refuse.ts";
import { releaseReceived } from "../../platform/runtime/garbage-collection.ts";

/** The destination of a part's bytes, which are written chunk by chunk. */
export interface PartSink {
  write(chunk: Buffer): Promise<void>;
  end(): Promise<void>;
  /** The part ended early. */
  fail(): Promise<void>;
}
// RFC 2046 5.1.1 allows a boundary 70 characters; Orthanc writes 73.
export const multipartRules = { headerBytes: 16_384, parts: 5000, boundary: 200, stalledMs: 30_000 } as const;

/** The boundary of a multipart/related body of DICOM files; refuses every other kind of content. */
export function readBoundary(type: string | undefined): string {
  const [kind = "", ...rest] = (type ?? "").split(";").map((part) => part.trim());
  if (kind.toLowerCase() !== "multipart/related") return refuse("unsupportedMedia");
  const parameters = new Map(rest.map((part) => part.split(/=(.*)/).slice(0, 2) as [string, string]));
  const value = (name: string) =>
    [...parameters]
      .find(([key]) => key.trim().toLowerCase() === name)?.[1]
      ?.trim()
      .replace(/^"(.*)"$/, "$1");
  if ((value("type") ?? "application/dicom").toLowerCase() !== "application/dicom") return refuse("unsupportedMedia");
  const boundary = value("boundary");
  return boundary && boundary.length <= multipartRules.boundary && /^[\w'()+,./:=? -]*[\w'()+,./:=?-]$/.test(boundary)
    ? boundary
    : refuse("badInput", { boundary: "missing" });
}

/**
 * Reads a multipart body as it arrives; it never holds more than one chunk and a boundary. `open` is called for each
 * part, with its headers. `stalled` is called if the sender sends nothing while the server waits; the time that the
 * server itself needs does not count. Refuses badInput if the body is not multipart, or ends early.
 */
export async function readMultipart(
  source: AsyncIterable<Buffer>,
  boundary: string,
  open: (headers: ReadonlyMap<string, string>) => Promise<PartSink>,
  stalled: () => void = () => {},
): Promise<void> {
  // A line break before the body lets the first boundary look like the others.
  const reader = openByteReader(source, Buffer.from("\r\n"), stalled);
  const mark = Buffer.from(`\r\n--${boundary}`);
  await reader.until(mark, async () => {});
  for (let count = 0; ; count++) {
    const after = (await reader.line(64)).trimEnd();
    if (after === "--") break;
    if (after !== "" || count >= multipartRules.parts) return refuse("badInput", { body: "multipart" });
    const sink = await open(await readPartHeaders(reader));
    try {
      await reader.until(mark, (chunk) => sink.write(chunk));
    } catch (error) {
      await sink.fail();
      throw error;
    }
    await sink.end();
  }
  await reader.drain();
}

type ByteReader = ReturnType<typeof openByteReader>;

async function readPartHeaders(reader: ByteReader): Promise<Map<string, string>> {
  const headers = new Map<string, string>();
  for (let left: number = multipartRules.headerBytes; ;) {
    const line = await reader.line(left);
    if (line === "") return headers;
    left -= line.length + 2;
    const at = line.indexOf(":");
    if (at > 0) headers.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim());
  }
}

const bufferBytes = 1024 * 1024;
/** Bytes that are gathered before they are handed on: a disk prefers few long writes. */
const flushThresholdBytes = 640 * 1024;

const empty = Buffer.alloc(0);

/** One buffer for a whole body; the chunk that `take` receives is valid until `take` resolves. */
function openByteReader(source: AsyncIterable<Buffer>, first: Buffer, stalled: () => void) {
  const chunks = source[Symbol.asyncIterator]();
  const buffer = Buffer.allocUnsafe(bufferBytes);
  let [from, to] = [0, first.copy(buffer)];
  let [chunk, taken]: [Buffer, number] = [empty, 0];
  const more = async (): Promise<void> => {
    if (taken === chunk.length) {
      const { value, done } = await withStallTimer(chunks.next(), stalled);
      if (done) return refuse("badInput", { body: "ends early" });
      [chunk, taken] = [value, 0];
    }
    if (to + chunk.length - taken > bufferBytes) {
      buffer.copyWithin(0, from, to);
      [from, to] = [0, to - from];
    }
    const copied = chunk.copy(buffer, to, taken);
    to += copied;
    taken += copied;
    if (taken < chunk.length) return;
    releaseReceived(chunk);
    [chunk, taken] = [empty, 0];
  };
  return {
    /** Passes the bytes before `mark` to `take`, and skips the mark. */
    until: async (mark: Buffer, take: (chunk: Buffer) => Promise<void>): Promise<void> => {
      for (let searched = 0; ;) {
        const buffered = buffer.subarray(from, to);
        const at = findMark(buffered, mark, searched);
        searched = at >= 0 ? at : Math.max(searched, buffered.length - mark.length + 1);
        if (searched > 0 && (at >= 0 || searched >= flushThresholdBytes)) {
          await take(buffered.subarray(0, searched));
          from += searched;
          searched = 0;
        }
        if (at >= 0) {
          from += mark.length;
          return;
        }
        await more();
      }
    },
    /** Returns a line without its end; refuses a longer one. */
    line: async (most: number): Promise<string> => {
      for (;;) {
        const buffered = buffer.subarray(from, to);
        const at = buffered.indexOf("\r\n");
        if (at > most || (at < 0 && buffered.length > most + 2)) return refuse("badInput", { body: "header" });
        if (at >= 0) {
          from += at + 2;
          return buffered.toString("latin1", 0, at);
        }
        // The body may end directly after the last boundary.
        if (buffered.toString("latin1", 0, 2) === "--") return "--";
        await more();
      }
    },
    drain: async (): Promise<void> => {
      while (!(await withStallTimer(chunks.next(), stalled)).done);
    },
  };
}

/**
 * Node finds a short text by the C library's search for its first byte, and a longer one by skipping, which takes more
 * than ten times as long in pixels. If the beginning of the mark is not followed by its rest, the whole mark is searched
 * for, so that bytes full of such beginnings take no longer.
 */
function findMark(bytes: Buffer, mark: Buffer, from: number): number {
  const at = bytes.indexOf(mark.subarray(0, 6), from);
  if (at < 0 || bytes.subarray(at, at + mark.length).equals(mark)) return at;
  return bytes.indexOf(mark, at + 1);
}

function withStallTimer<T>(pending: Promise<T>, stalled: () => void): Promise<T> {
  const late = setTimeout(stalled, multipartRules.stalledMs);
  return pending.finally(() => clearTimeout(late));
}
