import { afterAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import type { LiveEvent } from "@arcada/contract/notice/notice.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { ingestOver } from "../../demo/ingest-over.ts";
import { freshUrl } from "../fresh-url.ts";
import { crown } from "../planted.ts";
import { Product } from "../product.ts";

const products: Product[] = [];
afterAll(async () => {
  for (const product of products) await product.stop();
  await products[0]?.remove();
});

it("works the same in several processes on one database: one takes the upload, another does the work, a third tells the page", async () => {
  const DATABASE_URL = await freshUrl();
  const SECRET_KEY = "a-key-that-all-processes-share-0123";
  const first = new Product({ DATABASE_URL, SECRET_KEY, ARCADA_ROLE: "web" });
  const second = new Product({ DATABASE_URL, SECRET_KEY, ARCADA_ROLE: "web", DATA_DIR: first.folder });
  const worker = new Product({ DATABASE_URL, SECRET_KEY, ARCADA_ROLE: "worker", DATA_DIR: first.folder });
  products.push(first, second, worker);
  await first.start();
  await second.start();
  const registered = await first.register("many@processes.test", "clinicManager");
  const house = await first.gets(
    institutionCalls.create,
    { name: "Many", type: "clinic", country: "CN" },
    { token: registered },
  );
  const { token } = await first.gets(institutionCalls.switch, { iid: house.id }, { token: registered });
  const patient = await second.gets(
    patientCalls.create,
    { name: "多进程", sex: "other", birthDate: "1990-01-01" },
    { token },
  );
  const heard = listen(second.address, token, ({ topic }) => topic === "study");
  const upload = await first.upload(token, "upper.stl", crown());
  const job = await first.gets(studyCalls.open, { patientId: patient.id, uploads: [upload] }, { token });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  // Nobody works yet: the job waits.
  expect((await second.gets(studyCalls.job, { id: job.id }, { token })).state).toBe("waiting");
  await worker.start();
  await heard;
  const done = await ingestOver(() => second.gets(studyCalls.job, { id: job.id }, { token }));
  expect(done).toMatchObject({ state: "done", refused: [] });
  const study = await first.gets(studyCalls.detail, { id: done.studies[0]! }, { token });
  const url = study.series[0]?.instances[0]?.originalUrl ?? "";
  // An address that one process signed is honoured by the other.
  const bytes = new Uint8Array(await (await fetch(`${second.address}${url}`)).arrayBuffer());
  expect(Buffer.from(bytes).equals(Buffer.from(crown()))).toBe(true);
});

/** Resolves when the live stream reports it. */
async function listen(address: string, token: string, isIt: (event: LiveEvent) => boolean): Promise<void> {
  const response = await fetch(`${address}/v1/notice/stream`, { headers: { token } });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    if (
      text.split("\n").some((line) => line.startsWith('data: {"topic"') && isIt(JSON.parse(line.slice(6)) as LiveEvent))
    )
      return;
  }
}
