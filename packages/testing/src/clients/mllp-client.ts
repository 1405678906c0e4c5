import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connect as secureConnect, type ConnectionOptions } from "node:tls";
import { createMllpReader, frameMessage } from "@arcada/exchange/hl7/mllp";
import { parseHl7, type Hl7Message } from "@arcada/exchange/hl7/hl7-message";

/** A sender of HL7 messages that keeps its connection open, as hospital systems do. */
export class MllpSender {
  readonly socket: Socket;
  #answers: ((answer: Hl7Message | null) => void)[] = [];

  private constructor(socket: Socket) {
    this.socket = socket;
    const reader = createMllpReader();
    socket.on("data", (chunk: Buffer) => {
      for (const event of reader.read(chunk))
        if (event.kind === "message") this.#answers.shift()?.(parseHl7(event.bytes));
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      for (const resolve of this.#answers.splice(0)) resolve(null);
    });
  }

  static async open(port: number, tls?: ConnectionOptions): Promise<MllpSender> {
    const to = { host: "127.0.0.1", port };
    const socket = tls ? secureConnect({ ...to, ...tls, servername: "localhost" }) : connect(to);
    await once(socket, tls ? "secureConnect" : "connect");
    return new MllpSender(socket);
  }

  /** Sends a message and returns its answer; null if the connection ends without one. */
  send(message: string | Uint8Array): Promise<Hl7Message | null> {
    return this.sendRaw(frameMessage(typeof message === "string" ? Buffer.from(message) : message));
  }

  /** The same for bytes that are framed already, or wrongly. */
  sendRaw(bytes: Uint8Array): Promise<Hl7Message | null> {
    const { promise, resolve } = Promise.withResolvers<Hl7Message | null>();
    if (this.socket.destroyed) return Promise.resolve(null);
    this.#answers.push(resolve);
    this.socket.write(bytes);
    return promise;
  }

  close(): void {
    this.socket.destroy();
  }
}

/** MSA-1 of an answer. */
export const ackCode = (answer: Hl7Message | null): string | null => answer?.segment("MSA")?.get(1) ?? null;
