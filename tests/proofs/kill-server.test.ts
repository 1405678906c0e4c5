import { createHash, randomBytes, randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { orderLifecycle, orderStates } from "@arcada/contract/order/order.lifecycle";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { activateCards, compareCapacity, issueCardsAsOperator } from "@arcada/testing/fixtures/capacity-cards";
import { Product } from "@arcada/testing/setup/product-process";
import { prescription } from "@arcada/testing/fixtures/patient-with-orders";
import { present } from "@arcada/testing/require-present";

const isFull = process.env.ARCADA_PROOF === "full";
const kills = isFull ? 1000 : 4;
const largest = isFull ? 20_000_000 : 4_000_000;
const product = new Product();
afterAll(() => product.remove());

const hashBytes = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** On a loaded machine a start takes longer than the pauses: without this, no order would be under way at a kill. */
async function waitForOrder(done: Acknowledged, least: number): Promise<void> {
  for (const until = Date.now() + 20_000; done.orders.size <= least && Date.now() < until;) await pause(50);
}

interface Acknowledged {
  uploads: Map<string, string>;
  orders: Map<string, number>;
}

it(`T-04: loses nothing that was acknowledged in ${kills} kills`, { timeout: kills * 30_000 }, async () => {
  await product.start();
  const clinic = await createInstitution("clinic", "clinicManager");
  const lab = await createInstitution("lab", "labManager");
  await relateInstitutions(clinic, lab);
  const patient = await product.call(
    patientCalls.create,
    { name: "Kill Test", sex: "other", birthDate: "1990-01-01" },
    { token: clinic.token },
  );
  const cards = await issueCardsAsOperator(product, 400);
  const done: Acknowledged = { uploads: new Map(), orders: new Map() };
  const work = { over: false };
  const activated = activateCards(product, clinic.token, cards, work);
  const actors = [
    uploadUntilStopped(clinic.token, done, work),
    uploadUntilStopped(clinic.token, done, work),
    orderUntilStopped(clinic.token, patient.id, lab, done, work),
  ];
  let killed = 0;
  for (; killed < kills; killed++) {
    await waitForOrder(done, killed / 2);
    await pause(randomInt(100, 1200));
    await product.kill(killed % 3 === 2);
    await product.start();
  }
  await waitForOrder(done, kills / 2);
  work.over = true;
  await Promise.all(actors);
  const lostUploads = await compareUploads(clinic.token, patient.id, lab.iid, done.uploads);
  const lostOrders = await compareOrders(clinic.token, done.orders);
  const capacity = await compareCapacity(product, clinic.token, await activated);
  const orphans = await countRowsWithoutFile();
  console.info(
    `T-04: ${killed} kills, ${done.uploads.size} uploads, ${done.orders.size} orders and ${(await activated).length} cards acknowledged; lost uploads ${lostUploads.lost}, differing bytes ${lostUploads.differing}, lost orders ${lostOrders.lost}, illegal states ${lostOrders.illegal}, lost cards ${capacity.lostCards}, rows without file ${orphans}`,
  );
  expect(done.uploads.size).toBeGreaterThan(kills / 2);
  expect(done.orders.size).toBeGreaterThan(kills / 2);
  expect((await activated).length).toBeGreaterThan(kills / 2);
  expect({ ...lostUploads, ...lostOrders, ...capacity, orphans }).toEqual({
    lost: 0,
    differing: 0,
    illegal: 0,
    lostCards: 0,
    odd: 0,
    orphans: 0,
  });
});

async function createInstitution(
  type: "clinic" | "lab",
  role: "clinicManager" | "labManager",
): Promise<{ token: string; iid: string }> {
  const token = await product.register(`${type}@kill.test`, role);
  const made = await product.call(institutionCalls.create, { name: `Kill ${type}`, type, country: "CN" }, { token });
  const moved = await product.call(institutionCalls.switch, { iid: made.id }, { token });
  return { token: moved.token, iid: made.id };
}

async function relateInstitutions(
  clinic: { token: string; iid: string },
  lab: { token: string; iid: string },
): Promise<void> {
  const asked = await product.call(relationCalls.step, { action: "request", iid: clinic.iid }, { token: lab.token });
  await product.call(relationCalls.step, { action: "accept", id: asked.id }, { token: clinic.token });
}

/**
 * Uploads files of 1 kB and more, some of them with the same bytes twice, each until the server confirms that it is
 * complete.
 */
async function uploadUntilStopped(token: string, done: Acknowledged, work: { over: boolean }): Promise<void> {
  let last = randomBytes(1000);
  while (!work.over) {
    const bytes = randomInt(4) === 0 ? last : randomBytes(Math.round(1000 * (largest / 1000) ** Math.random()));
    last = bytes;
    const place = await startUpload(token, bytes, work);
    if (place && (await sendBytes(place, token, bytes, work)))
      done.uploads.set(present(place.split("/").at(-1)), hashBytes(bytes));
  }
}
const tus = (token: string) => ({ token, "tus-resumable": "1.0.0" });
async function startUpload(token: string, bytes: Uint8Array, work: { over: boolean }): Promise<string | null> {
  for (let tries = 0; tries < 200 && !work.over; tries++) {
    const headers = {
      ...tus(token),
      "upload-length": String(bytes.length),
      "upload-metadata": `filename ${Buffer.from("part.bin").toString("base64")}`,
    };
    const made = await fetch(`${product.address}/uploads`, { method: "POST", headers }).catch(() => null);
    if (made?.status === 201) return new URL(present(made.headers.get("location"), "location"), product.address).href;
    await pause(50);
  }
  return null;
}
async function sendBytes(place: string, token: string, bytes: Uint8Array, work: { over: boolean }): Promise<boolean> {
  for (let tries = 0; tries < 400 && !work.over; tries++) {
    const head = await fetch(place, { method: "HEAD", headers: tus(token) }).catch(() => null);
    const offset = Number(head?.headers.get("upload-offset") ?? Number.NaN);
    if (offset === bytes.length) return true;
    if (Number.isNaN(offset)) {
      await pause(50);
      continue;
    }
    const headers = {
      ...tus(token),
      "upload-offset": String(offset),
      "content-type": "application/offset+octet-stream",
    };
    const piece = bytes.subarray(offset, offset + 1_000_000);
    const sent = await fetch(place, { method: "PATCH", headers, body: piece as Uint8Array<ArrayBuffer> }).catch(
      () => null,
    );
    if (sent?.status === 204 && Number(sent.headers.get("upload-offset")) === bytes.length) return true;
  }
  return false;
}

/** Orders that are written, sent, accepted and cancelled; what counts is the version that an answer named. */
async function orderUntilStopped(
  token: string,
  patientId: string,
  lab: { token: string; iid: string },
  done: Acknowledged,
  work: { over: boolean },
): Promise<void> {
  for (let number = 0; !work.over; number++) {
    const made = await product
      .ask(
        orderCalls.save,
        { ...prescription(patientId, lab.iid), send: number % 2 === 0 },
        { token, "idempotency-key": `kill-${number}` },
      )
      .catch(() => null);
    if (made?.code !== 200) {
      await pause(50);
      continue;
    }
    done.orders.set(made.data.id, made.data.version);
    const moved = await (
      made.data.state === "pending"
        ? product.ask(
            orderCalls.step,
            { id: made.data.id, action: "accept", version: made.data.version },
            { token: lab.token },
          )
        : product.ask(orderCalls.step, { id: made.data.id, action: "submit", version: made.data.version }, { token })
    ).catch(() => null);
    if (moved?.code === 200 && moved.data) done.orders.set(moved.data.id, moved.data.version);
  }
}

async function compareUploads(
  token: string,
  patientId: string,
  labIid: string,
  sent: Map<string, string>,
): Promise<{ lost: number; differing: number }> {
  let [lost, differing] = [0, 0];
  const all = [...sent];
  for (let at = 0; at < all.length; at += 100) {
    const some = all.slice(at, at + 100);
    const kept = await product.call(
      orderCalls.save,
      { ...prescription(patientId, labIid), uploads: some.map(([upload]) => ({ upload, role: "document" as const })) },
      { token },
    );
    const bytesBySha = new Map<string, string>();
    for (const file of kept.files)
      bytesBySha.set(
        file.sha256,
        hashBytes(new Uint8Array(await (await fetch(`${product.address}${file.url}`)).arrayBuffer())),
      );
    for (const [, wanted] of some) {
      if (!bytesBySha.has(wanted)) lost += 1;
      else if (bytesBySha.get(wanted) !== wanted) differing += 1;
    }
  }
  return { lost, differing };
}

async function compareOrders(token: string, known: Map<string, number>): Promise<{ lost: number; illegal: number }> {
  let [lost, illegal] = [0, 0];
  for (const [id, version] of known) {
    const answer = await product.ask(orderCalls.detail, { id }, { token });
    if (answer.code !== 200 || answer.data.version < version) lost += 1;
    else if (!orderStates.includes(answer.data.state) || !isTimelineValid(answer.data.events, answer.data.state))
      illegal += 1;
  }
  return { lost, illegal };
}

/** Every event of the timeline is a row of the table, begins where the one before ended, and the last is the state. */
function isTimelineValid(events: { action: string; from: string | null; to: string }[], state: string): boolean {
  let at: string | null = null;
  for (const { action, from, to } of events) {
    const row = orderLifecycle.steps[action as keyof typeof orderLifecycle.steps] as
      | { from: readonly string[]; to: readonly string[] }
      | undefined;
    if (!row || from !== at || !row.to.includes(to) || (from !== null && !row.from.includes(from))) return false;
    at = to;
  }
  return at === state;
}

async function countRowsWithoutFile(): Promise<number> {
  const database = await startPostgres({ folder: path.join(product.folder, "postgres") });
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows } = await client.query<{ institution_id: string; sha256: string }>(
    "select institution_id, sha256 from stored_file",
  );
  await client.end();
  await database.stop();
  return rows.filter(
    ({ institution_id, sha256 }) =>
      !existsSync(path.join(product.folder, "files/originals", institution_id, sha256.slice(0, 2), sha256)),
  ).length;
}
