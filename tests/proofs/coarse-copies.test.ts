import { createHash } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { crownOrderInput } from "@arcada/testing/fixtures/orders";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { coarseCopyQueue } from "../../apps/server/src/domain/coarse-copy-queue.ts";
import { files, jobs } from "../../apps/server/src/platform/runtime/services.ts";
import { dropUnusedDerivedFiles } from "../../apps/server/src/retention/drop-unused-derived-files.ts";

/** Scans of a million triangles take long to convert: `npm run proof` has the rare ways. */
const isFull = process.env.ARCADA_PROOF === "full";

let env: TestSetup;
beforeAll(async () => void (env = await setup()));
afterEach(() => vi.restoreAllMocks());

/** A scan of 1,046,528 triangles; the threshold is a million. */
const createLargeScan = (radius: number): Uint8Array => writeStl(createSphereMesh([0, 0, 0], radius, 1024));
const createSmallScan = (radius: number): Uint8Array => writeStl(createSphereMesh([0, 0, 0], radius, 64));
const countBytes = async (url: string): Promise<number> =>
  (await (await fetch(new URL(url, env.server.address))).arrayBuffer()).byteLength;

async function uploadScan(scan: Uint8Array) {
  const { clinic } = env;
  const { state, studies } = await uploadStudy(clinic, await createPatient(clinic), { "scan.stl": scan });
  const readCopy = async () => {
    const { series } = await clinic.call("study.detail", { id: present(studies[0]) });
    return present(series[0]?.instances[0]?.model?.glb);
  };
  return { state, readCopy };
}

async function sendScan(scan: Uint8Array) {
  const { clinic } = env;
  const uploads = [{ upload: await clinic.upload("scan.stl", scan), role: "upperScan" as const }];
  const { id } = await clinic.call("order.save", crownOrderInput(await createPatient(clinic), null, { uploads }));
  const readCopy = async () => (await clinic.call("order.detail", { id })).files[0].glb;
  await expect.poll(readCopy, { timeout: 60_000 }).not.toBeNull();
  return { readCopy: async () => present(await readCopy()) };
}

/** Holds the next coarse copy back after it is made and before it is stored, which then fails once if there is a fault. */
function holdCoarseCopy(fault?: Error) {
  const store = files();
  const put = store.put.bind(store);
  const made = Promise.withResolvers<string>();
  const released = Promise.withResolvers<void>();
  const spy = vi.spyOn(store, "put").mockImplementation(async (area, iid, source, expected) => {
    if (!(source instanceof Uint8Array && source.length > 100_000 && source.length < 1_500_000))
      return put(area, iid, source, expected);
    made.resolve(createHash("sha256").update(source).digest("hex"));
    await released.promise;
    spy.mockRestore();
    if (fault) throw fault;
    return put(area, iid, source, expected);
  });
  return { made: made.promise, release: () => released.resolve() };
}

async function waitUntilIdle(): Promise<void> {
  const countJobs = async () => (await jobs().counts()).find(({ name }) => name === coarseCopyQueue.name);
  await expect.poll(countJobs, { timeout: 60_000 }).toMatchObject({ active: 0, waiting: 0 });
}

it("a large scan of a study has a coarse copy, a small one has none", { timeout: 120_000 }, async () => {
  const [small, large] = [await uploadScan(createSmallScan(25)), await uploadScan(createLargeScan(25))];
  await expect.poll(async () => (await large.readCopy()).coarse, { timeout: 60_000 }).not.toBeNull();
  const { url, coarse } = await large.readCopy();
  expect(present(coarse).error).toBeLessThan(0.05);
  expect(await countBytes(present(coarse).url)).toBeLessThan(1_500_000);
  expect(await countBytes(url)).toBeGreaterThan(2_000_000);
  expect((await small.readCopy()).coarse).toBeNull();
});

it.runIf(isFull)(
  "an import ends before its coarse copy is stored, which is tried again after a fault",
  { timeout: 120_000 },
  async () => {
    const held = holdCoarseCopy(new Error("ENOSPC"));
    const { state, readCopy } = await uploadScan(createLargeScan(27));
    await held.made;
    const { url, coarse } = await readCopy();
    expect([state, coarse]).toEqual(["done", null]);
    expect(await countBytes(url)).toBeGreaterThan(2_000_000);
    held.release();
    await expect.poll(async () => (await readCopy()).coarse, { timeout: 60_000 }).not.toBeNull();
  },
);

it.runIf(isFull)(
  "scans of orders get their streaming copies while a coarse copy is made",
  { timeout: 120_000 },
  async () => {
    const held = holdCoarseCopy();
    const { readCopy } = await sendScan(createLargeScan(28));
    await held.made;
    expect((await (await sendScan(createSmallScan(28))).readCopy()).coarse).toBeNull();
    expect((await readCopy()).coarse).toBeNull();
    held.release();
    await expect.poll(async () => (await readCopy()).coarse, { timeout: 60_000 }).not.toBeNull();
  },
);

it.runIf(isFull)(
  "a coarse copy is dropped if its streaming copy was deleted meanwhile",
  { timeout: 120_000 },
  async () => {
    const held = holdCoarseCopy();
    await sendScan(createLargeScan(29));
    const content = await held.made;
    await dropUnusedCopies();
    held.release();
    await waitUntilIdle();
    expect(await isStored(content)).toBe(true);
    await dropUnusedDerivedFiles(env.server.running.database);
    expect(await isStored(content)).toBe(false);
  },
);

it.runIf(isFull)(
  "the coarse copy of an order's scan is deleted with the streaming copy",
  { timeout: 120_000 },
  async () => {
    const held = holdCoarseCopy();
    const { readCopy } = await sendScan(createLargeScan(26));
    const content = await held.made;
    held.release();
    await expect.poll(async () => (await readCopy()).coarse, { timeout: 60_000 }).not.toBeNull();
    expect(await countBytes(present((await readCopy()).coarse).url)).toBeLessThan(1_500_000);
    await dropUnusedCopies();
    expect(await isStored(content)).toBe(false);
  },
);

const isStored = async (content: string): Promise<boolean> =>
  (await files().bytes("converted", present(env.clinic.iid), content)) !== null;

/** Deletes the copies of the orders' scans, as if nobody had opened the orders for long. */
async function dropUnusedCopies(): Promise<void> {
  const { database } = env.server.running;
  await database.asSystem((db) =>
    sql`update order_glb set used_at = now() - interval '100 days' where institution_id = ${env.clinic.iid}`.execute(
      db,
    ),
  );
  await dropUnusedDerivedFiles(database);
}
