import { constants, getPriority } from "node:os";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { waitForIngestJob, createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";

const scan = writeStl(createArchScan(makeHead("fair"), "upper"));

it("a clinic's one upload does not wait behind the many of another", { timeout: 240_000 }, async () => {
  const [{ clinic: busy }, { clinic: small }] = [await setup(), await setup()];
  const [busyPatient, smallPatient] = [await createPatient(busy), await createPatient(small)];
  const sent: string[] = [];
  for (let place = 0; place < many; place++) sent.push(await busy.upload(`busy${place}.stl`, scan));
  const own = await small.upload("small.stl", scan);
  const open = async (upload: string) =>
    (await busy.call("study.open", { patientId: busyPatient, uploads: [upload] })).id;
  const jobs = await Promise.all(sent.map(open));
  const { id } = await small.call("study.open", { patientId: smallPatient, uploads: [own] });
  expect((await waitForIngestJob(small, id)).state).toBe("done");
  const states = await Promise.all(jobs.map(async (job) => (await busy.call("study.job", { id: job })).state));
  expect(states.filter((state) => state === "waiting").length).toBeGreaterThan(many / 3);
  for (const job of jobs) await waitForIngestJob(busy, job);
});
const many = 24;

/** Loads a thread's script and then tells the niceness of that thread. */
const tellNiceness = `const { parentPort, workerData } = require("node:worker_threads");
  import(workerData).then(() => parentPort.postMessage({ niceness: require("node:os").getPriority() }));`;

it
  .skipIf(process.platform !== "linux")
  .each([
    "archive/unzip.worker.ts",
    "convert/coarse-copy.worker.ts",
    "convert/pixel.worker.ts",
    "read/dicom-header.worker.ts",
  ])("the thread of %s lets the thread that answers requests run first", async (script) => {
  const worker = new Worker(tellNiceness, { eval: true, workerData: new URL(script, import.meta.url).href });
  const niceness = await new Promise<number>((resolve, reject) => {
    worker.on("message", (message: { niceness?: number }) => message.niceness && resolve(message.niceness));
    worker.once("error", reject);
  });
  await worker.terminate();
  // The tests themselves may run with a priority that is lower still.
  expect(niceness).toBe(Math.max(constants.priority.PRIORITY_BELOW_NORMAL, getPriority()));
});
