/** The size of a segment, which `initdb` sets and Arcada does not change. */
const segmentBytes = 16n * 1024n * 1024n;
const segmentName = /^[0-9A-F]{24}$/;
const historyName = /^[0-9A-F]{8}\.history$/;

export const isSegment = (name: string): boolean => segmentName.test(name);
export const isHistory = (name: string): boolean => historyName.test(name);

/** Returns the number of a segment, without the timeline in the first eight digits of its name. */
export const segmentNumber = (name: string): bigint =>
  BigInt(`0x${name.slice(8, 16)}`) * (0x1_0000_0000n / segmentBytes) + BigInt(`0x${name.slice(16, 24)}`);

/** Returns the number of the segment that holds a position such as 0/3000028. */
export function segmentNumberAt(position: string): bigint {
  const [high = "0", low = "0"] = position.split("/");
  return ((BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)) / segmentBytes;
}

/** Returns the number of the first segment that is missing between the first and the last; null if none is. */
export function findGap(first: bigint, names: readonly string[]): bigint | null {
  const numbers = new Set(names.filter(isSegment).map(segmentNumber));
  const last = [...numbers].reduce((most, one) => (one > most ? one : most), first);
  for (let number = first; number <= last && numbers.size > 0; number++) if (!numbers.has(number)) return number;
  return null;
}
