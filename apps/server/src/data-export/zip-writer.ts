import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { StoredFileInfo } from "../platform/storage/file-store.ts";
import { guardStream } from "../platform/storage/guarded-stream.ts";
import { streamZip, type ZipEntry } from "../platform/storage/zip-writer.ts";

interface PendingEntry {
  entry: ZipEntry;
  fail: (error: Error) => void;
}

/**
 * Writes entries one after the other, each while it is being read: the archive is a stream, and nothing is buffered.
 */
export class ZipWriter {
  readonly stream: Readable;
  #given: PendingEntry | null = null;
  #isEnded = false;
  #failed: Error | null = null;
  #wake: () => void = () => {};

  constructor() {
    this.stream = guardStream(Readable.from(streamZip(this.#entries()), { objectMode: false }));
    // If the reader closed the stream or failed, the writer must not wait for it.
    this.stream.once("error", (error: Error) => this.fail(error));
    this.stream.once("close", () => this.fail(new Error("the archive's reader has gone")));
  }

  /** Resolves when all of it was read into the archive. `bytes`: about how many, where that is known. */
  async add(
    path: string,
    source: AsyncIterable<Uint8Array>,
    how: { compress: boolean; bytes?: number },
  ): Promise<StoredFileInfo> {
    if (this.#failed) throw this.#failed;
    return new Promise((resolve, reject) => {
      const open = () => hashWhileReading(source, resolve);
      const entry = { path, at: new Date(), bytes: null, about: how.bytes ?? 0, compress: how.compress, open };
      this.#given = { entry, fail: reject };
      this.#wake();
    });
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** Ends the archive early with an error for its reader. */
  fail(error: Error): void {
    if (this.#failed) return;
    this.#failed = error;
    this.#given?.fail(error);
    this.#wake();
    this.stream.destroy(error);
  }

  async *#entries(): AsyncGenerator<ZipEntry> {
    let last: PendingEntry | null = null;
    for (;;) {
      while (this.#given === last && !this.#isEnded && !this.#failed)
        await new Promise<void>((resolve) => (this.#wake = resolve));
      if (this.#failed) throw this.#failed;
      if (this.#given === last) return;
      last = this.#given;
      if (last) yield last.entry;
    }
  }
}

async function* hashWhileReading(
  source: AsyncIterable<Uint8Array>,
  done: (stored: StoredFileInfo) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of source) {
    hash.update(chunk);
    bytes += chunk.length;
    yield chunk;
  }
  done({ sha256: hash.digest("hex"), bytes });
}
