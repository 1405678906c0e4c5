import { joinBytes } from "../join-bytes.ts";
import { rebuildIccProfile } from "./rebuild-icc-profile.ts";
import { assertFormat, latin1Bytes, decodeLatin1, toDataView } from "./rebuild-error.ts";

/**
 * Rebuilds a JPEG from its frames, scans and the tables that they use, its colour profile and the orientation (ITU-T
 * T.81). The coded pixels stay byte for byte; everything else that a camera or a person wrote is dropped.
 * @throws RebuildError where it has a segment that nobody knows
 */
export function rebuildJpeg(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const jpeg = new JpegRebuilder(bytes);
  jpeg.read();
  return joinBytes([Uint8Array.of(0xff, 0xd8), ...jpeg.head(), ...jpeg.body, Uint8Array.of(0xff, 0xd9)]);
}

class JpegRebuilder {
  readonly body: Uint8Array[] = [];
  readonly #bytes: Uint8Array;
  /** Tables that no scan has used yet, by class and number. */
  readonly #tables = new Map<string, Uint8Array>();
  readonly #profile: { sequenceNumber: number; data: Uint8Array }[] = [];
  /** The quantisation table of each component. */
  readonly #quantised = new Map<number, number>();
  #density: Uint8Array | null = null;
  #orientation = 0;
  #adobe: number | null = null;
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(): void {
    let at = 2;
    while (at + 4 <= this.#bytes.length && this.#bytes[at] === 0xff) {
      const marker = this.#bytes[at + 1];
      if (marker === 0xff) {
        at++;
        continue;
      }
      if (marker === 0xd9) break;
      const end = at + 2 + toDataView(this.#bytes).getUint16(at + 2);
      assertFormat(end >= at + 4 && end <= this.#bytes.length, "a segment that ends early");
      this.#take(marker, this.#bytes.subarray(at + 4, end));
      at = end;
      if (marker !== 0xda) continue;
      at = findScanEnd(this.#bytes, end);
      this.body.push(this.#bytes.subarray(end, at));
    }
    assertFormat(this.body.length > 0, "a JPEG without pixels");
  }

  head(): Uint8Array[] {
    return [
      ...(this.#density ? [segment(0xe0, [...latin1Bytes("JFIF\0"), 1, 2, ...this.#density, 0, 0])] : []),
      ...(this.#orientation > 1 ? [encodeExifOrientation(this.#orientation)] : []),
      ...(this.#profile.length > 0 ? profileSegments(this.#profile) : []),
      ...(this.#adobe === null ? [] : [segment(0xee, [...latin1Bytes("Adobe"), 0, 100, 0, 0, 0, 0, this.#adobe])]),
    ];
  }

  #take(marker: number, data: Uint8Array): void {
    if (marker === 0xfe || (marker >= 0xe0 && marker <= 0xef)) this.#note(marker, data);
    else if (marker === 0xdb) this.#hold("q", data, (head) => 1 + 64 * (head >> 4 ? 2 : 1));
    else if (marker === 0xc4) this.#hold("h", data, (_, at) => 17 + sum(data.subarray(at + 1, at + 17)));
    else if (marker === 0xcc)
      this.body.push(exactSegment(marker, data, data.length % 2 === 0 && data.length <= 16 ? data.length : -1));
    else if (marker === 0xdd || marker === 0xdc) this.body.push(exactSegment(marker, data, 2));
    else if (marker === 0xda) this.#scan(data);
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) this.#frame(marker, data);
    else assertFormat(false, "a segment that nobody knows");
  }

  /** Reads the display metadata stored with the pixels: their density, orientation and colours. */
  #note(marker: number, data: Uint8Array): void {
    const name = decodeLatin1(data.subarray(0, 12));
    if (marker === 0xe0 && name.startsWith("JFIF\0") && data.length >= 12 && data[7] < 3)
      this.#density = data.slice(7, 12);
    if (marker === 0xe1 && name.startsWith("Exif\0\0")) this.#orientation = readExifOrientation(data.subarray(6));
    if (marker === 0xee && name.startsWith("Adobe") && data.length >= 12 && data[11] < 3) this.#adobe = data[11];
    if (marker === 0xe2 && name.startsWith("ICC_PROFILE\0"))
      this.#profile.push({ sequenceNumber: data[12], data: data.subarray(14) });
  }

  #hold(kind: "q" | "h", data: Uint8Array, sizeAt: (head: number, at: number) => number): void {
    for (let at = 0; at < data.length;) {
      const size = sizeAt(data[at], at);
      assertFormat(at + size <= data.length, "a table that ends early");
      if (kind === "h") {
        const symbols = data.subarray(at + 17, at + size);
        // A code for the same symbol twice makes no sense: such a table is a text.
        assertFormat(new Set(symbols).size === symbols.length, "a table of codes that is none");
      }
      this.#tables.set(`${kind} ${kind === "q" ? data[at] & 15 : data[at]}`, data.subarray(at, at + size));
      at += size;
    }
  }

  #frame(marker: number, data: Uint8Array): void {
    this.body.push(exactSegment(marker, data, 6 + 3 * data[5]));
    for (let at = 6; at + 2 < 6 + 3 * data[5]; at += 3) this.#quantised.set(data[at], data[at + 2]);
  }

  #scan(data: Uint8Array): void {
    const components = data[0];
    for (let at = 1; at < 1 + 2 * components; at += 2) {
      this.#use("q", `q ${this.#quantised.get(data[at])}`);
      this.#use("h", `h ${data[at + 1] >> 4}`);
      this.#use("h", `h ${16 + (data[at + 1] & 15)}`);
    }
    this.body.push(exactSegment(0xda, data, 4 + 2 * components));
  }

  #use(kind: "q" | "h", name: string): void {
    const table = this.#tables.get(name);
    if (!table) return;
    this.#tables.delete(name);
    this.body.push(segment(kind === "q" ? 0xdb : 0xc4, table));
  }
}

const sum = (bytes: Uint8Array): number => bytes.reduce((total, byte) => total + byte, 0);

function segment(marker: number, data: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(4 + data.length);
  bytes.set([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]);
  bytes.set(data, 4);
  return bytes;
}

function exactSegment(marker: number, data: Uint8Array, length: number): Uint8Array {
  assertFormat(length > 0 && data.length >= length, "a segment that ends early");
  return segment(marker, data.subarray(0, length));
}

/** Coded bytes run on to the next marker that is neither a stuffed byte nor a restart (B.1.1). */
function findScanEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

const profilePartBytes = 65_000;
function profileSegments(parts: readonly { sequenceNumber: number; data: Uint8Array }[]): Uint8Array[] {
  const whole = rebuildIccProfile(
    joinBytes(parts.toSorted((one, other) => one.sequenceNumber - other.sequenceNumber).map(({ data }) => data)),
  );
  const count = Math.ceil(whole.length / profilePartBytes);
  return Array.from({ length: count }, (_, at) =>
    segment(0xe2, [
      ...latin1Bytes("ICC_PROFILE\0"),
      at + 1,
      count,
      ...whole.subarray(at * profilePartBytes, (at + 1) * profilePartBytes),
    ]),
  );
}

/** 1 to 8; 0 if it is not stated. TIFF 6.0, tag 0x0112. */
function readExifOrientation(tiff: Uint8Array): number {
  if (tiff.length < 14) return 0;
  const view = toDataView(tiff);
  const little = tiff[0] === 0x49;
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.length) return 0;
  const count = view.getUint16(directory, little);
  for (let entry = directory + 2; entry < directory + 2 + 12 * count && entry + 12 <= tiff.length; entry += 12) {
    const value = view.getUint16(entry + 8, little);
    if (view.getUint16(entry, little) === 0x0112) return value <= 8 ? value : 0;
  }
  return 0;
}

const encodeExifOrientation = (orientation: number): Uint8Array =>
  segment(0xe1, [
    ...latin1Bytes("Exif\0\0MM\0*\0\0\0\u0008\0\u0001"),
    ...orientationEntry,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
const orientationEntry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0];
