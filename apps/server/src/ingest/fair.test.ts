import { expect, it } from "vitest";
import { archScan } from "@arcada/imaging/phantom/scan";
import { makeHead } from "@arcada/imaging/phantom/head";
import { writeStl } from "@arcada/imaging/mesh/write";
import { ended, newPatient } from "../../../../tests/uploads.ts";
import { world } from "../../../../tests/world.ts";

const scan = writeStl(archScan(makeHead("fair"), "upper"));

it("a clinic's one upload does not wait behind the many of another", { timeout: 240_000 }, async () => {
  const [{ clinic: busy }, { clinic: small }] = [await world(), await world()];
  const [busyPatient, smallPatient] = [await newPatient(busy), await newPatient(small)];
  const sent: string[] = [];
  for (let place = 0; place < many; place++) sent.push(await busy.uploads(`busy${place}.stl`, scan));
  const own = await small.uploads("small.stl", scan);
  const open = async (upload: string) =>
    (await busy.gets("study.open", { patientId: busyPatient, uploads: [upload] })).id;
  const jobs = await Promise.all(sent.map(open));
  const { id } = await small.gets("study.open", { patientId: smallPatient, uploads: [own] });
  expect((await ended(small, id)).state).toBe("done");
  const states = await Promise.all(jobs.map(async (job) => (await busy.gets("study.job", { id: job })).state));
  expect(states.filter((state) => state === "waiting").length).toBeGreaterThan(many / 3);
  for (const job of jobs) await ended(busy, job);
});
const many = 24;
