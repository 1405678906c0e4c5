import { expect, it } from "vitest";
import { crownOrderInput } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";

/** A binary STL of this many triangles side by side; `seed` makes its bytes differ. */
function largeScan(triangles: number, seed: number): Uint8Array {
  const bytes = Buffer.alloc(84 + triangles * 50);
  bytes.writeUInt32LE(triangles, 80);
  for (let at = 0; at < triangles; at++)
    for (const [place, value] of [0, 0, 0, 1, 0, 0, 0, 1, seed / 7].entries())
      bytes.writeFloatLE(value + (place % 3 === 0 ? at % 977 : at / 977), 84 + at * 50 + 12 + place * 4);
  return bytes;
}

it("lets everybody else go on while many large scans are read: no connection to the database waits with them", async () => {
  await getTestServer({ DATABASE_POOL: "2" });
  const env = await setup();
  const patientId = await createPatient(env.clinic);
  const uploads = [];
  for (let seed = 1; seed <= 6; seed++)
    uploads.push(await env.dentist.upload(`upper-${seed}.stl`, largeScan(400_000, seed)));
  const began = performance.now();
  let isSaving = true;
  const saving = Promise.all(
    uploads.map((upload) =>
      env.dentist.call(
        "order.save",
        crownOrderInput(patientId, env.lab.iid, { uploads: [{ upload, role: "upperScan" }] }),
      ),
    ),
  ).finally(() => (isSaving = false));
  const waits: number[] = [];
  while (isSaving) {
    const asked = performance.now();
    await env.clinic.call("notice.query", {});
    waits.push(performance.now() - asked);
  }
  const orders = await saving;
  const took = performance.now() - began;
  expect(orders.map((order) => order.files[0].role)).toEqual(uploads.map(() => "upperScan"));
  console.info(
    `six scans of 20 MB in ${took.toFixed(0)} ms; ${waits.length} other calls meanwhile, the slowest ${Math.max(...waits).toFixed(0)} ms`,
  );
  expect(Math.max(...waits)).toBeLessThan(took * 0.75);
}, 120_000);
