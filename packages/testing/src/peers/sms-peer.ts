import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: string;
}
interface SmsAnswer {
  status: number;
  body?: string;
}
/** "never": the request is accepted and not answered. A number of bytes: a success whose body has that size. */
export type SmsBehaviour = SmsAnswer | "never" | { bytes: number };

/** A provider of text messages that keeps what it was sent, can go away and come back, and answers as a test wants. */
export class SmsPeer {
  readonly received: ReceivedRequest[] = [];
  respond: (request: ReceivedRequest, nth: number) => SmsBehaviour = () => ({ status: 200, body: "{}" });
  /** Bytes of the last large answer that were taken before the client hung up. */
  takenBytes = 0;
  #server: Server | null = null;
  #port = 0;
  get url(): string {
    return `http://127.0.0.1:${this.#port}/messages`;
  }
  /** The messages with the body that Arcada sends by default. */
  get messages(): { to: string; text: string; id: string }[] {
    return this.received.map(({ body }) => JSON.parse(body) as { to: string; text: string; id: string });
  }

  /** On the port of the first time, again and again. */
  async start(): Promise<this> {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () =>
        this.#answer({ headers: request.headers, body: Buffer.concat(chunks).toString() }, response),
      );
    }).listen(this.#port, "127.0.0.1");
    // A peer that nobody stopped must not keep a benchmark alive.
    this.#server.unref();
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }
  #answer(request: ReceivedRequest, response: ServerResponse): void {
    const behaviour = this.respond(request, this.received.push(request));
    if (behaviour === "never") return;
    if ("bytes" in behaviour) return this.#answerAtLength(behaviour.bytes, response);
    response.writeHead(behaviour.status, { "content-type": "application/json", location: "/elsewhere" });
    response.end(behaviour.body ?? "");
  }
  #answerAtLength(bytes: number, response: ServerResponse): void {
    this.takenBytes = 0;
    const chunk = Buffer.alloc(65_536, " ");
    response.writeHead(200);
    const write = () => {
      while (this.takenBytes < bytes) {
        this.takenBytes += chunk.length;
        if (!response.write(chunk)) return void response.once("drain", write);
      }
      response.end("{}");
    };
    write();
  }
  /** As if its machine were switched off. */
  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
    this.#server = null;
  }
}
