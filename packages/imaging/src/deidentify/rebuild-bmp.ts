import { assertFormat, latin1Bytes, toDataView } from "./rebuild-error.ts";

/**
 * A bitmap built from its header's numbers, the palette and the pixels; a colour profile and gaps go.
 * @throws RebuildError for compressed ones
 */
export function rebuildBmp(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  assertFormat(bytes.length >= 54, "a bitmap that ends early");
  const view = toDataView(bytes);
  const [from, header, width, height] = [
    view.getUint32(10, true),
    view.getUint32(14, true),
    view.getInt32(18, true),
    view.getInt32(22, true),
  ];
  const [bits, compression, colours] = [view.getUint16(28, true), view.getUint32(30, true), view.getUint32(46, true)];
  assertFormat(header >= 40 && [0, 3].includes(compression) && width > 0, "a bitmap of an unknown kind");
  assertFormat([1, 4, 8, 16, 24, 32].includes(bits) && colours <= 256, "a bitmap of an unknown kind");
  const row = 4 * Math.ceil((width * bits) / 32);
  const pixels = row * Math.abs(height);
  const entries = bits <= 8 ? colours || 1 << bits : 0;
  // Three masks for channels: behind a short header, or within a longer one.
  const masks = compression === 3 ? 12 : 0;
  const palette = header === 40 ? 54 + masks : 14 + header;
  const end = 54 + masks + 4 * entries;
  assertFormat(
    from + pixels <= bytes.length && palette + 4 * entries <= bytes.length && pixels > 0,
    "a bitmap that ends early",
  );
  const out = new Uint8Array(end + pixels);
  const outView = toDataView(out);
  out.set(latin1Bytes("BM"));
  outView.setUint32(2, out.length, true);
  outView.setUint32(10, end, true);
  outView.setUint32(14, 40, true);
  out.set(bytes.subarray(18, 34), 18);
  outView.setUint32(34, pixels, true);
  outView.setUint32(46, entries === 1 << bits ? 0 : entries, true);
  out.set(bytes.subarray(54, 54 + masks), 54);
  out.set(bytes.subarray(palette, palette + 4 * entries), 54 + masks);
  const used = Math.ceil((width * bits) / 8);
  for (let at = 0; at < pixels; at += row) out.set(bytes.subarray(from + at, from + at + used), end + at);
  for (let at = 54 + masks + 3; at < end; at += 4) out[at] = 0;
  return out;
}
