import { afterAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import type { LiveEvent } from "@arcada/contract/notice/live-topics";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { createDatabaseUrl } from "@arcada/testing/setup/database-url";
import { crownStl } from "@arcada/testing/fixtures/patient-with-orders";
import { Product } from "@arcada/testing/setup/product-process";
import { present } from "@arcada/testing/require-present";

const products: Product[] = [];
afterAll(async () => {
  for (const product of products) await product.stop();
  await products[0]?.remove();
});

it("works the same in several processes on one database: one receives the upload, another processes it, a third notifies the page", async () => {
  const DATABASE_URL = await createDatabaseUrl();
  const SECRET_KEY = "a-key-that-all-processes-share-0123";
  const first = new Product({ DATABASE_URL, SECRET_KEY, ARCADA_ROLE: "web" });
  const second = new Product({ DATABASE_URL, SECRET_KEY, ARCADA_ROLE: "web", DATA_DIR: first.folder });
  const worker = new Product({ DATABASE_URL, SECRET_KEY, ARCADA_ROLE: "worker", DATA_DIR: first.folder });
  products.push(first, second, worker);
  await first.start();
  await second.start();
  const registered = await first.register("many@processes.test", "clinicManager");
  const institution = await first.call(
    institutionCalls.create,
    { name: "Many", type: "clinic", country: "CN" },
    { token: registered },
  );
  const { token } = await first.call(institutionCalls.switch, { iid: institution.id }, { token: registered });
  const patient = await second.call(
    patientCalls.create,
    { name: "多进程", sex: "other", birthDate: "1990-01-01" },
    { token },
  );
  const heard = waitForEvent(second.address, token, ({ topic }) => topic === "study");
  const upload = await first.upload(token, "upper.stl", crownStl());
  const job = await first.call(uploadJobCalls.open, { patientId: patient.id, uploads: [upload] }, { token });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  // Nobody works yet: the job waits.
  expect((await second.call(uploadJobCalls.job, { id: job.id }, { token })).state).toBe("waiting");
  await worker.start();
  await heard;
  const done = await waitForIngest(() => second.call(uploadJobCalls.job, { id: job.id }, { token }));
  expect(done).toMatchObject({ state: "done", refused: [] });
  const study = await first.call(studyCalls.detail, { id: done.studies[0] }, { token });
  const url = study.series[0]?.instances[0]?.originalUrl ?? "";
  // An address that one process signed is honoured by the other.
  const bytes = new Uint8Array(await (await fetch(`${second.address}${url}`)).arrayBuffer());
  expect(Buffer.from(bytes).equals(Buffer.from(crownStl()))).toBe(true);
});

/** Resolves when the live stream reports it. */
async function waitForEvent(address: string, token: string, matches: (event: LiveEvent) => boolean): Promise<void> {
  const response = await fetch(`${address}/v1/notice/stream`, { headers: { token } });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of present(response.body, "body")) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (
      text
        .split("\n")
        .some((line) => line.startsWith('data: {"topic"') && matches(JSON.parse(line.slice(6)) as LiveEvent))
    )
      return;
  }
}
