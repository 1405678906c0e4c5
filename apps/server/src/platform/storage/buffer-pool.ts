import type { Lend } from "./file-store.ts";

interface Piece {
  memory: Buffer;
  /** The memory is free again when this many bytes are gone. */
  until: number;
}

/**
 * A buffer pool for data that is read and sent in chunks: `given` bytes were handed out so far, and `gone` of these are
 * with the system. A caller that asks again has handed out the last buffer. Memory is not reused before all of it is
 * gone, so that a slow reader uses more memory but never receives other bytes.
 */
export function createBufferPool(fresh: Lend, sent: { given: () => number; gone: () => number }): Lend {
  const pieces: Piece[] = [];
  let last: Piece | undefined;
  return () => {
    if (last) last.until = sent.given();
    const gone = sent.gone();
    last = pieces.find(({ until }) => until <= gone) ?? { memory: fresh(), until: 0 };
    if (!pieces.includes(last)) pieces.push(last);
    last.until = Number.POSITIVE_INFINITY;
    return last.memory;
  };
}
