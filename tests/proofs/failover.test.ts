import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, expect, it } from "vitest";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { prescription } from "@arcada/testing/fixtures/patient-with-orders";
import { startDatabaseProxy } from "@arcada/testing/peers/database-proxy";
import { present } from "@arcada/testing/require-present";
import { databaseUrl } from "@arcada/testing/setup/database-url";
import { Product } from "@arcada/testing/setup/product-process";
import { startReplicatedPostgres } from "@arcada/testing/setup/replicated-postgres";
import { TestServer } from "@arcada/testing/setup/test-server";
import type { TestUser } from "@arcada/testing/setup/test-server";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import type { RunningServer } from "../../apps/server/src/start.ts";

const isFull = process.env.ARCADA_PROOF === "full";
/** The people who move an order back and forth, and the steps of all of them before the primary is lost. */
const people = isFull ? 20 : 4;
const stepsBefore = isFull ? 1000 : 40;
const uploadsInFlight = isFull ? 200 : 8;
/** The time from the loss of the primary to the first acknowledged step on the other server. */
const toleratedMs = 30_000;
/** The time that the tool behind the address takes to notice the loss. */
const noticeMs = 2000;

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

it(
  `loses nothing of ${stepsBefore} acknowledged steps and ${uploadsInFlight} uploads when the primary dies, and goes on at the replica within ${toleratedMs / 1000} s`,
  { timeout: isFull ? 900_000 : 240_000 },
  async () => {
    const servers = await startReplicatedPostgres({ isSynchronous: true });
    closing.push(() => servers.stop());
    const address = await startDatabaseProxy(databaseUrl(servers.primary.connection));
    closing.push(() => address.breaks());
    const product = new Product({ DATABASE_URL: address.url });
    closing.push(() => product.remove());
    await product.start();
    const { clinic, lab, orders } = await openOrders(product, servers.primary.connection);
    const work: Work = {
      product,
      isOver: false,
      acknowledgedAt: [],
      versions: new Map(),
      uploads: new Set(),
      begun: 0,
      lost: [],
    };
    const steppers = orders.map((order) => stepUntilOver(work, order, clinic, lab));
    await expect.poll(() => work.acknowledgedAt.length, { timeout: 300_000 }).toBeGreaterThanOrEqual(stepsBefore);
    const senders = Array.from({ length: uploadsInFlight }, () => upload(work, clinic));
    await expect.poll(() => work.begun, { timeout: 120_000 }).toBe(uploadsInFlight);

    const lostAt = performance.now();
    await servers.primary.kill();
    await sleep(noticeMs);
    await servers.promote();
    const promotionMs = performance.now() - lostAt;
    address.pointTo(databaseUrl(servers.replica.connection));
    await expect.poll(() => present(work.acknowledgedAt.at(-1)) > lostAt + promotionMs, { timeout: 60_000 }).toBe(true);
    const outageMs = present(work.acknowledgedAt.find((at) => at > lostAt + promotionMs)) - lostAt;
    await Promise.all(senders);
    work.isOver = true;
    await Promise.all(steppers);

    const lost = [...work.lost, ...(await findLostSteps(work, clinic)), ...(await findLostUploads(work, clinic))];
    console.info(
      `failover: ${work.acknowledgedAt.filter((at) => at < lostAt).length} steps acknowledged before, ${work.acknowledgedAt.filter((at) => at > lostAt).length} after, ${work.uploads.size} uploads, ${Math.round(outageMs)} ms without an answer, of which ${Math.round(promotionMs)} until the promotion was done; lost ${lost.length}`,
    );
    expect(lost).toEqual([]);
    expect(work.uploads.size).toBe(uploadsInFlight);
    expect(outageMs).toBeLessThan(toleratedMs);
  },
);

interface Work {
  product: Product;
  isOver: boolean;
  /** The instants at which a step was acknowledged. */
  acknowledgedAt: number[];
  /** The version of each order that was acknowledged last. */
  versions: Map<string, number>;
  /** The uploads of which the last byte was acknowledged. */
  uploads: Set<string>;
  /** The number of uploads of which the creation was acknowledged. */
  begun: number;
  /** Uploads that were acknowledged and are unknown now. */
  lost: string[];
}
type Member = Pick<TestUser, "token">;
interface OrderState {
  version: number;
  infoRequest: string | null;
}

/** A clinic and a lab that work with each other, and orders at the lab; written where that is quicker than the calls. */
async function openOrders(product: Product, connection: pg.PoolConfig) {
  const database = openDatabase(connection, 1);
  const made = new TestServer({ database, address: product.address } as RunningServer);
  const clinic = await made.createUser("clinicAdmin", await made.createInstitution("clinic"));
  const lab = await made.createUser("factoryAdmin", await made.createInstitution("lab"));
  await database.close();
  const asked = await lab.call("relation.step", { action: "request", iid: clinic.iid });
  await clinic.call("relation.step", { action: "accept", id: asked.id });
  const patient = await clinic.call("patient.create", { name: "Failover", sex: "other", birthDate: "1990-01-01" });
  const orders: string[] = [];
  for (let number = 0; number < people; number++)
    orders.push((await clinic.call("order.save", { ...prescription(patient.id, lab.iid), send: true })).id);
  return { clinic, lab, orders };
}

/** A lab asks and the clinic answers, again and again; after a failed call, both see first what the order is now. */
async function stepUntilOver(work: Work, id: string, clinic: Member, lab: Member): Promise<void> {
  const { product } = work;
  const read = () => ask<OrderState>(() => product.ask(orderCalls.detail, { id }, { token: clinic.token }));
  let order: OrderState | null = null;
  while (!work.isOver) {
    order ??= await read();
    order = order && (await step(product, id, order, order.infoRequest === null ? lab : clinic));
    if (!order) continue;
    work.versions.set(id, order.version);
    work.acknowledgedAt.push(performance.now());
  }
}

function step(product: Product, id: string, { version, infoRequest }: OrderState, { token }: Member) {
  const action = infoRequest === null ? "requestInfo" : "supplyInfo";
  return ask<OrderState>(() => product.ask(orderCalls.step, { id, version, action, text: "A2?" }, { token }));
}

/** Returns the data of an answer; null after a pause, if there is none. */
async function ask<T>(call: () => Promise<{ code: number; data: T | null }>): Promise<T | null> {
  const answer = await call().catch(() => null);
  if (answer?.code === 200) return answer.data;
  await sleep(100);
  return null;
}

const partBytes = 16_384;
const parts = 8;

/** Sends a file in parts, again from the offset that the server names after each failure. */
async function upload(work: Work, { token }: Member): Promise<void> {
  const bytes = randomBytes(partBytes * parts);
  const headers = { token, "tus-resumable": "1.0.0" };
  const metadata = `filename ${Buffer.from("part.bin").toString("base64")}`;
  let place: string | null = null;
  while (place === null) {
    const length = { "upload-length": String(bytes.length), "upload-metadata": metadata };
    const made = await send(`${work.product.address}/uploads`, { method: "POST", headers: { ...headers, ...length } });
    if (made?.status === 201) place = new URL(present(made.headers.get("location")), work.product.address).href;
  }
  work.begun += 1;
  for (;;) {
    const head = await send(place, { method: "HEAD", headers });
    if (head?.status === 404) return void work.lost.push(`upload ${place}`);
    const offset = Number(head?.headers.get("upload-offset") ?? Number.NaN);
    if (offset === bytes.length) break;
    if (Number.isNaN(offset)) continue;
    const body = bytes.subarray(offset, offset + partBytes);
    const type = { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
    await send(place, { method: "PATCH", headers: { ...headers, ...type }, body });
    await sleep(200);
  }
  work.uploads.add(place);
}

/** Returns the answer; null after a pause, if there is none or the server cannot give one now. */
async function send(address: string, request: RequestInit): Promise<Response | null> {
  const answer = await fetch(address, request).catch(() => null);
  if (answer && (answer.ok || answer.status === 404)) return answer;
  await sleep(100);
  return null;
}

async function findLostSteps({ product, versions }: Work, { token }: Member): Promise<string[]> {
  const lost: string[] = [];
  for (const [id, version] of versions) {
    const order = await product.call(orderCalls.detail, { id }, { token });
    if (order.version < version) lost.push(`order ${id}: ${version}, and now ${order.version}`);
  }
  return lost;
}

async function findLostUploads({ uploads }: Work, { token }: Member): Promise<string[]> {
  const lost: string[] = [];
  for (const place of uploads) {
    const head = await fetch(place, { method: "HEAD", headers: { token, "tus-resumable": "1.0.0" } });
    if (head.headers.get("upload-offset") !== String(partBytes * parts)) lost.push(place);
  }
  return lost;
}
