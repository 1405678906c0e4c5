import { finished, type Readable } from "node:stream";

/** Bytes that may wait for their reader, which a sender fills while a block is written. */
const maxWaitingBytes = 256 * 1024;

/** Returns the memory that a waiting chunk occupies: a sender of single bytes fills it with objects. */
export const chunkCost = (chunk: Buffer): number => chunk.length + 256;

/**
 * Iterates over the chunks of a request or a socket as they arrived, and holds a few of them. A stream's own iterator
 * joins the chunks that wait into new memory, and stops and starts the socket for each.
 */
export function receiveChunks(stream: Readable): AsyncIterableIterator<Buffer, undefined> {
  const waiting: Buffer[] = [];
  let bytes = 0;
  let reader: PromiseWithResolvers<IteratorResult<Buffer, undefined>> | null = null;
  let end: { error: Error | null } | null = null;
  stream.on("data", (chunk: Buffer) => {
    if (reader) {
      reader.resolve({ value: chunk, done: false });
      reader = null;
      return;
    }
    waiting.push(chunk);
    bytes += chunkCost(chunk);
    if (bytes >= maxWaitingBytes) stream.pause();
  });
  // Also called if the stream has ended, or broken, before.
  finished(stream, { writable: false }, (error) => {
    end = { error: error ?? null };
    if (error) reader?.reject(error);
    else reader?.resolve({ value: undefined, done: true });
    reader = null;
  });
  const chunks: AsyncIterableIterator<Buffer, undefined> = {
    [Symbol.asyncIterator]: () => chunks,
    next: () => {
      const value = waiting.shift();
      if (value) {
        bytes -= chunkCost(value);
        if (bytes === 0 && stream.isPaused()) stream.resume();
        return Promise.resolve({ value, done: false });
      }
      if (end) return end.error ? Promise.reject(end.error) : Promise.resolve({ value: undefined, done: true });
      reader = Promise.withResolvers();
      return reader.promise;
    },
  };
  return chunks;
}
