/** A whole answer with one frame. */
export interface FrameAnswer {
  type: string;
  bytes: Buffer;
}

const rules = { bytesOfOne: 1024 * 1024, bytesOfAll: 24 * 1024 * 1024, noted: 512 } as const;

const asked = new Set<string>();
const kept = new Map<string, FrameAnswer>();
let bytes = 0;

/**
 * Returns a cached frame that is requested repeatedly, for any session: the caller has already checked the right to it.
 */
export function hotFrame(key: string): FrameAnswer | undefined {
  const found = kept.get(key);
  if (!found) return undefined;
  kept.delete(key);
  kept.set(key, found);
  return found;
}

/** Keeps an answer that is given for the second time; of a volume that is read from end to end, nothing. */
export function noteFrame(key: string, answer: FrameAnswer): void {
  if (answer.bytes.length > rules.bytesOfOne) return;
  if (!asked.delete(key)) {
    asked.add(key);
    if (asked.size > rules.noted) asked.delete(asked.values().next().value!);
    return;
  }
  if (kept.has(key)) return;
  kept.set(key, { type: answer.type, bytes: Buffer.from(answer.bytes) });
  bytes += answer.bytes.length;
  for (const [oldest, { bytes: old }] of kept) {
    if (bytes <= rules.bytesOfAll) break;
    kept.delete(oldest);
    bytes -= old.length;
  }
}
