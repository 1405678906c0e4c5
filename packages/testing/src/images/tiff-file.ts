/** A page as a test writes it: samples of 8 or 16 bits, uncompressed, in one strip. */
export interface TiffPageFixture {
  columns: number;
  rows: number;
  samples: Uint8Array | Uint16Array;
  /** Other tags, or other values of those that are written: [tag, type, value]. */
  tags?: [number, number, number][];
}

/** An uncompressed little-endian grey TIFF for tests; `next` changes a directory's pointer to the next one. */
export function makeTiffFixture(
  pages: readonly TiffPageFixture[],
  next: (index: number, usual: number) => number = (_, at) => at,
): Uint8Array {
  const written = pages.map(({ samples }) => new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  const entries = pages.map(buildEntries);
  const sizes = pages.map((_, at) => roundUpToEven(written[at]!.length) + 2 + entries[at]!.length * 12 + 4);
  const out = new Uint8Array(sizes.reduce((sum, size) => sum + size, 8));
  const view = new DataView(out.buffer);
  view.setUint16(0, 0x4949);
  view.setUint16(2, 42, true);
  let at = 8;
  const directory = (index: number): number =>
    sizes.slice(0, index).reduce((sum, size) => sum + size, 8) + roundUpToEven(written[index]?.length ?? 0);
  view.setUint32(4, directory(0), true);
  for (const [index, bytes] of written.entries()) {
    out.set(bytes, at);
    const start = directory(index);
    view.setUint16(start, entries[index]!.length, true);
    for (const [entry, [tag, type, value]] of entries[index]!.entries()) {
      const field = start + 2 + entry * 12;
      view.setUint16(field, tag, true);
      view.setUint16(field + 2, type, true);
      view.setUint32(field + 4, 1, true);
      if (type === short) view.setUint16(field + 8, value, true);
      else view.setUint32(field + 8, tag === stripOffset ? at : value, true);
    }
    const usual = index + 1 < pages.length ? directory(index + 1) : 0;
    view.setUint32(start + 2 + entries[index]!.length * 12, next(index, usual), true);
    at += sizes[index]!;
  }
  return out;
}

const [short, long, stripOffset] = [3, 4, 273];
const roundUpToEven = (length: number): number => length + (length % 2);

function buildEntries({ columns, rows, samples, tags = [] }: TiffPageFixture): [number, number, number][] {
  const all = new Map<number, [number, number, number]>([
    [256, [256, long, columns]],
    [257, [257, long, rows]],
    [258, [258, short, samples.BYTES_PER_ELEMENT * 8]],
    [259, [259, short, 1]],
    [262, [262, short, 1]],
    [stripOffset, [stripOffset, long, 0]],
    [277, [277, short, 1]],
    [278, [278, long, rows]],
    [279, [279, long, samples.byteLength]],
  ]);
  for (const entry of tags) all.set(entry[0], entry);
  return [...all.values()].toSorted(([one], [other]) => one - other);
}
