import { sql } from "kysely";
import { beforeAll, expect, it, vi } from "vitest";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { crownOrderInput } from "@arcada/testing/fixtures/orders";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { files, jobs } from "../../apps/server/src/platform/runtime/services.ts";
import { dropUnusedDerivedFiles } from "../../apps/server/src/retention/drop-unused-derived-files.ts";

let env: TestSetup;
beforeAll(async () => void (env = await setup()));

/** A scan of 1,046,528 triangles; the threshold is a million. */
const createLargeScan = (radius: number): Uint8Array => writeStl(createSphereMesh([0, 0, 0], radius, 1024));
const countBytes = async (url: string): Promise<number> =>
  (await (await fetch(new URL(url, env.server.address))).arrayBuffer()).byteLength;

it("a large scan of a study has a coarse copy, a small one has none", { timeout: 120_000 }, async () => {
  const { clinic } = env;
  const patient = await createPatient(clinic);
  const scans = { "large.stl": createLargeScan(25), "small.stl": writeStl(createSphereMesh([0, 0, 0], 25, 64)) };
  const { studies } = await uploadStudy(clinic, patient, scans);
  const found = await Promise.all(studies.map((id) => clinic.call("study.detail", { id })));
  const models = found.flatMap(({ series }) => series.flatMap(({ instances }) => instances));
  const copyOf = (wanted: string) => present(models.find(({ name }) => name === wanted)?.model?.glb, wanted);
  expect(copyOf("small.stl").coarse).toBeNull();
  const { url, coarse } = copyOf("large.stl");
  expect(present(coarse).error).toBeLessThan(0.05);
  expect(await countBytes(present(coarse).url)).toBeLessThan(1_500_000);
  expect(await countBytes(url)).toBeGreaterThan(2_000_000);
});

it(
  "a large scan can be seen before its coarse copy is stored, and stays if that fails",
  { timeout: 120_000 },
  async () => {
    const { clinic } = env;
    const patient = await createPatient(clinic);
    const store = files();
    const adopt = store.adopt.bind(store);
    const readGlb = async () => {
      const [found] = await clinic.call("study.list", { patientId: patient });
      const { series } = await clinic.call("study.detail", { id: present(found).id });
      return present(series[0]?.instances[0]?.model?.glb);
    };
    const seen: number[] = [];
    const spy = vi.spyOn(store, "adopt").mockImplementation(async (area, iid, at, how) => {
      if (!at.endsWith("coarse.glb")) return adopt(area, iid, at, how);
      seen.push(await countBytes((await readGlb()).url));
      throw new Error("ENOSPC");
    });
    const { state } = await uploadStudy(clinic, patient, { "large.stl": createLargeScan(27) });
    spy.mockRestore();
    expect(state).toBe("done");
    expect(seen).toEqual([expect.any(Number)]);
    expect(seen[0]).toBeGreaterThan(2_000_000);
    expect((await readGlb()).coarse).toBeNull();
  },
);

it("an order's large scan can be seen before its coarse copy is stored, and is not made again if that fails", async () => {
  const { clinic } = env;
  const store = files();
  const put = store.put.bind(store);
  const seen: (number | null)[] = [];
  const uploads = [{ upload: await clinic.upload("lower.stl", createLargeScan(28)), role: "lowerScan" as const }];
  const patient = await createPatient(clinic);
  let id = "";
  const readGlb = async () => (await clinic.call("order.detail", { id })).files[0].glb;
  const spy = vi.spyOn(store, "put").mockImplementation(async (...given) => {
    const glb = given[0] === "converted" && id !== "" ? await readGlb() : null;
    if (!glb) return put(...given);
    seen.push(await countBytes(glb.url));
    throw new Error("ENOSPC");
  });
  ({ id } = await clinic.call("order.save", crownOrderInput(patient, null, { uploads })));
  await expect.poll(() => seen.length, { timeout: 60_000 }).toBe(1);
  const countCopies = async () => (await jobs().counts()).find(({ name }) => name === "order.glb");
  await expect.poll(countCopies).toMatchObject({ active: 0, waiting: 0 });
  spy.mockRestore();
  expect(seen[0]).toBeGreaterThan(2_000_000);
  expect(present(await readGlb()).coarse).toBeNull();
}, 120_000);

it("the coarse copy of an order's scan is deleted with the streaming copy", { timeout: 120_000 }, async () => {
  const { clinic } = env;
  const { database } = env.server.running;
  const uploads = [{ upload: await clinic.upload("upper.stl", createLargeScan(26)), role: "upperScan" as const }];
  const { id } = await clinic.call("order.save", crownOrderInput(await createPatient(clinic), null, { uploads }));
  const readCopy = async () => (await clinic.call("order.detail", { id })).files[0].glb;
  await expect.poll(async () => (await readCopy())?.coarse ?? null, { timeout: 60_000 }).not.toBeNull();
  expect(await countBytes(present((await readCopy())?.coarse).url)).toBeLessThan(1_500_000);
  const { coarse_sha256: sha256 } = await database.asSystem((db) =>
    db
      .selectFrom("order_glb")
      .select("coarse_sha256")
      .where("institution_id", "=", present(clinic.iid))
      .where("coarse_sha256", "is not", null)
      .executeTakeFirstOrThrow(),
  );
  const isStored = async () => (await files().bytes("converted", present(clinic.iid), present(sha256))) !== null;
  expect(await isStored()).toBe(true);
  await database.asSystem((db) =>
    sql`update order_glb set used_at = now() - interval '100 days' where institution_id = ${clinic.iid}`.execute(db),
  );
  await dropUnusedDerivedFiles(database);
  expect(await isStored()).toBe(false);
});
