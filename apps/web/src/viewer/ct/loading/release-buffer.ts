/**
 * Gives the memory of values that are no longer needed back at once: while a large volume loads, the garbage collector
 * would let hundreds of megabytes pile up. The values are then empty, also for other views of their buffer. Browsers
 * without `ArrayBuffer.transfer` leave it to the collector.
 */
export function releaseBuffer({ buffer }: ArrayBufferView): void {
  if (buffer instanceof ArrayBuffer && "transfer" in buffer && !buffer.detached) buffer.transfer(0);
}
