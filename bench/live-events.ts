import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import type pg from "pg";
import { openDatabase } from "../apps/server/src/platform/database/database.ts";
import type { Database } from "../apps/server/src/platform/database/database.ts";
import { notifyClients } from "../apps/server/src/platform/events/events.ts";
import { newDigits, newId, newSecret, secretHash } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { Product } from "@arcada/testing/setup/product-process";
import type { BareEvent, BareListen } from "./peers/bare-listen.ts";
import { roundSeconds } from "./lib/figure-table.ts";
import type { Figure } from "./lib/figure-table.ts";
import { startPeer } from "./peers/peer-process.ts";

const institutionCount = 50;
const readersEach = 10;
const eventsPerSecond = 40;
const rounds = 3;

export interface Institution {
  iid: string;
  token: string;
}
/** Notifies the readers of these institutions, by one committed transaction. */
type Publish = (to: string[], id: string) => Promise<unknown>;
interface PublishRun {
  publish: Publish;
  latencies: { few: number[]; all: number[] };
}

/**
 * Measures the latency from before the publishing transaction until the reader has the event, over 500 streams at two
 * processes on one database.
 */
export async function measureEvents(): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-bench-events-"));
  const postgres = await startPostgres({ folder: path.join(folder, "postgres") });
  const { host, port, user, database: name } = postgres.connection;
  const shared = {
    NODE_ENV: "production",
    DATABASE_URL: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(String(host))}&port=${port}`,
    SECRET_KEY: "a-key-that-all-processes-share-0123",
  };
  const first = new Product(shared);
  const products = [first, new Product({ ...shared, ARCADA_ROLE: "web", DATA_DIR: first.folder })];
  const peers = [await startBarePeer(postgres.connection), await startBarePeer(postgres.connection)];
  try {
    for (const product of products) await product.start();
    const database = openDatabase(postgres.connection, 4);
    const all = await createInstitutions(database, institutionCount);
    const arrivals = new ArrivalRecorder();
    const closeOurs = await openStreams(all, products, arrivals);
    const closeBare = await openSockets(all, peers, arrivals);
    const publishRuns = { ours: newRun(publishOurs(database)), bare: newRun(publishBare(database)) };
    for (let round = 0; round < rounds; round++)
      for (const key of round % 2 === 0 ? (["ours", "bare"] as const) : (["bare", "ours"] as const))
        await measureRound(publishRuns[key], all, arrivals);
    closeOurs();
    closeBare();
    await database.close();
    return figuresOf(publishRuns.ours, publishRuns.bare);
  } finally {
    for (const peer of peers) await peer.stop();
    for (const product of products) await product.remove();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const startBarePeer = (connection: pg.PoolConfig) => startPeer("bare-listen.ts", { connection } satisfies BareListen);
const newRun = (tell: Publish): PublishRun => ({ publish: tell, latencies: { few: [], all: [] } });
const publishOurs =
  (database: Database): Publish =>
  (to, id) =>
    database.asSystem((db) => notifyClients(db, { institutions: to }, "order", id));
const publishBare =
  (database: Database): Publish =>
  (to, id) =>
    database.asSystem((db) =>
      sql`select pg_notify('bare_events', ${JSON.stringify({ to, id } satisfies BareEvent)})`.execute(db),
    );

/** Records the start of each event and its latency (ms) for each reader. */
class ArrivalRecorder {
  readonly #began = new Map<string, { at: number; into: number[] }>();
  missing = 0;
  begin(id: string, readers: number, into: number[]): void {
    this.missing += readers;
    this.#began.set(id, { at: performance.now(), into });
  }
  record(id: string): void {
    const event = this.#began.get(id);
    if (!event) return;
    event.into.push(performance.now() - event.at);
    this.missing -= 1;
  }
  async complete(): Promise<void> {
    for (let wait = 0; this.missing > 0 && wait < 500; wait++) await pause(20);
    if (this.missing > 0) throw new Error(`${this.missing} events did not arrive`);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Publishes events at a steady rate for two institutions each, then a few for all. */
async function measureRound(
  { publish: tell, latencies }: PublishRun,
  all: Institution[],
  arrivals: ArrivalRecorder,
): Promise<void> {
  const send = async (to: Institution[], into: number[]) => {
    const id = newId();
    arrivals.begin(id, to.length * readersEach, into);
    await tell(
      to.map(({ iid }) => iid),
      id,
    );
  };
  for (let turn = 0; turn < roundSeconds * eventsPerSecond; turn++) {
    void send([all[turn % institutionCount], all[(turn + 13) % institutionCount]], latencies.few);
    await pause(1000 / eventsPerSecond);
  }
  await arrivals.complete();
  for (let turn = 0; turn < 20; turn++) {
    await send(all, latencies.all);
    await pause(100);
  }
  await arrivals.complete();
}

async function openStreams(all: Institution[], products: Product[], arrivals: ArrivalRecorder): Promise<() => void> {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const open = (address: string, token: string) =>
    new Promise<void>((resolve, reject) => {
      get(`${address}/v1/notice/stream`, { agent, headers: { token } }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`a stream answered ${answer.statusCode}`));
        answer.on("data", createListener(arrivals)).on("error", () => {});
        resolve();
      }).on("error", reject);
    });
  for (const { token } of all)
    await Promise.all(
      Array.from({ length: readersEach }, (_, reader) => open(products[reader % products.length].address, token)),
    );
  return () => agent.destroy();
}

async function openSockets(
  all: Institution[],
  peers: { address: string }[],
  arrivals: ArrivalRecorder,
): Promise<() => void> {
  const sockets = all.flatMap(({ iid }) =>
    Array.from({ length: readersEach }, (_, reader) => {
      const socket = connect(Number(peers[reader % peers.length].address), "127.0.0.1");
      socket.on("data", createListener(arrivals)).write(`${iid}\n`);
      return socket;
    }),
  );
  await pause(500);
  return () => sockets.forEach((socket) => socket.destroy());
}

const createListener = (arrivals: ArrivalRecorder) => (bytes: Buffer) => {
  for (const [, id] of bytes.toString().matchAll(/"id":"([^"]+)"/g)) arrivals.record(id);
};

/** Creates institutions with one signed-in person each. */
export async function createInstitutions(database: Database, count: number): Promise<Institution[]> {
  const all = Array.from({ length: count }, () => ({ iid: newId(), uid: newId(), token: newSecret() }));
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  await database.asSystem(async (db) => {
    for (const { iid, uid, token } of all) {
      const place = { institution_id: iid, user_id: uid, authority_id: 222 };
      await db.insertInto("users").values({ id: uid, nick_name: "reader" }).execute();
      await db
        .insertInto("institution")
        .values({ id: iid, number: newDigits(8), name: "Clinic", type: "clinic", country: "CN", created_by: uid })
        .execute();
      await db
        .insertInto("membership")
        .values({ id: newId(), state: "normal", ...place })
        .execute();
      await db
        .insertInto("session")
        .values({
          id: newId(),
          chain: newId(),
          token_hash: secretHash(token),
          kind: "api",
          expires_at: expires,
          ...place,
        })
        .execute();
    }
  });
  return all;
}

function figuresOf(ours: PublishRun, peer: PublishRun): Figure[] {
  const what = "LISTEN and a plain socket";
  const rows = (["few", "all"] as const).flatMap((which) =>
    ([50, 95, 99] as const).map((percent): Figure => ({
      what: `event from its transaction to ${which === "few" ? "20" : "all"} of 500 streams at two processes, p${percent}`,
      ours: percentile(ours.latencies[which], percent),
      peer: { what, value: percentile(peer.latencies[which], percent) },
      unit: "ms",
      ...(percent === 95 && { goal: { most: 300 }, goalOf: "figure" as const }),
    })),
  );
  return rows;
}

export const percentile = (values: number[], percent: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
};
