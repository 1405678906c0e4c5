import type { AcquireBuffer } from "./file-store.ts";

interface PooledBuffer {
  memory: Buffer;
  /** The memory is free again when this many bytes are gone. */
  until: number;
}

/**
 * A buffer pool for data that is read and sent in chunks: `given` bytes were handed out so far, and `gone` of these are
 * with the system. A caller that asks again has handed out the last buffer. Memory is not reused before all of it is
 * gone, so that a slow reader uses more memory but never receives other bytes.
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
