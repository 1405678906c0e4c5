import { connect, createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it, vi } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { noticeCalls } from "@arcada/contract/notice/notice.calls";
import type { LiveEvent } from "@arcada/contract/notice/live-topics";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { sessionCalls } from "@arcada/contract/account/session.calls";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { notifyClients } from "../../apps/server/src/platform/events/events.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { createDatabaseUrl } from "@arcada/testing/setup/database-url";
import { Product } from "@arcada/testing/setup/product-process";
import { present } from "@arcada/testing/require-present";
import { scaleToIdleMachine } from "@arcada/testing/tools/idle-machine-time";

/** One person may open fifty streams in a process, and all of these end at one of them. */
const readerCount = 40;
const products: Product[] = [];
const killed: { remove(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of killed.toReversed()) await one.remove();
  for (const product of products) await product.stop();
  await products[0]?.remove();
});

it("two processes publish the events of either to every tab; a session ended in one ends its streams in the other; a stopped process closes its streams", async () => {
  const DATABASE_URL = await createDatabaseUrl();
  const SECRET_KEY = "a-key-that-all-processes-share-0123";
  const first = new Product({ DATABASE_URL, SECRET_KEY });
  const second = new Product({ DATABASE_URL, SECRET_KEY, ARCADA_ROLE: "web", DATA_DIR: first.folder });
  products.push(first, second);
  await first.start();
  await second.start();
  const registered = await first.register("live@processes.test", "clinicManager");
  const institution = await first.call(
    institutionCalls.create,
    { name: "Live", type: "clinic", country: "CN" },
    { token: registered },
  );
  const { token } = await first.call(institutionCalls.switch, { iid: institution.id }, { token: registered });
  const tabs = [
    await openTab(first.address, token),
    await openTab(second.address, token),
    await openTab(second.address, token),
  ];
  for (const at of [first, second]) {
    const patient = await at.call(
      patientCalls.create,
      { name: "直播", sex: "other", birthDate: "1990-01-01", evenIfDuplicate: true },
      { token },
    );
    for (const { text } of tabs) await vi.waitFor(() => expect(text()).toContain(patient.id), { timeout: 5000 });
    await at.call(noticeCalls.switchConfig, { kind: "orderMoved", channel: "email", on: at === first }, { token });
  }
  for (const { text } of tabs) await vi.waitFor(() => expect(text().match(/"notice"/g)).toHaveLength(2));

  await first.stop();
  expect(await tabs[0].ended).toBe("closed");
  const began = Date.now();
  await second.call(sessionCalls.logout, {}, { token });
  expect(await Promise.all([tabs[1].ended, tabs[2].ended])).toEqual(["closed", "closed"]);
  expect(scaleToIdleMachine(Date.now() - began)).toBeLessThan(1200);
});

it(
  "a reader whose process is killed is at another one within two seconds, and misses no event and loads nothing again",
  { timeout: 120_000 },
  async () => {
    const { webs, publish, token } = await startTwoWebs();
    const proxy = await startRoundRobin(webs);
    const readers = Array.from({ length: readerCount }, () => new StreamReader(proxy.address, token));
    for (const reader of readers) void reader.run();
    await vi.waitFor(() => expect(readers.every(({ isOpen }) => isOpen)).toBe(true), { timeout: 20_000 });
    const published: string[] = [];
    const publishing = setInterval(() => published.push(publish()), 20);
    await sleep(1000);
    await webs[0].kill();
    await sleep(3000);
    clearInterval(publishing);
    for (const { ids } of readers)
      await vi.waitFor(() => expect(new Set(ids)).toEqual(new Set(published)), { timeout: 10_000 });
    expect(readers.flatMap(({ reloads }) => reloads)).toEqual([]);
    const gaps = readers.flatMap(({ gaps: own }) => own);
    expect(gaps.length).toBeGreaterThanOrEqual(readerCount / 2);
    expect(scaleToIdleMachine(Math.max(...gaps))).toBeLessThan(2000);
    for (const reader of readers) reader.stop();
    proxy.close();
  },
);

/** Two web processes with one database, a person of one institution, and a function that publishes an event to it. */
async function startTwoWebs() {
  const DATABASE_URL = await createDatabaseUrl();
  const SECRET_KEY = "a-key-that-all-processes-share-0123";
  const first = new Product({ DATABASE_URL, SECRET_KEY, ARCADA_ROLE: "web" });
  const second = new Product({ DATABASE_URL, SECRET_KEY, ARCADA_ROLE: "web", DATA_DIR: first.folder });
  const webs = [first, second] as const;
  killed.push(...webs);
  await webs[0].start();
  await webs[1].start();
  const registered = await webs[0].register("killed@processes.test", "clinicManager");
  const clinic = { name: "Killed", type: "clinic", country: "CN" } as const;
  const institution = await webs[0].call(institutionCalls.create, clinic, { token: registered });
  const { token } = await webs[0].call(institutionCalls.switch, { iid: institution.id }, { token: registered });
  const database = openDatabase({ connectionString: DATABASE_URL }, 2);
  killed.push({ remove: () => database.close() });
  const publish = (): string => {
    const id = newId();
    void database.asSystem((db) => notifyClients(db, { institutions: [institution.id] }, "order", id));
    return id;
  };
  return { webs, token, publish };
}

/** Passes each connection to the next process in turn, and to the one after it if nobody listens there. */
async function startRoundRobin(webs: readonly Product[]) {
  let turn = 0;
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    const first = turn++;
    const tryNext = (tried: number): void => {
      const inner = connect(present(webs[(first + tried) % webs.length]).port, "127.0.0.1");
      const passOn = () => (tried + 1 < webs.length ? tryNext(tried + 1) : socket.destroy());
      inner.once("error", passOn);
      // A refused connection is no longer `connecting` when its error arrives.
      inner.once("connect", () => {
        inner.off("error", passOn).on("error", () => socket.destroy());
        socket.pipe(inner).pipe(socket);
      });
      inner.on("close", () => inner.bytesRead > 0 && socket.destroy());
    };
    tryNext(0);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

/** A reader of the documented stream: it comes back after the time that the server named, with the last id it read. */
class StreamReader {
  readonly ids: string[] = [];
  readonly reloads: string[] = [];
  /** The times from the break of a stream until the next one was open, in ms. */
  readonly gaps: number[] = [];
  isOpen = false;
  readonly #address: string;
  readonly #token: string;
  readonly #stopped = new AbortController();
  #position: string | null = null;
  #retryMs = 300;
  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }
  async run(): Promise<void> {
    let brokenAt: number | null = null;
    while (!this.#stopped.signal.aborted) {
      await this.#read(() => {
        if (brokenAt !== null) this.gaps.push(performance.now() - brokenAt);
      }).catch(() => {});
      if (this.isOpen) brokenAt = performance.now();
      this.isOpen = false;
      await sleep(this.#retryMs);
    }
  }
  stop(): void {
    this.#stopped.abort();
  }
  async #read(onOpen: () => void): Promise<void> {
    const headers = { token: this.#token, ...(this.#position !== null && { "last-event-id": this.#position }) };
    const response = await fetch(`${this.#address}/v1/notice/stream`, { headers, signal: this.#stopped.signal });
    if (response.status !== 200) return;
    this.isOpen = true;
    onOpen();
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of present(response.body, "body")) {
      const blocks = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    }
  }
  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(block)?.[1];
    if (field("event") === "again") this.reloads.push(block);
    else if (field("data")) this.ids.push((JSON.parse(field("data") ?? "") as LiveEvent).id);
    this.#retryMs = Number(field("retry") ?? this.#retryMs);
    this.#position = field("id") ?? this.#position;
  }
}

/** An open tab: the events that it has received, and how its stream ended. */
async function openTab(address: string, token: string): Promise<{ text: () => string; ended: Promise<string> }> {
  const response = await fetch(`${address}/v1/notice/stream`, { headers: { token } });
  let text = "";
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const bytes of present(response.body, "body"))
      text += decoder.decode(bytes as Uint8Array, { stream: true });
  };
  const ended = read().then(
    () => "closed",
    () => "broken",
  );
  return { text: () => text, ended };
}
