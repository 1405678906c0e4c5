/** How long things are kept beside what the contract says, and how gently the store is read. */
export const keepingRules = {
  noticeDays: 365,
  /** So long after its end a job's leftovers are nobody's any more; and a file that came in has found its place. */
  leftoverDays: 1,
  /** So long a file may lie in the store without a row that names it; the slowest way from a file to its row takes hours. */
  strayDays: 30,
  /** Of everything that reads and writes there, the scrubber is to be the least. */
  scrubBytesPerSecond: 20_000_000,
  /** One stretch of the scrubber; it goes on in the next job, so that others get their turn. */
  scrubStretchMs: 20 * 60_000,
} as const;
