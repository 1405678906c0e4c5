import { close, fstatSync, open, read } from "node:fs";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { RandomAccessReader, fromRandomAccessReaderPromise, type Entry, type ZipFile } from "yauzl";

/**
 * Opens an archive of unknown origin, by its path or the number of an open file. Positions outside the file are an
 * error of the archive: passed to the file system as they are, those of 64 bits throw where nobody can catch it, and
 * end the process.
 */
export async function openZip(at: string | number): Promise<ZipFile> {
  const file = typeof at === "number" ? at : await promisify(open)(at, "r");
  try {
    const { size } = fstatSync(file);
    return await fromRandomAccessReaderPromise(new BoundedFileReader(file, size), size, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: true,
    });
  } catch (error) {
    close(file);
    throw error;
  }
}

/** Returns an entry's bytes as they are in the archive, still compressed. */
export async function readCompressed(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // One chunk for most entries. The function of `node:stream/consumers` copies each twice.
  for await (const chunk of await zip.openReadStreamPromise(entry, { decodeFileData: false }))
    chunks.push(chunk as Buffer);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

const chunkBytes = 512 * 1024;

class BoundedFileReader extends RandomAccessReader {
  readonly #file: number;
  readonly #size: number;
  constructor(file: number, size: number) {
    super();
    this.#file = file;
    this.#size = size;
  }
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!(position >= 0 && position + length <= this.#size)) callback(new Error("zip: unexpected EOF"));
    else read(this.#file, buffer, offset, length, position, callback);
  }
  // A stream of the file system's own would close the file at its end.
  override _readStreamForRange(start: number, end: number): Readable {
    const file = this.#file;
    let at = start;
    return new Readable({
      highWaterMark: chunkBytes,
      read(size) {
        const chunk = Buffer.allocUnsafe(Math.min(size, end - at));
        if (chunk.length === 0) return void this.push(null);
        read(file, chunk, 0, chunk.length, at, (error, count) => {
          at += count;
          if (error) this.destroy(error);
          else this.push(count === 0 ? null : chunk.subarray(0, count));
        });
      },
    });
  }
  override close(callback: (error: Error | null) => void): void {
    close(this.#file, callback);
  }
}
