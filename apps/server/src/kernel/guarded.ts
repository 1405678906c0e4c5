import type { Readable } from "node:stream";

/**
 * The same stream, whose error ends no process: an error may come before anybody reads, or after its reader went away,
 * and Node ends a process for an error event without a listener. Whoever reads the stream gets the error all the same.
 */
export function guarded<S extends Readable>(stream: S): S {
  stream.on("error", () => {});
  return stream;
}
