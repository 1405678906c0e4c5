import { setTimeout as delay } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { present } from "@arcada/testing/require-present";
import { Product } from "@arcada/testing/setup/product-process";
import { createClinic, type Clinic } from "../../bench/data/clinic.ts";
import { newId, newSecret, secretHash } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { inProductDatabase } from "./support/product-database.ts";

const isFull = process.env["ARCADA_PROOF"] === "full";
const [rounds, killsOfOne, patients] = [isFull ? 6 : 1, 2, 600];
const key = `arcada_${newSecret()}`;
const product = new Product();
afterAll(() => product.remove());

it(
  `of ${rounds} FHIR exports whose server is killed ${killsOfOne} times each, every one ends complete, each line once`,
  { timeout: 300_000 + rounds * 120_000 },
  async () => {
    await product.start();
    const { token } = await inProductDatabase(product, async (db, connection) => {
      const clinic = await createClinic(connection, patients);
      const id = newId();
      await db.insertInto("users").values({ id, nick_name: "Research" }).execute();
      const secret = {
        begins: key.slice(0, 12),
        token_hash: secretHash(key),
        scopes: ["organisation.export" as const],
      };
      const owner = { institution_id: clinic.iid, created_by: clinic.uid };
      await db
        .insertInto("api_key")
        .values({ ...owner, ...secret, id, name: "Research" })
        .execute();
      return clinic;
    });

    // An export that nothing disturbs says how long one takes, so that the kills hit all of its stages.
    const began = performance.now();
    const calm = await readExport(await begin());
    const duration = performance.now() - began;
    expect(calm.get("Patient")?.size).toBe(patients);
    for (let round = 0; round < rounds; round++) {
      await createPatient(token, round);
      const at = await begin();
      for (let kill = 0; kill < killsOfOne; kill++) {
        await (kill === 0 ? delay(Math.random() * duration) : waitUntilRuns(at, duration));
        await product.kill(round % 2 === 1);
        await product.start();
      }
      const found = await readExport(at);
      expect([...found.keys()]).toEqual([...calm.keys()]);
      for (const [type, ids] of found)
        expect([type, ids.size]).toEqual([type, (calm.get(type)?.size ?? 0) + (type === "Patient" ? round + 1 : 0)]);
      if (round % 2 === 0) expect((await ask(at, "DELETE")).status).toBe(202);
    }
    console.info(`${rounds * killsOfOne} kills during ${rounds} exports of ${Math.round(duration)} ms: all complete`);
  },
);

const ask = (at: string, method = "GET"): Promise<Response> =>
  fetch(at.replace(/^https?:\/\/[^/]+/, product.address), {
    method,
    headers: { authorization: `Bearer ${key}`, prefer: "respond-async", accept: "application/fhir+json" },
  });

async function begin(): Promise<string> {
  const begun = await ask(`${product.address}/fhir/$export`);
  expect(begun.status).toBe(202);
  return present(begun.headers.get("content-location"));
}

/** Waits until another process has taken the export over and is anywhere in it; at once if it is over. */
async function waitUntilRuns(at: string, duration: number): Promise<void> {
  for (let waited = 0; waited < 600; waited++) {
    const answer = await ask(at);
    await answer.text();
    if (answer.status === 200) return;
    // A run that begins anew begins at 0.
    if (waited > 0 && answer.headers.get("x-progress") === "0%") break;
    await delay(100);
  }
  await delay(Math.random() * duration);
}

/** Returns the ids of each type, when the export is done. Every file has the lines that the manifest counts. */
async function readExport(at: string): Promise<Map<string, Set<string>>> {
  const manifest = await waitForManifest(at);
  const found = new Map<string, Set<string>>();
  for (const { type, url, count } of manifest.output) {
    const answer = await ask(url);
    expect(answer.status).toBe(200);
    const lines = (await answer.text()).trim().split("\n");
    expect(lines).toHaveLength(count);
    const ids = found.get(type) ?? new Set();
    for (const line of lines) {
      const { resourceType, id } = JSON.parse(line) as { resourceType: string; id: string };
      expect([resourceType, ids.has(id)], id).toEqual([type, false]);
      ids.add(id);
    }
    found.set(type, ids);
  }
  return found;
}

interface Manifest {
  output: { type: string; url: string; count: number }[];
}
async function waitForManifest(at: string): Promise<Manifest> {
  for (let waited = 0; waited < 1800; waited++) {
    const answer = await ask(at);
    if (answer.status === 200) return (await answer.json()) as Manifest;
    expect([answer.status, await answer.text()]).toEqual([202, ""]);
    await delay(100);
  }
  throw new Error("the export did not end within three minutes");
}

const createPatient = (token: Clinic["token"], round: number) =>
  product.call(patientCalls.create, { name: `Later ${round}`, sex: "other", birthDate: "1990-01-01" }, { token });
