import { createServer, connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { buildRequest, buildResponse, commands, readCommand } from "./command-set.ts";
import { createMessageChannel } from "./message-channel.ts";
import { encodePdu } from "./pdu.ts";
import { readPdus } from "./pdu-reader.ts";

const open: { close(): void }[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const one of open.splice(0)) one.close();
});
async function connectPair(): Promise<[Socket, Socket]> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const near = connect({ port, host: "127.0.0.1" });
  const far = await accepted;
  for (const socket of [near, far]) socket.on("error", () => {});
  open.push({
    close: () => {
      for (const socket of [near, far]) socket.destroy();
      server.close();
    },
  });
  return [near, far];
}
const store = { field: commands.store, sopClass: "1.2", sopInstance: "1.2.3" };

it("an object may be longer on its way than a peer may take to answer", async () => {
  const [near, far] = await connectPair();
  far.resume();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const channel = createMessageChannel(near, 0, []);
  const slow = Promise.withResolvers<void>();
  async function* pieces() {
    yield Buffer.alloc(100);
    await slow.promise;
    yield Buffer.alloc(100);
  }
  const answer = channel.request(1, store, pieces());
  await vi.advanceTimersByTimeAsync(300_000);
  slow.resolve();
  await vi.advanceTimersByTimeAsync(59_000);
  const response = buildResponse(readCommand(buildRequest({ ...store, message: 1, hasDataSet: false })), "success");
  channel.respond(readCommand(response));
  expect((await answer).status).toBe(0);
});

it("an object whose bytes end early ends the association, so that nothing is taken for the rest of it", async () => {
  const [near, far] = await connectPair();
  far.resume();
  const channel = createMessageChannel(near, 0, []);
  async function* pieces() {
    yield Buffer.alloc(200_000);
    throw new Error("the disk is broken");
  }
  await expect(channel.request(1, store, pieces())).rejects.toThrow("the disk is broken");
  await expect(channel.request(1, store, Buffer.alloc(10))).rejects.toThrow("ended");
});

it("a peer may be silent while it is sent something or is answered, and no longer", async () => {
  const timeouts = { firstMs: 200, betweenMs: 200, withinMs: 200 };
  const [near, far] = await connectPair();
  far.resume();
  const units = readPdus(near, 1000, timeouts);
  const first = units.next();
  for (let place = 0; place < 8; place++) {
    near.write(Buffer.alloc(1000));
    await wait(60);
  }
  far.write(encodePdu("releaseRequest"));
  expect((await first).value).toMatchObject({ type: 5 });
  await expect(units.next()).rejects.toThrow("too slow");

  const [other, peer] = await connectPair();
  let isAnswered = false;
  const patient = readPdus(other, 1000, { ...timeouts, mayBeSilent: () => !isAnswered });
  const unit = patient.next();
  await wait(500);
  isAnswered = true;
  peer.write(encodePdu("releaseRequest"));
  expect((await unit).value).toMatchObject({ type: 5 });
  await expect(patient.next()).rejects.toThrow("too slow");
});
