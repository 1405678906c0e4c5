import type { AcquireBuffer } from "./file-store.ts";

interface PooledBuffer {
  memory: Buffer;
  /** The memory can be reused when this many bytes are transmitted. */
  until: number;
}

/**
 * A buffer pool for data that is read and sent in chunks: `produced` bytes were handed to the socket so far, and
 * `transmitted` of these are with the system. A caller that requests the next buffer has handed over the last one.
 * Memory is not reused before all of it is transmitted, so that a slow reader uses more memory but never receives other
 * bytes.
 */
export function createBufferPool(
  allocate: AcquireBuffer,
  sent: { produced: () => number; transmitted: () => number },
): AcquireBuffer {
  const buffers: PooledBuffer[] = [];
  let last: PooledBuffer | undefined;
  return () => {
    if (last) last.until = sent.produced();
    const transmitted = sent.transmitted();
    last = buffers.find(({ until }) => until <= transmitted) ?? { memory: allocate(), until: 0 };
    if (!buffers.includes(last)) buffers.push(last);
    last.until = Number.POSITIVE_INFINITY;
    return last.memory;
  };
}
