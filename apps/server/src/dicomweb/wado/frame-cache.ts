import { LRUCache } from "lru-cache";

/** A whole answer with one frame. */
export interface FrameResponse {
  type: string;
  bytes: Buffer;
}

const requestedOnce = new LRUCache<string, true>({ max: 512 });
const cachedFrames = new LRUCache<string, FrameResponse>({
  maxSize: 24 * 1024 * 1024,
  maxEntrySize: 1024 * 1024,
  // The cache counts an entry as at least one byte.
  sizeCalculation: ({ bytes }) => Math.max(bytes.length, 1),
});

/**
 * Returns a cached frame that is requested repeatedly, for any session: the caller has already checked the right to it.
 */
export const findCachedFrame = (key: string): FrameResponse | undefined => cachedFrames.get(key);

/** Keeps an answer that is given for the second time; of a volume that is read from end to end, nothing. */
export function cacheFrame(key: string, response: FrameResponse): void {
  if (response.bytes.length > cachedFrames.maxEntrySize) return;
  if (!requestedOnce.delete(key)) requestedOnce.set(key, true);
  // The bytes are copied: the given buffer returns to its pool.
  else if (!cachedFrames.has(key)) cachedFrames.set(key, { type: response.type, bytes: Buffer.from(response.bytes) });
}
