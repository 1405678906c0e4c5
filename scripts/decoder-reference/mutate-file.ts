/** A file with a dozen bytes changed at most; one in ten is cut off as well. */
export function mutateFile(file: Uint8Array, below: (limit: number) => number): Uint8Array {
  const bytes = Uint8Array.from(file);
  for (let change = 1 + below(12); change > 0; change--) bytes[below(bytes.length)] = below(256);
  return below(10) === 0 ? bytes.subarray(0, below(bytes.length)) : bytes;
}

/** Whole numbers from 0 to below a limit, the same ones each time. */
export function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
