/** Returns a percentage with two decimals; any use at all shows as more than 0. */
export const toPercent = (used: number, allowed: number): number =>
  used > 0 ? Math.max(0.01, roundTo(100, (used / allowed) * 100)) : 0;

export const toGigabytes = (bytes: number): number =>
  bytes > 0 ? Math.max(0.001, roundTo(1000, bytes / 1024 ** 3)) : 0;

const roundTo = (parts: number, value: number): number => Math.round(value * parts) / parts;
