import { Agent, get } from "node:http";
import path from "node:path";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { Product } from "@arcada/testing/setup/product-process";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { craftZip } from "../apps/server/src/ingest/archive/crafted-zip.ts";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { createClinic } from "./data/clinic.ts";
import type { Clinic } from "./data/clinic.ts";
import type { Figure } from "./lib/figure-table.ts";
import { readCpuMs } from "./lib/compare-runs.ts";
import { readProportionalMemory } from "./lib/process-memory.ts";

const staffOfClinic = 10;
/** Seconds between two requests of one member of staff who is working. */
const thinkSeconds = 2;
const seconds = Number(process.env.ARCADA_BENCH_CLINICS_SECONDS ?? 120);
const sizes = (process.env.ARCADA_BENCH_CLINICS ?? "1,10,40").split(",").map(Number);
const patientsOfClinic = Number(process.env.ARCADA_BENCH_CLINIC_PATIENTS ?? 5000);
/** A busy clinic takes three CBCTs in an hour. */
const scansPerSecond = 3 / 3600;

/**
 * Measures what a number of clinics at work needs of one machine with the embedded database: ten people in each clinic
 * have a page open that listens for events and send a request every two seconds, and each clinic uploads three CBCTs
 * an hour. The load generator runs on the same machine and is not counted.
 */
export async function measureClinics(say: (line: string) => void): Promise<Figure[]> {
  const zip = craftCbct();
  const figures: Figure[] = [];
  for (const count of sizes) {
    say(`${count} clinic(s) at work for ${seconds} s …`);
    figures.push(...(await measureSize(count, zip)));
  }
  return figures;
}

function craftCbct(): Uint8Array {
  const patient = { id: "1", name: "Bench^One", sex: "O", birthDate: "19900101" } as const;
  const size = { columns: 400, rows: 400, slices: 300, voxel: 0.3 };
  const files = [...createCbctFiles(makeHead("clinics"), patient, { size })];
  return craftZip(files.map(({ bytes: data }, place) => ({ name: `DICOM/I${place}`, data })));
}

interface Seen {
  /** Milliseconds of each request. */
  times: number[];
  refused: number;
  /** Seconds from the last byte of a CBCT until its job has ended. */
  scans: number[];
}

async function measureSize(count: number, zip: Uint8Array): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off", FREE_STORAGE_GB: "1000" });
  try {
    await product.start();
    const clinics = await createClinics(product, count);
    const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
    for (const { token } of clinics)
      for (let staff = 0; staff < staffOfClinic; staff++) await openStream(agent, product.address, token);
    const pids = [product.pid, product.postmasterPid()];
    const seen: Seen = { times: [], refused: 0, scans: [] };
    let memory = 0;
    const sampler = setInterval(() => (memory = Math.max(memory, readProportionalMemory(pids))), 1000);
    const [before, from] = [readCpuMs(pids) ?? 0, performance.now()];
    const end = from + seconds * 1000;
    await Promise.all([
      ...clinics.flatMap(({ token }) => Array.from({ length: staffOfClinic }, () => work(product, token, end, seen))),
      sendScans(product, clinics, zip, end, seen),
    ]);
    const cores = ((readCpuMs(pids) ?? 0) - before) / (performance.now() - from);
    clearInterval(sampler);
    agent.destroy();
    return figuresOf(count, seen, { cores, memory });
  } finally {
    await product.remove();
  }
}

function figuresOf(count: number, seen: Seen, { cores, memory }: { cores: number; memory: number }): Figure[] {
  const what = `${count} clinic(s), ${count * staffOfClinic} people at work`;
  return [
    { what: `${what}: requests`, ours: seen.times.length / seconds, unit: "a second" },
    { what: `${what}: refused requests`, ours: seen.refused, unit: "", goal: { most: 0 } },
    ...[50, 95, 99].map((percent) => ({
      what: `${what}: response time, p${percent}`,
      ours: percentile(seen.times, percent),
      unit: "ms",
      ...(percent === 95 && { goal: { most: 300 } }),
    })),
    { what: `${what}: CBCTs taken in`, ours: seen.scans.length, unit: "" },
    ...(seen.scans.length > 0
      ? [
          {
            what: `${what}: a CBCT from its last byte until it is converted, longest`,
            ours: Math.max(...seen.scans),
            unit: "s",
          },
        ]
      : []),
    { what: `${what}: processor, server and database`, ours: cores, unit: "cores" },
    { what: `${what}: memory at most, server and database`, ours: memory, unit: "MB" },
  ];
}

async function createClinics(product: Product, count: number): Promise<Clinic[]> {
  const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
  try {
    const clinics: Clinic[] = [];
    for (let made = 0; made < count; made++) clinics.push(await createClinic(postgres.connection, patientsOfClinic));
    return clinics;
  } finally {
    await postgres.stop();
  }
}

/** Opens an event stream and reads it until its agent is destroyed. */
export function openStream(agent: Agent, address: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${address}/v1/notice/stream`, { agent, headers: { token } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a stream answered ${answer.statusCode}`));
      answer.on("error", () => {}).resume();
      resolve();
    }).on("error", reject);
  });
}

/** One member of staff: pages of patients, a patient's record, pages of orders, with pauses of random length. */
async function work(product: Product, token: string, end: number, seen: Seen): Promise<void> {
  await pause(Math.random() * thinkSeconds * 1000);
  let known: { id: string }[] = [];
  while (performance.now() < end) {
    const from = performance.now();
    const choice = Math.random();
    try {
      if (choice < 0.5 || known.length === 0)
        known = (await product.call(patientCalls.list, { pageSize: 20 }, { token })).list;
      else if (choice < 0.8) {
        const one = known[Math.floor(Math.random() * known.length)];
        await product.call(patientCalls.detail, { id: one?.id ?? "" }, { token });
      } else await product.call(orderCalls.list, { pageSize: 20 }, { token });
    } catch {
      seen.refused += 1;
    }
    seen.times.push(performance.now() - from);
    await pause((0.5 + Math.random()) * thinkSeconds * 1000);
  }
}

async function sendScans(
  product: Product,
  clinics: Clinic[],
  zip: Uint8Array,
  end: number,
  { scans }: Seen,
): Promise<void> {
  const total = Math.max(1, Math.round(clinics.length * scansPerSecond * seconds));
  for (let sent = 0; sent < total && performance.now() < end; sent++) {
    const token = { token: clinics[sent % clinics.length]?.token ?? "" };
    const person = { name: `Scan ${sent}`, sex: "male", birthDate: "1990-01-01" } as const;
    const patient = await product.call(patientCalls.create, person, token);
    const upload = await product.upload(token.token, "scan.zip", zip);
    const from = performance.now();
    const input = { patientId: patient.id, uploads: [upload], acceptMismatch: true };
    let job = await product.call(uploadJobCalls.open, input, token);
    while (job.state === "running" || job.state === "waiting") {
      await pause(250);
      job = await product.call(uploadJobCalls.job, { id: job.id }, token);
    }
    if (job.state !== "done") throw new Error(`the job of a CBCT ended ${job.state}`);
    scans.push((performance.now() - from) / 1000);
    await pause(Math.max(0, (seconds * 1000) / total - (performance.now() - from)));
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const percentile = (values: number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))] ??
  Number.NaN;
