import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { createSphereMesh } from "@arcada/phantom/math/solid-meshes";
import { crownOrderInput } from "@arcada/testing/fixtures/orders";
import { createPatient, uploadStudy } from "@arcada/testing/fixtures/uploads";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { files } from "../../apps/server/src/platform/runtime/services.ts";
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

it("the coarse copy of an order's scan is deleted with the streaming copy", { timeout: 120_000 }, async () => {
  const { clinic } = env;
  const { database } = env.server.running;
  const uploads = [{ upload: await clinic.upload("upper.stl", createLargeScan(26)), role: "upperScan" as const }];
  const { id } = await clinic.call("order.save", crownOrderInput(await createPatient(clinic), null, { uploads }));
  const readCopy = async () => (await clinic.call("order.detail", { id })).files[0].glb;
  await expect.poll(readCopy, { timeout: 60_000 }).not.toBeNull();
  expect(await countBytes(present((await readCopy())?.coarse).url)).toBeLessThan(1_500_000);
  const { coarse_sha256: sha256 } = await database.asSystem((db) =>
    db
      .selectFrom("order_glb")
      .select("coarse_sha256")
      .where("institution_id", "=", present(clinic.iid))
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
