/** Retention periods that are not in the contract, and the rate at which the scrubber reads the store. */
export const retentionRules = {
  noticeDays: 365,
  /**
   * Time in days after a job's end at which its leftovers belong to nothing any more; a file that was imported has
   * found its place by then.
   */
  leftoverDays: 1,
  /**
   * Time in days for which a file may be in the store without a row that refers to it; the slowest path from a file to
   * its row takes hours.
   */
  strayDays: 30,
  /** The scrubber must be the smallest of all loads on the store. */
  scrubBytesPerSecond: 20_000_000,
  /** One run of the scrubber; it continues in the next job, so that other jobs get their turn. */
  scrubStretchMs: 20 * 60_000,
} as const;
