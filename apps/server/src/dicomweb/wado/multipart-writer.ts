import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { guardStream } from "../../platform/storage/guarded-stream.ts";

export interface MultipartPart {
  headers: Record<string, string>;
  body: () => Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>>;
}

/** A multipart/related body (RFC 2387) whose parts are opened one after another, as the client reads them. */
export function streamMultipart(type: string, parts: AsyncIterable<MultipartPart> | Iterable<MultipartPart>) {
  const boundary = randomUUID();
  async function* generateChunks(): AsyncGenerator<Uint8Array> {
    for await (const { headers, body } of parts) {
      yield Buffer.from(buildPartHead(boundary, headers));
      yield* await body();
      yield Buffer.from("\r\n");
    }
    yield Buffer.from(`--${boundary}--\r\n`);
  }
  return {
    type: `multipart/related; type="${type}"; boundary=${boundary}`,
    stream: guardStream(Readable.from(generateChunks(), { objectMode: false })),
  };
}

const buildPartHead = (boundary: string, headers: Record<string, string>): string =>
  `--${boundary}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

/** The whole body of a single part, with the place into which its bytes are still to be written. */
export function buildSinglePart(
  type: string,
  headers: MultipartPart["headers"],
  length: number,
  bytesOf: (length: number) => Buffer,
) {
  const boundary = randomUUID();
  const head = buildPartHead(boundary, headers);
  const tail = `\r\n--${boundary}--\r\n`;
  const bytes = bytesOf(head.length + length + tail.length);
  bytes.write(head, "latin1");
  bytes.write(tail, head.length + length, "latin1");
  return {
    type: `multipart/related; type="${type}"; boundary=${boundary}`,
    bytes,
    place: bytes.subarray(head.length, head.length + length),
  };
}
