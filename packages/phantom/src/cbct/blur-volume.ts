interface VolumeSize {
  columns: number;
  rows: number;
  slices: number;
}

/** Blurs values `[slice][row][column]` by a Gaussian of `deviation` voxels along each axis; the edges are repeated. */
export function blurVolume(
  values: Float32Array,
  { columns, rows, slices }: VolumeSize,
  deviation: number,
): Float32Array {
  const reach = Math.max(1, Math.ceil(2.5 * deviation));
  const weights = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(-((i - reach) ** 2) / (2 * deviation ** 2)));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const kernel = weights.map((weight) => weight / sum);
  const area = columns * rows;
  let from = values;
  for (const [count, stride] of [
    [columns, 1],
    [rows, columns],
    [slices, area],
  ] as const)
    from = blurAxis(from, kernel, count, stride);
  return from;
}

function blurAxis(from: Float32Array, kernel: readonly number[], count: number, stride: number): Float32Array {
  const to = new Float32Array(from.length);
  const reach = (kernel.length - 1) / 2;
  for (let at = 0; at < from.length; at++) {
    const place = Math.floor(at / stride) % count;
    let sum = 0;
    for (let i = -reach; i <= reach; i++) {
      const other = Math.min(count - 1, Math.max(0, place + i));
      sum += kernel[i + reach] * from[at + (other - place) * stride];
    }
    to[at] = sum;
  }
  return to;
}
