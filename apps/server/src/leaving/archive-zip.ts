import { createHash } from "node:crypto";
import { Readable, Transform } from "node:stream";
import { ZipFile } from "yazl";
import type { Stored } from "../kernel/files.ts";

/** Above it an entry needs the wider fields of zip64. */
const wideFrom = 0xf000_0000;

/** Writes a zip archive as a stream, one entry behind the other: nothing is held that was written. */
export class ZipWriter {
  readonly stream: Readable;
  readonly #zip = new ZipFile();
  #fail: (error: Error) => void = () => {};
  #failed: Error | null = null;
  /** What is being read into the archive. */
  #source: Readable | null = null;

  constructor() {
    this.stream = Readable.from(this.#zip.outputStream, { objectMode: false });
    // Whoever reads went away, or could not go on: the writer must not wait for them.
    this.stream.once("error", (error: Error) => this.fail(error));
    this.stream.once("close", () => this.fail(new Error("the archive's reader has gone")));
    this.#zip.on("error", (error: Error) => this.fail(error));
    this.#zip.outputStream.once("error", (error: Error) => this.fail(error));
  }

  /** Resolves when all of it was read into the archive. `bytes`: about how many, where that is known. */
  async add(
    path: string,
    source: AsyncIterable<Uint8Array>,
    how: { compress: boolean; bytes?: number },
  ): Promise<Stored> {
    if (this.#failed) throw this.#failed;
    const hash = createHash("sha256");
    let bytes = 0;
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      const counted = new Transform({
        transform: (chunk: Buffer, _, done) => {
          hash.update(chunk);
          bytes += chunk.length;
          done(null, chunk);
        },
        flush: (done) => {
          done();
          resolve({ sha256: hash.digest("hex"), bytes });
        },
      });
      const from = Readable.from(source, { objectMode: false });
      this.#source = from;
      from.once("error", (error) => this.fail(error));
      const options = { compress: how.compress, forceZip64Format: (how.bytes ?? 0) > wideFrom };
      this.#zip.addReadStreamLazy(path, options, (give) => give(null, from.pipe(counted)));
    });
  }

  end(): void {
    this.#zip.end();
  }

  /** Ends it in the middle: whoever reads hears of it. */
  fail(error: Error): void {
    if (this.#failed) return;
    this.#failed = error;
    this.#fail(error);
    this.#source?.destroy();
    // The stream waits for the next bytes of the zip: destroyed alone, it would wait for ever.
    (this.#zip.outputStream as Readable).destroy(error);
    this.stream.destroy(error);
  }
}
