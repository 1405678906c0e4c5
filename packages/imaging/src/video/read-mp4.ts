export type VideoFault = "truncated" | "notVideo" | "noPicture" | "fragmented";

/** A video file that cannot be kept, and why. */
export class VideoError extends Error {
  readonly reason: VideoFault;

  constructor(reason: VideoFault) {
    super(`video: ${reason}`);
    this.name = "VideoError";
    this.reason = reason;
  }
}

/** The description of the video track in a file. */
export interface VideoFacts {
  /** The four characters of the sample entry (ISO/IEC 14496-12, 8.5.2): "avc1" is H.264, "hvc1" and "hev1" are HEVC. */
  codec: string;
  seconds: number;
  /** As it is shown, after the rotation that a phone writes. */
  width: number;
  height: number;
}

/** Reads bytes of a file; fewer at its end. */
export type ReadRange = (offset: number, length: number) => Uint8Array;

interface Box {
  type: string;
  /** The beginning of its content, and the end of the box. */
  from: number;
  end: number;
}

/** Descriptions of an hour have a few megabytes. */
const maxMovieBytes = 64 * 1024 * 1024;
const maxBoxes = 10_000;

/**
 * Reads the description of an MP4 or QuickTime file (ISO/IEC 14496-12): its boxes, never its pictures.
 * @throws VideoError: `truncated` if a box is longer than the file, `noPicture` without a video track, `fragmented` for
 *   a file that states no length because it was recorded for streaming
 */
export function readMp4(read: ReadRange, size: number): VideoFacts {
  const movie = findMovie(read, size);
  const view = new DataView(movie.buffer, movie.byteOffset, movie.byteLength);
  const boxes = listBoxes(view, { from: 0, end: movie.length });
  const seconds = readDuration(view, boxes);
  for (const track of boxes.filter(({ type }) => type === "trak")) {
    const facts = readTrack(view, track);
    if (!facts) continue;
    if (seconds === 0) throw new VideoError("fragmented");
    return { ...facts, seconds };
  }
  throw new VideoError("noPicture");
}

/** The content of the box "moov"; a box may have any place in the file. */
function findMovie(read: ReadRange, size: number): Uint8Array {
  let found: Uint8Array | null = null;
  let at = 0;
  for (let count = 0; at < size; count++) {
    if (count >= maxBoxes) throw new VideoError("notVideo");
    const header = read(at, 16);
    if (header.length < 8) throw new VideoError("truncated");
    const box = readBox(new DataView(header.buffer, header.byteOffset, header.byteLength), 0, size - at);
    if (box.end > size - at) throw new VideoError("truncated");
    if (box.type === "moov") {
      if (box.end - box.from > maxMovieBytes) throw new VideoError("notVideo");
      found = read(at + box.from, box.end - box.from);
      if (found.length < box.end - box.from) throw new VideoError("truncated");
    }
    at += box.end;
  }
  if (!found) throw new VideoError("truncated");
  return found;
}

/** A box at a position, whose positions are counted from the same beginning. */
function readBox(view: DataView, at: number, end: number): Box {
  if (at + 8 > view.byteLength) throw new VideoError("truncated");
  const type = readType(view, at + 4);
  const short = view.getUint32(at);
  if (short === 0) return { type, from: at + 8, end };
  if (short !== 1) {
    if (short < 8) throw new VideoError("notVideo");
    return { type, from: at + 8, end: at + short };
  }
  if (at + 16 > view.byteLength) throw new VideoError("truncated");
  const long = Number(view.getBigUint64(at + 8));
  if (long < 16) throw new VideoError("notVideo");
  return { type, from: at + 16, end: at + long };
}

function listBoxes(view: DataView, { from, end }: Pick<Box, "from" | "end">): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= end;) {
    const box = readBox(view, at, end);
    if (box.end > end) throw new VideoError("truncated");
    if (boxes.length >= maxBoxes) throw new VideoError("notVideo");
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

const readType = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

function find(view: DataView, within: Box, ...path: readonly string[]): Box | undefined {
  let box: Box | undefined = within;
  for (const type of path) box = box && listBoxes(view, box).find((one) => one.type === type);
  return box;
}

const requireBytes = (box: Box, count: number): void => {
  if (box.end - box.from < count) throw new VideoError("truncated");
};

/** 8.2.2: the length of the presentation, in units of its time scale. */
function readDuration(view: DataView, boxes: readonly Box[]): number {
  const header = boxes.find(({ type }) => type === "mvhd");
  if (!header) throw new VideoError("notVideo");
  requireBytes(header, 32);
  const isLong = view.getUint8(header.from) === 1;
  const scale = view.getUint32(header.from + (isLong ? 20 : 12));
  const duration = isLong ? Number(view.getBigUint64(header.from + 24)) : view.getUint32(header.from + 16);
  // All bits set: the length is unknown.
  if (scale === 0 || duration >= (isLong ? 2 ** 64 - 2 ** 11 : 2 ** 32 - 1)) return 0;
  return duration / scale;
}

function readTrack(view: DataView, track: Box): Omit<VideoFacts, "seconds"> | null {
  const handler = find(view, track, "mdia", "hdlr");
  if (!handler) return null;
  requireBytes(handler, 12);
  if (readType(view, handler.from + 8) !== "vide") return null;
  const header = find(view, track, "tkhd");
  const entries = find(view, track, "mdia", "minf", "stbl", "stsd");
  if (!header || !entries) throw new VideoError("notVideo");
  requireBytes(entries, 16);
  const codec = readType(view, entries.from + 12);
  if (!/^[\w .-]{4}$/.test(codec)) throw new VideoError("notVideo");
  return { codec, ...readSize(view, header) };
}

/** 8.3.2: a matrix of nine numbers, then width and height, each with 16 binary places. */
function readSize(view: DataView, header: Box): Pick<VideoFacts, "width" | "height"> {
  const isLong = view.getUint8(header.from) === 1;
  const matrix = header.from + (isLong ? 52 : 40);
  requireBytes(header, matrix - header.from + 44);
  const [width, height] = [view.getUint32(matrix + 36) / 65_536, view.getUint32(matrix + 40) / 65_536];
  if (!(width > 0 && height > 0)) throw new VideoError("noPicture");
  const isTurned = view.getInt32(matrix) === 0 && view.getInt32(matrix + 4) !== 0;
  const [columns, rows] = [Math.round(width), Math.round(height)];
  return isTurned ? { width: rows, height: columns } : { width: columns, height: rows };
}
