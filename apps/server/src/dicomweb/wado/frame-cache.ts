/** A whole answer with one frame. */
export interface FrameResponse {
  type: string;
  bytes: Buffer;
}

const cacheRules = { bytesOfOne: 1024 * 1024, bytesOfAll: 24 * 1024 * 1024, noted: 512 } as const;

const requestedOnce = new Set<string>();
const cachedFrames = new Map<string, FrameResponse>();
let cachedBytes = 0;

/**
 * Returns a cached frame that is requested repeatedly, for any session: the caller has already checked the right to it.
 */
export function findCachedFrame(key: string): FrameResponse | undefined {
  const found = cachedFrames.get(key);
  if (!found) return undefined;
  cachedFrames.delete(key);
  cachedFrames.set(key, found);
  return found;
}

/** Keeps an answer that is given for the second time; of a volume that is read from end to end, nothing. */
export function cacheFrame(key: string, response: FrameResponse): void {
  if (response.bytes.length > cacheRules.bytesOfOne) return;
  if (!requestedOnce.delete(key)) {
    requestedOnce.add(key);
    if (requestedOnce.size > cacheRules.noted) requestedOnce.delete(requestedOnce.values().next().value!);
    return;
  }
  if (cachedFrames.has(key)) return;
  cachedFrames.set(key, { type: response.type, bytes: Buffer.from(response.bytes) });
  cachedBytes += response.bytes.length;
  for (const [oldest, { bytes: old }] of cachedFrames) {
    if (cachedBytes <= cacheRules.bytesOfAll) break;
    cachedFrames.delete(oldest);
    cachedBytes -= old.length;
  }
}
