import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../apps/server/src/platform/database/database.ts";
import type { Database } from "../apps/server/src/platform/database/database.ts";
import { notifyClients } from "../apps/server/src/platform/events/events.ts";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { newId } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { Product } from "@arcada/testing/setup/product-process";
import type { Figure } from "./lib/figure-table.ts";
import { createInstitutions, percentile, type Institution } from "./live-events.ts";
import { instantNow, StreamReaders } from "./peers/stream-readers.ts";

const streamCounts = (process.env.ARCADA_BENCH_STREAMS ?? "2000,5000").split(",").map(Number);
const readersEach = 10;
/** A process holds this many streams or readers at most: systems allow some 20,000 open files for each. */
const streamsPerProcess = 10_000;
const settleMs = 20_000;

/**
 * Measures what signed-in streams cost one process (two beyond 10,000 streams) in memory, how soon an event reaches all
 * of them, and how soon they are back when one of two processes is killed.
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
    const institutions = await createInstitutions(database, Math.ceil(Math.max(...streamCounts) / readersEach));
    const figures: Figure[] = [];
    for (const count of streamCounts)
      figures.push(...(await measureMemory(products, { count, institutions, database, say })));
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
  products: readonly Product[],
  { count, institutions, database, say }: Run & { database: Database },
): Promise<Figure[]> {
  const used = products.slice(0, Math.ceil(count / streamsPerProcess));
  const megabytes = () => used.reduce((sum, { pid }) => sum + readMegabytes(pid), 0);
  const before = megabytes();
  const readers = await openReaders(
    count,
    institutions,
    used.map(({ port }) => port),
  );
  await sleep(settleMs);
  const open = megabytes();
  const latencies = await measureDelivery(database, institutions.slice(0, Math.ceil(count / readersEach)), readers);
  await askAll(readers, (each) => each.ask("leave", {}));
  for (const each of readers) each.stop();
  await sleep(settleMs);
  const after = megabytes();
  const where = used.length === 1 ? "one process" : "two processes";
  say(`${count} streams in ${where}: ${before} MB before, ${open} MB open, ${after} MB after they left`);
  return [
    { what: `memory of each of ${count} streams in ${where}`, ours: (1000 * (open - before)) / count, unit: "kB" },
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
async function measureDelivery(
  database: Database,
  institutions: Institution[],
  readers: StreamReaders[],
): Promise<number[]> {
  const latencies: number[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const id = newId();
    const arrivals = askAll(readers, (each) => each.ask("waitFor", { id }));
    await sleep(500);
    const began = instantNow();
    const to = institutions.map(({ iid }) => iid);
    await database.asSystem((db) => notifyClients(db, { institutions: to }, "order", id));
    for (const each of await arrivals) latencies.push(...each.map((at) => at - began));
  }
  return latencies;
}

async function measureKill([first, second]: readonly [Product, Product], { count: wanted, institutions, say }: Run) {
  const count = Math.min(wanted, streamsPerProcess);
  const readers = await openReaders(count, institutions, [first.port, second.port]);
  // A heartbeat brings each reader to the newest position.
  await sleep(settleMs);
  const returned = askAll(readers, (each) => each.ask("comeBack", { from: first.port, to: second.port }));
  await sleep(500);
  const began = instantNow();
  await first.kill();
  const told = await returned;
  const times = told.flatMap(({ at }) => at.map((instant) => instant - began));
  const reloads = told.reduce((sum, each) => sum + each.reloads, 0);
  say(`${times.length} streams were back ${Math.round(Math.max(...times))} ms after the kill, ${reloads} load again`);
  for (const each of readers) each.stop();
  return [50, 95, 100].map((percent): Figure => ({
    what: `${times.length} streams at the other process after a kill, p${percent}`,
    ours: percentile(times, percent),
    unit: "ms",
    ...(percent === 95 && { goal: { most: 2000 } }),
  }));
}

/** Opens this many streams, ten for each institution, from as many processes of readers as are needed. */
async function openReaders(count: number, institutions: Institution[], ports: number[]): Promise<StreamReaders[]> {
  const tokens = Array.from(
    { length: count },
    (_, index) => institutions[index % Math.ceil(count / readersEach)].token,
  );
  const readers: StreamReaders[] = [];
  for (let from = 0; from < count; from += streamsPerProcess) {
    const each = new StreamReaders();
    readers.push(each);
    await each.ask("open", { tokens: tokens.slice(from, from + streamsPerProcess), ports });
  }
  return readers;
}

const askAll = <T>(readers: StreamReaders[], ask: (each: StreamReaders) => Promise<T>): Promise<T[]> =>
  Promise.all(readers.map(ask));

const readMegabytes = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024);
