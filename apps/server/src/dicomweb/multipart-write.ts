import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";

export interface Part {
  headers: Record<string, string>;
  body: () => Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>>;
}

/** A multipart/related body (RFC 2387) whose parts are opened one after another, as the reader takes them. */
export function multipart(type: string, parts: AsyncIterable<Part> | Iterable<Part>) {
  const boundary = randomUUID();
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for await (const { headers, body } of parts) {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      yield Buffer.from(`--${boundary}\r\n${lines.join("")}\r\n`);
      yield* await body();
      yield Buffer.from("\r\n");
    }
    yield Buffer.from(`--${boundary}--\r\n`);
  }
  return {
    type: `multipart/related; type="${type}"; boundary=${boundary}`,
    stream: Readable.from(pieces(), { objectMode: false }),
  };
}
