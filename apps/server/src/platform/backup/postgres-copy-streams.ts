import { once } from "node:events";
import { Readable } from "node:stream";
import type { Socket } from "node:net";
import type pg from "pg";

/** The parts of pg's connection that COPY needs and that its types do not name. */
interface CopyConnection {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** Runs `COPY … TO STDOUT`. The socket pauses while nobody reads. */
export function copyOut(client: pg.Client, text: string): Readable {
  const stream = new CopyOut(text);
  client.query(stream as unknown as pg.Submittable);
  return stream;
}

class CopyOut extends Readable {
  readonly #text: string;
  #connection: CopyConnection | null = null;
  constructor(text: string) {
    super();
    this.#text = text;
    // The reader receives the error; without a listener, one that nobody reads any more would end the process.
    this.on("error", () => {});
  }
  override _read(): void {
    this.#connection?.stream.resume();
  }
  submit(connection: CopyConnection): void {
    this.#connection = connection;
    connection.query(this.#text);
  }
  handleCopyData({ chunk }: { chunk: Uint8Array }): void {
    // The parser uses its memory again.
    if (!this.destroyed && !this.push(Buffer.from(chunk))) this.#connection?.stream.pause();
  }
  handleCommandComplete(): void {}
  handleReadyForQuery(): void {
    this.push(null);
    this.#connection?.stream.resume();
  }
  handleError(error: Error): void {
    this.destroy(error);
  }
  /** The next statement of the connection needs a flowing socket, whether the reader came to the end or not. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#connection?.stream.resume();
    done(error);
  }
}

/** Runs `COPY … FROM STDIN` with this content. */
export const copyIn = (client: pg.Client, text: string, content: AsyncIterable<Uint8Array>): Promise<void> =>
  new Promise((resolve, reject) => {
    let failure: unknown;
    const send = async (connection: CopyConnection): Promise<void> => {
      try {
        for await (const chunk of content) {
          connection.sendCopyFromChunk(chunk);
          if (connection.stream.writableNeedDrain) await once(connection.stream, "drain");
        }
        connection.endCopyFrom();
      } catch (error) {
        failure = error;
        connection.sendCopyFail("the content ended with an error");
      }
    };
    client.query({
      submit: (connection: CopyConnection) => connection.query(text),
      handleCopyInResponse: (connection: CopyConnection) => void send(connection),
      handleCommandComplete: () => {},
      handleReadyForQuery: () => resolve(),
      handleError: (error: Error) => reject(failure ?? error),
    } as unknown as pg.Submittable);
  });
