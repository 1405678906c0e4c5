import { connect, type Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { limitSlowBodies } from "./slow-bodies.ts";

const limits = { stallTimeoutMs: 300, bodyTimeoutMs: 1500 };
let app: FastifyInstance;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

async function server(connectionTimeout = 0): Promise<number> {
  app = Fastify({ connectionTimeout });
  limitSlowBodies(app, limits);
  app.post("/json", async () => "taken");
  app.addContentTypeParser("application/octet-stream", (_request, _body, done) => done(null));
  app.put("/file", { config: { bodyMayLast: true } }, async ({ raw }) => {
    let bytes = 0;
    for await (const piece of raw) bytes += (piece as Buffer).length;
    return String(bytes);
  });
  app.put("/slow-server", { config: { bodyMayLast: true } }, async ({ raw }) => {
    await pause(limits.stallTimeoutMs * 3);
    for await (const _ of raw);
    return "late";
  });
  app.get("/large", async () => Buffer.alloc(50_000_000));
  return Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Line {
  socket: Socket;
  /** All that was answered when the connection ends, and after how long. */
  ended: Promise<{ text: string; ms: number }>;
}
function open(port: number, head: string): Line {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  const began = Date.now();
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString("latin1").slice(0, 1000)));
  socket.on("error", () => {});
  socket.write(`${head}\r\nhost: localhost\r\n`);
  return {
    socket,
    ended: new Promise((resolve) => socket.once("close", () => resolve({ text, ms: Date.now() - began }))),
  };
}
const json = "POST /json HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 1000";
const file = (path: string) => `PUT ${path} HTTP/1.1\r\ncontent-type: application/octet-stream\r\ncontent-length: 30`;
/** A byte, again and again. */
async function drip({ socket }: Line, times: number): Promise<void> {
  for (let time = 0; time < times && !socket.destroyed; time++) {
    socket.write(" ");
    await pause(limits.stallTimeoutMs / 3);
  }
}

describe("a request's body", () => {
  it("that sends no more bytes is ended with 408", async () => {
    const line = open(await server(), json);
    line.socket.write("\r\n{");
    expect((await line.ended).text).toMatch(/^HTTP\/1.1 408 /);
  });
  it("of JSON has a total time limit, however it drips", async () => {
    const line = open(await server(), json);
    line.socket.write("\r\n");
    await drip(line, 60);
    const { text, ms } = await line.ended;
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(ms).toBeGreaterThan(limits.bodyTimeoutMs / 2);
  });
  it("of a file continues as long as it makes progress", async () => {
    const line = open(await server(), file("/file"));
    line.socket.write("connection: close\r\n\r\n");
    await drip(line, 30);
    const { text, ms } = await line.ended;
    expect(text).toMatch(/^HTTP\/1.1 200 [^]*\r\n30$/);
    expect(ms).toBeGreaterThan(limits.bodyTimeoutMs);
  });
  it("that the server has not read yet does not count as its sender's delay", async () => {
    const line = open(await server(), file("/slow-server"));
    line.socket.write(`connection: close\r\n\r\n${"x".repeat(30)}`);
    expect((await line.ended).text).toMatch(/late$/);
  });
  it("after an answer is not read for long", async () => {
    const line = open(await server(), json.replace("/json", "/nowhere"));
    line.socket.write("\r\n");
    await drip(line, 60);
    expect((await line.ended).ms).toBeLessThan(limits.bodyTimeoutMs * 3);
  });
});

it("an answer that the client does not read is cut off", async () => {
  const line = open(await server(500), "GET /large HTTP/1.1");
  line.socket.write("\r\n");
  line.socket.pause();
  await expect.poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))).toBe(0);
});
