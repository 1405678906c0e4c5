import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { DamagedError } from "./backup-key.ts";

/** A file, or a folder if it has no content, in a stream of many. */
export type PackEntry =
  | { path: string; folder: true }
  | { path: string; file: string; bytes: number; changedAt?: number }
  | { path: string; text: string };

type Header = { path: string; bytes: number; folder?: true };

/** Writes files one after the other; a file that another process removed meanwhile is left out. */
export async function* packEntries(entries: readonly PackEntry[]): AsyncGenerator<Buffer> {
  for (const entry of entries) {
    if ("folder" in entry) yield packHeader({ path: entry.path, bytes: 0, folder: true });
    else if ("text" in entry) {
      const bytes = Buffer.from(entry.text);
      yield packHeader({ path: entry.path, bytes: bytes.length });
      yield bytes;
    } else yield* packFile(entry);
  }
}

async function* packFile({ path: name, file }: { path: string; file: string }): AsyncGenerator<Buffer> {
  const found = await stat(file).catch(ignoreMissing);
  if (!found) return;
  yield packHeader({ path: name, bytes: found.size });
  let rest = found.size;
  if (rest === 0) return;
  try {
    for await (const chunk of createReadStream(file, { end: rest - 1, highWaterMark: 1024 * 1024 })) {
      rest -= (chunk as Buffer).length;
      yield chunk as Buffer;
    }
  } catch (error) {
    ignoreMissing(error);
  }
  // PostgreSQL may shorten or remove a file while it is read. The WAL repeats that, so zeros may stand for the rest.
  for (; rest > 0; rest -= zeros.length) yield zeros.subarray(0, Math.min(rest, zeros.length));
}

const zeros = Buffer.alloc(64 * 1024);
const ignoreMissing = (error: unknown): undefined => {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
};

function packHeader(header: Header): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([length, text]);
}

const mostHeaderBytes = 64 * 1024;

/** For `readPart`: writes the packed files below a folder. */
export const unpackInto =
  (root: string) =>
  async (content: AsyncIterable<Uint8Array>): Promise<void> => {
    const reader = new ChunkReader(content);
    for (let length = await reader.take(4); length.length > 0; length = await reader.take(4)) {
      const headerBytes = length.readUInt32LE();
      if (headerBytes > mostHeaderBytes) throw new DamagedError("it is no list of packed files");
      const header = JSON.parse(String(await reader.whole(headerBytes))) as Header;
      const target = path.join(root, header.path);
      if (!target.startsWith(`${path.resolve(root)}${path.sep}`)) throw new DamagedError(`it names ${header.path}`);
      if (header.folder) await mkdir(target, { recursive: true, mode: 0o700 });
      else await writeEntry(reader, target, header.bytes);
    }
  };

async function writeEntry(reader: ChunkReader, target: string, bytes: number): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const file = createWriteStream(target, { mode: 0o600 });
  const failed = new Promise<never>((_, reject) => file.once("error", reject));
  failed.catch(() => {});
  try {
    for (let rest = bytes; rest > 0;) {
      const chunk = await reader.some(rest);
      rest -= chunk.length;
      if (!file.write(chunk))
        await Promise.race([failed, new Promise<void>((resolve) => file.once("drain", () => resolve()))]);
    }
    await Promise.race([failed, new Promise<void>((resolve) => file.end(() => resolve()))]);
  } finally {
    file.destroy();
  }
}

/** Reads a stream of chunks by numbers of bytes. */
class ChunkReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }
  /** Returns up to this number of bytes, at least one. */
  async some(most: number): Promise<Buffer> {
    if (this.#rest.length === 0 && !(await this.#more())) throw new DamagedError("it is cut off");
    const chunk = this.#rest.subarray(0, most);
    this.#rest = this.#rest.subarray(chunk.length);
    return chunk;
  }
  /** Returns this number of bytes, or none at the end of the stream. */
  async take(bytes: number): Promise<Buffer> {
    if (this.#rest.length === 0 && !(await this.#more())) return Buffer.alloc(0);
    return this.whole(bytes);
  }
  async whole(bytes: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for (let rest = bytes; rest > 0;) {
      const chunk = await this.some(rest);
      chunks.push(chunk);
      rest -= chunk.length;
    }
    return Buffer.concat(chunks);
  }
  async #more(): Promise<boolean> {
    do {
      const { done, value } = await this.#source.next();
      if (done) return false;
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    } while (this.#rest.length === 0);
    return true;
  }
}
