import { createHash, randomFillSync } from "node:crypto";
import { createServer, request } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { sendInParts } from "@arcada/testing/clients/send-in-parts";
import { makeImageFixture } from "@arcada/testing/images/dicom-images";
import { startS3Server } from "@arcada/testing/peers/s3-server";
import type { S3Server } from "@arcada/testing/peers/s3-server";
import { present } from "@arcada/testing/require-present";
import { createDatabaseUrl } from "@arcada/testing/setup/database-url";
import { Product } from "@arcada/testing/setup/product-process";

const isFull = process.env.ARCADA_PROOF === "full";
/** Images of 16 bits, each larger than the one before up to these rows and columns: 60 MB or 4.5 MB. */
const images = isFull ? { count: 20, side: 5480 } : { count: 4, side: 1500 };
const slices = isFull ? 200 : 12;
const kills = isFull ? 5 : 2;
const partsBetweenKills = isFull ? 40 : 8;
const partBytes = isFull ? 2_000_000 : 500_000;

const products: Product[] = [];
let proxy: Server | undefined;
let server: S3Server | { skipped: string };
beforeAll(async () => void (server = await startS3Server()), 400_000);
afterAll(async () => {
  proxy?.close();
  for (const product of products) await product.remove();
  if (!("skipped" in server)) await server.stop();
}, 120_000);

it(
  `two web processes with separate folders lose nothing of ${images.count} images and a volume of ${slices} files while they are killed ${kills} times`,
  { timeout: 1_500_000 },
  async ({ skip }) => {
    if ("skipped" in server) return skip(server.skipped);
    const { webs, worker } = await startProducts(server);
    const [first, second] = webs;
    const token = await openClinic(first);
    const sender = new Sender(await startProxy(webs), token, webs);
    const began = performance.now();
    const uploads = await sender.sendAll(drawFiles());
    const sentMs = performance.now() - began;
    expect(sender.lost).toEqual([]);
    expect(sender.killed).toBe(kills);
    const born = { name: "多进程", sex: "other", birthDate: "1990-01-01" } as const;
    const patient = await second.call(patientCalls.create, born, { token });
    const open = { patientId: patient.id, uploads: [...uploads.keys()], acceptMismatch: true };
    const job = await first.call(uploadJobCalls.open, open, { token });
    if (isFull) {
      await worker.kill();
      await worker.start();
    }
    const read = () => second.call(uploadJobCalls.job, { id: job.id }, { token });
    await expect.poll(async () => (await read()).state, { timeout: 900_000, interval: 500 }).toBe("done");
    const done = await read();
    expect(done.refused).toEqual([]);
    const stored: string[] = [];
    for (const id of done.studies) stored.push(...(await downloadStudy(id, webs, token)));
    expect(stored.toSorted()).toEqual([...uploads.values()].toSorted());
    console.info(
      `uploads without a shared disk: ${uploads.size} files, ${Math.round(sender.bytes / 1e6)} MB in ${Math.round(sentMs / 1000)} s; ${sender.killed} kills, ${sender.interrupted} parts without an answer, lost ${sender.lost.length}`,
    );
  },
);

async function startProducts({ settings }: S3Server): Promise<{ webs: [Product, Product]; worker: Product }> {
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
  return { webs: [first, second], worker };
}

async function openClinic(product: Product): Promise<string> {
  const registered = await product.register("apart@processes.test", "clinicManager");
  const clinic = { name: "Apart", type: "clinic", country: "CN" } as const;
  const institution = await product.call(institutionCalls.create, clinic, { token: registered });
  return (await product.call(institutionCalls.switch, { iid: institution.id }, { token: registered })).token;
}

function* drawFiles(): Generator<Uint8Array> {
  for (let n = 1; n <= images.count; n++) {
    // The bytes grow in equal steps.
    const side = Math.round(images.side * Math.sqrt(n / images.count));
    const pixels = randomFillSync(new Uint16Array(side * side));
    yield makeImageFixture(
      [
        [0x00280010, "US", side],
        [0x00280011, "US", side],
        [0x7fe00010, "OW", pixels],
      ],
      `image ${n}`,
    ).bytes;
  }
  const size = { columns: 32, rows: 32, slices, voxel: 1 };
  const identity = { id: "TWO", name: "Duo^Jin", sex: "O", birthDate: "19900101" } as const;
  for (const { bytes } of createCbctFiles(makeHead("two"), identity, { size })) yield bytes;
}

/** Sends four files at a time, and kills a process every so many parts. */
class Sender {
  killed = 0;
  bytes = 0;
  interrupted = 0;
  readonly lost: string[] = [];
  readonly #address: string;
  readonly #token: string;
  readonly #webs: readonly Product[];
  readonly #restarts = new Map<Product, Promise<void>>();
  #parts = 0;
  constructor(address: string, token: string, webs: readonly Product[]) {
    this.#address = address;
    this.#token = token;
    this.#webs = webs;
  }

  /** Returns the SHA-256 of each upload, by its id. */
  async sendAll(files: Generator<Uint8Array>): Promise<Map<string, string>> {
    const sent = new Map<string, string>();
    const sendNext = async (): Promise<void> => {
      for (let next = files.next(); !next.done; next = files.next()) {
        const bytes = Uint8Array.from(next.value);
        const onPart = () => this.#killAtTimes();
        const upload = await sendInParts(this.#address, this.#token, bytes, { partBytes, onPart });
        sent.set(upload.id, hash(bytes));
        this.bytes += bytes.length;
        this.interrupted += upload.interrupted;
        this.lost.push(...upload.lost);
      }
    };
    await Promise.all(Array.from({ length: 4 }, sendNext));
    await Promise.all(this.#restarts.values());
    return sent;
  }

  /** Kills at once: three other parts are under way, and the other process may be starting again. */
  #killAtTimes(): void {
    this.#parts++;
    if (this.killed >= kills || this.#parts < (this.killed + 1) * partsBetweenKills) return;
    const victim = present(this.#webs[this.killed++ % this.#webs.length]);
    const restart = async (): Promise<void> => {
      await victim.kill();
      await victim.start();
    };
    this.#restarts.set(victim, (this.#restarts.get(victim) ?? Promise.resolve()).then(restart));
  }
}

const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Downloads the originals of a study from the processes in turn, and returns their hashes. */
async function downloadStudy(id: string, webs: readonly Product[], token: string): Promise<string[]> {
  const study = await present(webs[0]).call(studyCalls.detail, { id }, { token });
  const hashes: string[] = [];
  for (const [place, { originalUrl }] of study.series.flatMap(({ instances }) => instances).entries()) {
    const answer = await fetch(`${present(webs[place % webs.length]).address}${originalUrl ?? ""}`);
    hashes.push(hash(Buffer.from(await answer.arrayBuffer())));
  }
  return hashes;
}

/** A balancer that gives each request to the next process in turn and answers 502 for one that is gone. */
async function startProxy(targets: readonly Product[]): Promise<string> {
  let turn = 0;
  proxy = createServer((asked, answer) => {
    const { port } = present(targets[turn++ % targets.length]);
    const { method = "GET", url: path = "/", headers } = asked;
    const refuse = () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end());
    const passed = request({ host: "127.0.0.1", port, method, path, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.on("error", refuse).pipe(answer);
    });
    asked.on("error", () => passed.destroy()).pipe(passed.on("error", refuse));
  });
  await new Promise<void>((resolve) => proxy?.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}
