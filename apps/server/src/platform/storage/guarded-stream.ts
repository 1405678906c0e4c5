import type { Readable } from "node:stream";

/**
 * Returns the same stream with an error listener: an error may come before anybody reads, or after the reader went
 * away, and Node ends a process for an error event without a listener. The reader of the stream still receives the
 * error.
 */
export function guardStream<S extends Readable>(stream: S): S {
  stream.on("error", () => {});
  return stream;
}
