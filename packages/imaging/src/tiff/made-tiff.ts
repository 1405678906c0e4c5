/** A page as a test writes it: samples of 8 or 16 bits, uncompressed, in one strip. */
export interface MadePage {
  columns: number;
  rows: number;
  samples: Uint8Array | Uint16Array;
  /** Other tags, or other values of those that are written: [tag, type, value]. */
  tags?: [number, number, number][];
}

/** An uncompressed little-endian grey TIFF for tests; `next` changes a directory's pointer to the next one. */
export function madeTiff(
  pages: readonly MadePage[],
  next: (place: number, usual: number) => number = (_, at) => at,
): Uint8Array {
  const written = pages.map(({ samples }) => new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
  const entries = pages.map(entriesOf);
  const sizes = pages.map((_, at) => even(written[at]!.length) + 2 + entries[at]!.length * 12 + 4);
  const out = new Uint8Array(sizes.reduce((sum, size) => sum + size, 8));
  const view = new DataView(out.buffer);
  view.setUint16(0, 0x4949);
  view.setUint16(2, 42, true);
  let at = 8;
  const directory = (place: number): number =>
    sizes.slice(0, place).reduce((sum, size) => sum + size, 8) + even(written[place]?.length ?? 0);
  view.setUint32(4, directory(0), true);
  for (const [place, bytes] of written.entries()) {
    out.set(bytes, at);
    const start = directory(place);
    view.setUint16(start, entries[place]!.length, true);
    for (const [entry, [tag, type, value]] of entries[place]!.entries()) {
      const field = start + 2 + entry * 12;
      view.setUint16(field, tag, true);
      view.setUint16(field + 2, type, true);
      view.setUint32(field + 4, 1, true);
      if (type === short) view.setUint16(field + 8, value, true);
      else view.setUint32(field + 8, tag === stripOffset ? at : value, true);
    }
    const usual = place + 1 < pages.length ? directory(place + 1) : 0;
    view.setUint32(start + 2 + entries[place]!.length * 12, next(place, usual), true);
    at += sizes[place]!;
  }
  return out;
}

const [short, long, stripOffset] = [3, 4, 273];
const even = (length: number): number => length + (length % 2);

function entriesOf({ columns, rows, samples, tags = [] }: MadePage): [number, number, number][] {
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
