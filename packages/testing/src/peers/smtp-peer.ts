import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import type { Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface ReceivedEmail extends Email {
  recipient: string;
}
interface Behaviour {
  /** An answer other than "yes" to a recipient: 450, 550 … */
  responseCode?: (recipient: string) => number | undefined;
  /** Awaited after an email has arrived and before it is acknowledged. */
  beforeAcknowledgement?: (recipient: string) => Promise<unknown>;
}

/** A mail server that keeps what it acknowledged, can go away and come back, and answers as a test wants. */
export class SmtpPeer {
  readonly received: ReceivedEmail[] = [];
  /** Every recipient that was named, including those of emails that were never acknowledged. */
  readonly recipients: string[] = [];
  behaviour: Behaviour = {};
  /** The largest number of emails in transit at the same time. */
  maxConcurrent = 0;
  #busy = 0;
  #server: SMTPServer | null = null;
  #port = 0;
  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** On the port of the first time, again and again. */
  async start(): Promise<this> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      onRcptTo: ({ address }, _, done) => {
        this.recipients.push(address);
        const code = this.behaviour.responseCode?.(address);
        done(code ? Object.assign(new Error(`no ${address} here`), { responseCode: code }) : null);
      },
      onData: (stream, session, done) => {
        const recipient = session.envelope.rcptTo[0]?.address ?? "";
        this.maxConcurrent = Math.max(this.maxConcurrent, (this.#busy += 1));
        const receive = async (): Promise<Error | null> => {
          try {
            const chunks: Buffer[] = [];
            for await (const chunk of stream) chunks.push(chunk as Buffer);
            this.received.push({ ...(await PostalMime.parse(Buffer.concat(chunks))), recipient });
            await this.behaviour.beforeAcknowledgement?.(recipient);
            return null;
          } catch (error) {
            return error as Error;
          } finally {
            this.#busy -= 1;
          }
        };
        const answer = async () => done(await receive());
        void answer();
      },
    });
    // A client that is killed or disconnected by us breaks its connection, which is the case under test.
    server.on("error", () => {});
    server.listen(this.#port, "127.0.0.1");
    // A peer that nobody stopped must not keep a benchmark alive.
    server.server.unref();
    await once(server.server, "listening");
    this.#port = (server.server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }
  /** Cuts every connection, and accepts new ones. */
  hangUp(): void {
    for (const connection of (this.#server?.connections ?? []) as Set<{ _socket?: { destroy(): void } }>)
      connection._socket?.destroy();
  }
  /** As if its machine were switched off. */
  async stop(): Promise<void> {
    this.hangUp();
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
}
