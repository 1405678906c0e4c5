import { connect, type Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { headerLimits, limitHeaders, maxHeaders } from "./header-limits.ts";

let app: FastifyInstance;
let port: number;
let reached = 0;
const sockets: Socket[] = [];
beforeEach(async () => {
  reached = 0;
  app = Fastify({ http: { ...headerLimits, headersTimeout: 600, connectionsCheckingInterval: 100 } });
  limitHeaders(app);
  app.get("/", async () => {
    reached++;
    return "page";
  });
  port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

/** Writes the lines and returns what is answered until the server closes the connection. */
async function send(lines: string[], pauseMs = 0): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1")));
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  for (const line of lines) {
    if (socket.destroyed) break;
    socket.write(`${line}\r\n`);
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await closed;
  return text;
}
const start = ["GET / HTTP/1.1", "host: localhost", "connection: close"];
const many = (count: number) => Array.from({ length: count }, (_, nth) => `x-${nth}: 1`);
const status = (text: string) => text.split(" ")[1];

describe("headers", () => {
  it("are accepted up to the limit", async () => {
    expect(status(await send([...start, ...many(maxHeaders - 2), ""]))).toBe("200");
  });

  it.each([maxHeaders - 1, 1500])("that are too many are refused: %i more", async (count) => {
    expect(status(await send([...start, ...many(count), ""]))).toBe("431");
    expect(reached).toBe(0);
  });

  it("that are short and thousands are refused, instead of dropping the last, which a proxy adds", async () => {
    const short = Array.from({ length: 2500 }, () => "a:b");
    expect(status(await send([...start, ...short, "x-forwarded-for: 198.51.100.7", ""]))).toBe("431");
    expect(reached).toBe(0);
  });

  it.each(["x-large: ", "cookie: ", "GET /"])("that are too large are refused: %s", async (head) => {
    const large = `${head}${"y".repeat(20_000)}`;
    const lines = head.startsWith("GET") ? [`${large} HTTP/1.1`, "host: localhost", ""] : [...start, large, ""];
    expect(status(await send(lines))).toBe("431");
    expect(reached).toBe(0);
  });

  it("that never end are cut off, although a line comes again and again", async () => {
    const began = Date.now();
    const text = await send([...start, ...many(100)], 50);
    expect(Date.now() - began).toBeLessThan(3000);
    expect(status(text)).toBe("408");
    expect(reached).toBe(0);
  });

  it("of which not even the first line comes are cut off", async () => {
    const began = Date.now();
    await send(["GET"]);
    expect(Date.now() - began).toBeLessThan(3000);
  });
});
