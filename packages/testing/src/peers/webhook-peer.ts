import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Delivery {
  path: string;
  id: string;
  at: number;
  headers: IncomingHttpHeaders;
  body: string;
  type: string;
}

/** A receiver of webhooks that remembers what came, and answers as a test wants: a status, or never. */
export class WebhookPeer {
  readonly deliveries: Delivery[] = [];
  respond: (delivery: Delivery, nth: number) => number | "never" | Promise<number> = () => 204;
  /** Most at the same time, by path. */
  readonly maxConcurrent: Record<string, number> = {};
  readonly #busy: Record<string, number> = {};
  #server: Server | null = null;
  #port = 0;
  url(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }
  deliveriesTo(path: string): Delivery[] {
    return this.deliveries.filter((one) => one.path === path);
  }

  async start(): Promise<this> {
    this.#server = createServer((request, response) => {
      const path = request.url ?? "";
      this.#busy[path] = (this.#busy[path] ?? 0) + 1;
      this.maxConcurrent[path] = Math.max(this.maxConcurrent[path] ?? 0, this.#busy[path]);
      response.on("close", () => (this.#busy[path] = this.#busy[path] - 1));
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => void this.#hear(path, request.headers, Buffer.concat(chunks).toString(), response));
    }).listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
    return this;
  }
  async #hear(
    path: string,
    headers: IncomingHttpHeaders,
    body: string,
    response: { writeHead(status: number, headers?: Record<string, string>): { end(): void } },
  ): Promise<void> {
    const { type } = JSON.parse(body) as { type: string };
    const delivery = { path, id: String(headers["webhook-id"]), at: Date.now(), headers, body, type };
    const nth = this.deliveries.push(delivery);
    const status = await this.respond(delivery, nth);
    if (status !== "never") response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
  }
  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
    this.#server = null;
  }
}

/** Verifies a delivery as docs/interface.md describes it for receivers. */
export function isGenuine({ headers, body }: Pick<Delivery, "headers" | "body">, secret: string, now: number): boolean {
  const [id, timestamp] = [headers["webhook-id"], headers["webhook-timestamp"]];
  if (Math.abs(now / 1000 - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key)
    .update(`${String(id)}.${String(timestamp)}.${body}`)
    .digest();
  return String(headers["webhook-signature"])
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => Buffer.from(one.slice(3), "base64"))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
