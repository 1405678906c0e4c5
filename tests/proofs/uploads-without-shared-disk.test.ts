import { randomFillSync } from "node:crypto";
import { createServer, request } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { makeImageFixture } from "@arcada/testing/images/dicom-images";
import { startS3Server } from "@arcada/testing/peers/s3-server";
import type { S3Server } from "@arcada/testing/peers/s3-server";
import { present } from "@arcada/testing/require-present";
import { createDatabaseUrl } from "@arcada/testing/setup/database-url";
import { Product } from "@arcada/testing/setup/product-process";

const isFull = process.env.ARCADA_PROOF === "full";
/** Rows and columns of an image whose upload lasts long enough for the kills: 32 MB or 8 MB. */
const side = isFull ? 4000 : 2000;
const kills = isFull ? 5 : 2;

const products: Product[] = [];
let proxy: Server | undefined;
let server: S3Server | { skipped: string };
beforeAll(async () => void (server = await startS3Server()), 400_000);
afterAll(async () => {
  proxy?.close();
  for (const product of products) await product.remove();
  if (!("skipped" in server)) await server.stop();
});

it(
  `loses nothing of an upload whose parts reach processes with separate folders in turn, of which ${kills} are killed`,
  {
    timeout: 300_000,
  },
  async ({ skip }) => {
    if ("skipped" in server) return skip(server.skipped);
    const { settings } = server;
    const shared = {
      DATABASE_URL: await createDatabaseUrl(),
      SECRET_KEY: "a-key-that-all-processes-share-0123",
      S3_ENDPOINT: settings.endpoint,
      S3_BUCKET: settings.bucket,
      S3_ACCESS_KEY: settings.accessKey,
      S3_SECRET_KEY: settings.secretKey,
    };
    const [first, second] = [1, 2].map(() => new Product({ ...shared, ARCADA_ROLE: "web" })) as [Product, Product];
    const worker = new Product({ ...shared, ARCADA_ROLE: "worker" });
    products.push(first, second, worker);
    await first.start();
    await Promise.all([second.start(), worker.start()]);
    const registered = await first.register("apart@processes.test", "clinicManager");
    const clinic = { name: "Apart", type: "clinic", country: "CN" } as const;
    const institution = await first.call(institutionCalls.create, clinic, { token: registered });
    const { token } = await first.call(institutionCalls.switch, { iid: institution.id }, { token: registered });
    const address = await startProxy([first, second]);
    const image = Buffer.from(drawImage().bytes);
    const upload = await send(address, token, image, [first, second]);
    const born = { name: "多进程", sex: "other", birthDate: "1990-01-01" } as const;
    const patient = await second.call(patientCalls.create, born, { token });
    const job = await first.call(uploadJobCalls.open, { patientId: patient.id, uploads: [upload] }, { token });
    const done = await waitForIngest(() => second.call(uploadJobCalls.job, { id: job.id }, { token }));
    expect(done).toMatchObject({ state: "done", refused: [] });
    const study = await first.call(studyCalls.detail, { id: done.studies[0] }, { token });
    const original = await fetch(`${second.address}${study.series[0]?.instances[0]?.originalUrl ?? ""}`);
    expect(Buffer.from(await original.arrayBuffer()).equals(image)).toBe(true);
  },
);

const drawImage = () =>
  makeImageFixture([
    [0x00280010, "US", side],
    [0x00280011, "US", side],
    [0x7fe00010, "OW", randomFillSync(new Uint16Array(side * side))],
  ]);

/** Sends a file in parts and kills a process now and then in the middle of a part. Returns the upload's id. */
async function send(address: string, token: string, bytes: Buffer, webs: readonly Product[]): Promise<string> {
  let killed = 0;
  let restarting: Promise<void> = Promise.resolve();
  const restart = async (product: Product): Promise<void> => {
    await sleep(20);
    await product.kill();
    await product.start();
  };
  const url = await new Promise<string>((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: `${address}/uploads`,
      headers: { token },
      metadata: { filename: "panorama.dcm" },
      chunkSize: 1_000_000,
      retryDelays: Array.from({ length: 500 }, () => 100),
      onChunkComplete: (_, accepted) => {
        if (killed >= kills || accepted < ((killed + 1) * bytes.length) / (kills + 1)) return;
        const victim = present(webs[killed++ % webs.length]);
        restarting = restarting.then(() => restart(victim));
      },
      onSuccess: () => resolve(present(upload.url, "url")),
      onError: reject,
    });
    upload.start();
  });
  await restarting;
  expect(killed).toBe(kills);
  return present(url.split("/").at(-1));
}

/** A balancer that gives each request to the next process in turn and answers 502 for one that is gone. */
async function startProxy(targets: readonly Product[]): Promise<string> {
  let turn = 0;
  proxy = createServer((asked, answer) => {
    const { port } = present(targets[turn++ % targets.length]);
    const { method = "GET", url: path = "/", headers } = asked;
    const passed = request({ host: "127.0.0.1", port, method, path, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    passed.once("error", () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
