import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../apps/server/src/platform/database/database.ts";
import type { Database } from "../apps/server/src/platform/database/database.ts";
import { notifyClients } from "../apps/server/src/platform/events/events.ts";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { newId } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { startDatabaseProxy } from "@arcada/testing/peers/database-proxy";
import { Product } from "@arcada/testing/setup/product-process";
import type { Figure } from "./lib/figure-table.ts";
import { createInstitutions, percentile, type Institution } from "./live-events.ts";

const streamCounts = (process.env.ARCADA_BENCH_STREAMS ?? "2000,5000").split(",").map(Number);
const readersEach = 10;
/** The number of streams that are opened at once. */
const openedAtOnce = 100;
const settleMs = 20_000;
/** The streams whose sessions nobody ends, and the time for which their process is watched. */
const checkedStreams = 1000;
const watchedMs = 60_000;

/**
 * Measures what signed-in streams cost one process in memory, and how soon they are back when their process is killed:
 * half of the greatest number are at each of two processes then. Every reader is a socket without a library, so that
 * this process can hold as many. 20,000 streams need a limit of 45,000 open files.
 */
export async function measureStreams(say: (line: string) => void): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-bench-streams-"));
  const postgres = await startPostgres({ folder: path.join(folder, "postgres") });
  const { host, port, user, database: name } = postgres.connection;
  const shared = {
    NODE_ENV: "production",
    DATABASE_URL: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(String(host))}&port=${port}`,
    SECRET_KEY: "a-key-that-all-processes-share-0123",
    ARCADA_ROLE: "web",
  };
  const first = new Product(shared);
  const products = [first, new Product({ ...shared, DATA_DIR: first.folder })] as const;
  const database = openDatabase(postgres.connection, 4);
  try {
    for (const product of products) await product.start();
    const institutions = await createInstitutions(
      database,
      Math.ceil(Math.max(checkedStreams, ...streamCounts) / readersEach),
    );
    const figures: Figure[] = [];
    for (const count of streamCounts)
      figures.push(...(await measureMemory(products[0], { count, institutions, database, say })));
    figures.push(
      ...(await measureSessionChecks(
        { ...shared, DATA_DIR: first.folder },
        { count: checkedStreams, institutions, say },
      )),
    );
    return [...figures, ...(await measureKill(products, { count: Math.max(...streamCounts), institutions, say }))];
  } finally {
    await database.close();
    for (const product of products) await product.remove();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Run {
  count: number;
  institutions: Institution[];
  say: (line: string) => void;
}

async function measureMemory(
  product: Product,
  { count, institutions, database, say }: Run & { database: Database },
): Promise<Figure[]> {
  const before = readMegabytes(product.pid);
  const readers = createReaders(count, institutions);
  await openAll(readers, () => product.port);
  await sleep(settleMs);
  const open = readMegabytes(product.pid);
  const latencies = await measureDelivery(database, institutions, readers);
  for (const reader of readers) reader.leave();
  await sleep(settleMs);
  const after = readMegabytes(product.pid);
  say(`${count} streams in one process: ${before} MB before, ${open} MB open, ${after} MB after they left`);
  return [
    { what: `memory of each of ${count} streams in one process`, ours: (1000 * (open - before)) / count, unit: "kB" },
    { what: `memory kept after ${count} streams left`, ours: after - before, unit: "MB" },
    {
      what: `one event to all of ${count} streams, p95`,
      ours: percentile(latencies, 95),
      unit: "ms",
      goal: { most: 250 },
    },
  ];
}

/** Publishes ten events to the institutions of all readers. Returns the time until each reader has each, in ms. */
async function measureDelivery(database: Database, institutions: Institution[], readers: Reader[]): Promise<number[]> {
  const to = institutions.slice(0, Math.ceil(readers.length / readersEach)).map(({ iid }) => iid);
  const latencies: number[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const [id, began] = [newId(), performance.now()];
    const arrivals = readers.map((reader) => reader.waitFor(id).then(() => latencies.push(performance.now() - began)));
    await database.asSystem((db) => notifyClients(db, { institutions: to }, "order", id));
    await Promise.all(arrivals);
  }
  return latencies;
}

/** Measures what a process with idle streams sends to the database: most of it is about their sessions. */
async function measureSessionChecks(
  environment: Record<string, string> & { DATABASE_URL: string },
  { count, institutions, say }: Run,
): Promise<Figure[]> {
  const line = await startDatabaseProxy(environment.DATABASE_URL);
  const product = new Product({ ...environment, DATABASE_URL: line.url });
  const countBytes = async (): Promise<number> => {
    const before = line.countSentBytes();
    await sleep(watchedMs);
    return line.countSentBytes() - before;
  };
  try {
    await product.start();
    const readers = createReaders(count, institutions);
    const idle = await countBytes();
    await openAll(readers, () => product.port);
    await sleep(settleMs);
    const busy = await countBytes();
    for (const reader of readers) reader.leave();
    say(`${count} idle streams: ${busy} bytes to the database in ${watchedMs / 1000} s, ${idle} without streams`);
    return [
      { what: `sent to the database in a minute for ${count} idle streams`, ours: (busy - idle) / 1000, unit: "kB" },
    ];
  } finally {
    await product.remove();
    await line.breaks();
  }
}

async function measureKill([first, second]: readonly [Product, Product], { count, institutions, say }: Run) {
  const readers = createReaders(count, institutions);
  await openAll(readers, (index) => (index % 2 === 0 ? first.port : second.port));
  // A heartbeat brings each reader to the newest position.
  await sleep(settleMs);
  const began = performance.now();
  const victims = readers.filter((_, index) => index % 2 === 0);
  const returned = victims.map((reader) => reader.comeBack(second.port).then(() => performance.now() - began));
  await first.kill();
  const times = await Promise.all(returned);
  const reloads = victims.filter(({ text }) => text.includes("event: again")).length;
  say(`${victims.length} streams were back ${Math.round(Math.max(...times))} ms after the kill, ${reloads} load again`);
  for (const reader of readers) reader.leave();
  return [50, 95, 100].map((percent): Figure => ({
    what: `${victims.length} streams at the other process after a kill, p${percent}`,
    ours: percentile(times, percent),
    unit: "ms",
    ...(percent === 95 && { goal: { most: 2000 } }),
  }));
}

const createReaders = (count: number, institutions: Institution[]): Reader[] =>
  Array.from({ length: count }, (_, index) => new Reader(institutions[index % Math.ceil(count / readersEach)].token));

async function openAll(readers: Reader[], findPort: (index: number) => number): Promise<void> {
  for (let at = 0; at < readers.length; at += openedAtOnce)
    await Promise.all(readers.slice(at, at + openedAtOnce).map((reader, index) => reader.open(findPort(at + index))));
}

/** A reader of the stream that comes back as a browser does. */
class Reader {
  /** The last text of the stream. */
  text = "";
  readonly #token: string;
  #socket: Socket | undefined;
  #onText: () => void = () => {};
  #retryMs = 300;
  constructor(token: string) {
    this.#token = token;
  }
  /** Resolves when the first id has arrived: the stream is open and its client has a position. */
  open(port: number, position = ""): Promise<void> {
    const socket = connect(port, "127.0.0.1");
    this.#socket = socket;
    this.text = "";
    const place = position === "" ? "" : `last-event-id: ${position}\r\n`;
    socket.on("data", (bytes: Buffer) => {
      this.text = (this.text + bytes.toString()).slice(-2000);
      this.#onText();
    });
    socket.on("error", () => {});
    socket.write(`GET /v1/notice/stream HTTP/1.1\r\nhost: 127.0.0.1\r\ntoken: ${this.#token}\r\n${place}\r\n`);
    return this.waitFor("\nid: ").then(() => {
      this.#retryMs = Number(/^retry: (\d+)$/m.exec(this.text)?.[1] ?? this.#retryMs);
    });
  }
  waitFor(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#onText = () => {
        if (this.text.includes(text)) resolve();
      };
      this.#onText();
    });
  }
  /** Opens the stream at another process when it breaks, after the time that the server named. */
  comeBack(port: number): Promise<void> {
    const position = [...this.text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? "";
    return new Promise((resolve) => {
      this.#socket?.once(
        "close",
        () =>
          void sleep(this.#retryMs)
            .then(() => this.open(port, position))
            .then(resolve),
      );
    });
  }
  leave(): void {
    this.#socket?.destroy();
  }
}

const readMegabytes = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024);
