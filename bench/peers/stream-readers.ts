import { fork, type ChildProcess } from "node:child_process";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The number of streams that one process opens at once. */
const openedAtOnce = 100;

/** Instants are in ms since 1970 with fractions: those of several processes of a machine can be compared. */
export const instantNow = (): number => performance.timeOrigin + performance.now();

/** The requests of the parent to a process of readers, with their answers. */
interface Requests {
  /** Opens a stream for each token; the readers take turns between the ports. */
  open: { ask: { tokens: string[]; ports: number[] }; told: null };
  /** The instants at which the readers got the event of this id. */
  waitFor: { ask: { id: string }; told: number[] };
  /** The instants at which the readers of a port that ended had their stream at another one, and how many load anew. */
  comeBack: { ask: { from: number; to: number }; told: { at: number[]; reloads: number } };
  leave: { ask: object; told: null };
}
type Name = keyof Requests;

/**
 * Readers of event streams in a process of their own, because a process may not have more open files than some ten
 * thousand.
 */
export class StreamReaders {
  readonly #child: ChildProcess = fork(fileURLToPath(import.meta.url), ["readers"], { serialization: "advanced" });
  #count = 0;
  readonly #waiting = new Map<number, (told: never) => void>();
  constructor() {
    this.#child.on("message", ({ number, told }: { number: number; told: never }) => this.#waiting.get(number)?.(told));
  }
  /** Sends the request at once; the promise resolves with its answer. */
  ask<N extends Name>(name: N, ask: Requests[N]["ask"]): Promise<Requests[N]["told"]> {
    const number = ++this.#count;
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve);
      this.#child.send({ number, name, ask });
    });
  }
  stop(): void {
    this.#child.kill();
  }
}

/** A reader of the stream that comes back as a browser does. */
class Reader {
  /** The last text of the stream. */
  text = "";
  port = 0;
  readonly #token: string;
  #socket: Socket | undefined;
  #onText: () => void = () => {};
  #retryMs = 300;
  constructor(token: string) {
    this.#token = token;
  }
  /** Resolves when the first id has arrived: the stream is open and its client has a position. */
  async open(port: number, position = ""): Promise<void> {
    const socket = connect(port, "127.0.0.1");
    this.#socket = socket;
    this.port = port;
    this.text = "";
    const place = position === "" ? "" : `last-event-id: ${position}\r\n`;
    socket.on("data", (bytes: Buffer) => {
      this.text = (this.text + bytes.toString()).slice(-2000);
      this.#onText();
    });
    socket.on("error", () => {});
    socket.write(`GET /v1/notice/stream HTTP/1.1\r\nhost: 127.0.0.1\r\ntoken: ${this.#token}\r\n${place}\r\n`);
    await this.waitFor("\nid: ");
    this.#retryMs = Number(/^retry: (\d+)$/m.exec(this.text)?.[1] ?? this.#retryMs);
  }
  waitFor(text: string): Promise<number> {
    return new Promise((resolve) => {
      this.#onText = () => {
        if (this.text.includes(text)) resolve(instantNow());
      };
      this.#onText();
    });
  }
  /** Opens the stream at another process when it breaks, after the time that the server named. */
  comeBack(port: number): Promise<number> {
    const position = [...this.text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? "";
    return new Promise((resolve) => {
      const again = () =>
        sleep(this.#retryMs)
          .then(() => this.open(port, position))
          .then(() => resolve(instantNow()));
      this.#socket?.once("close", () => void again());
    });
  }
  leave(): void {
    this.#socket?.destroy();
  }
}

let readers: Reader[] = [];
const answers: { [N in Name]: (ask: Requests[N]["ask"]) => Promise<Requests[N]["told"]> } = {
  open: async ({ tokens, ports }) => {
    readers = tokens.map((token) => new Reader(token));
    for (let at = 0; at < readers.length; at += openedAtOnce)
      await Promise.all(
        readers.slice(at, at + openedAtOnce).map((reader, place) => reader.open(ports[(at + place) % ports.length])),
      );
    return null;
  },
  waitFor: ({ id }) => Promise.all(readers.map((reader) => reader.waitFor(id))),
  comeBack: async ({ from, to }) => {
    const victims = readers.filter(({ port }) => port === from);
    const at = await Promise.all(victims.map((reader) => reader.comeBack(to)));
    return { at, reloads: victims.filter(({ text }) => text.includes("event: again")).length };
  },
  leave: async () => {
    for (const reader of readers) reader.leave();
    return null;
  },
};

if (process.argv[2] === "readers") {
  process.on("message", ({ number, name, ask }: { number: number; name: Name; ask: never }) => {
    void answers[name](ask).then((told) => process.send?.({ number, told }));
  });
  process.on("disconnect", () => process.exit());
}
