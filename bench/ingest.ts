import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { conversionCalls } from "@arcada/contract/study/conversion.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { encodeSliceGroup } from "@arcada/imaging/volume/slice-group-codec";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { craftZip } from "../apps/server/src/ingest/archive/crafted-zip.ts";
import { convertVolume } from "../apps/server/src/ingest/convert/convert-volume.ts";
import { Product } from "@arcada/testing/setup/product-process";
import { createClinic } from "./data/clinic.ts";
import { interleave } from "./lib/figure-table.ts";
import type { Figure } from "./lib/figure-table.ts";
import type { EventLoopDelays } from "./lib/event-loop-monitor.ts";

const side = 512;
const slices = 400;
const others = 47;
const rounds = 3;

/** Measures the time from the last byte of a zip until its volume can be viewed, and the server's resources. */
export async function measureIngest(): Promise<Figure[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-ingest-"));
  try {
    const files = phantomFiles();
    return [...(await measureConversion(files.slice(0, slices), folder)), ...(await measureZip(files, folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A CBCT of 512 × 512 × 400 and a second, short series of the same patient. */
function phantomFiles(): Uint8Array[] {
  const patient = { id: "1", name: "Bench^One", sex: "O", birthDate: "19900101" } as const;
  const of = (name: string, count: number) =>
    [
      ...createCbctFiles(makeHead(name), patient, { size: { columns: side, rows: side, slices: count, voxel: 0.3 } }),
    ].map(({ bytes }) => bytes);
  return [...of("large", slices), ...of("small", others)];
}

/**
 * Measures processor time, not wall-clock time: the work of one core, independent of other load on the machine, but not
 * of the machine's speed. The lossless encoder alone, in turn with it, shows that.
 */
async function measureConversion(files: readonly Uint8Array[], folder: string): Promise<Figure[]> {
  const paths = files.map((bytes, place) => {
    const file = path.join(folder, `slice-${place}`);
    writeFileSync(file, bytes);
    return file;
  });
  const out = path.join(folder, "out");
  const seconds = await interleave(
    {
      conversion: () =>
        measureProcessor(async () => {
          mkdirSync(out);
          await convertVolume({ do: "volume", paths, out, existing: [] }, () => {});
          rmSync(out, { recursive: true });
        }),
      encoder: () =>
        measureProcessor(async () => {
          for (const bytes of files) await encodeSliceGroup([readSlice(bytes)], { columns: side, rows: side });
        }),
    },
    rounds,
  );
  return [
    {
      what: `conversion of ${slices} slices of ${side} × ${side}, processor time`,
      ours: seconds.conversion,
      peer: { what: "the lossless encoder alone", value: seconds.encoder },
      unit: "s",
      goal: { most: 3 },
      goalOf: "figure",
    },
  ];
}

async function measureProcessor(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** The pixels are the end of the phantom's files. */
const readSlice = (bytes: Uint8Array): Int16Array => new Int16Array(bytes.slice(bytes.length - 2 * side * side).buffer);

async function measureZip(files: readonly Uint8Array[], folder: string): Promise<Figure[]> {
  const loopFile = path.join(folder, "loop.json");
  const product = new Product({
    NODE_ENV: "production",
    LOGIN_STEP_UP: "off",
    // A CBCT is measured by itself afterwards, in 200 MB that would fall into the next round's figure, or not.
    ANALYSIS_AUTO: "off",
    ARCADA_BENCH_LOOP: loopFile,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import ${path.join(import.meta.dirname, "lib/event-loop-monitor.ts")}`,
  });
  try {
    await product.start();
    const token = await createClinicToken(product);
    const zip = craftZip(files.map((data, place) => ({ name: `DICOM/I${place}`, data })));
    const seen = { shown: [] as number[], whole: [] as number[], megabytes: 0 };
    for (let round = 0; round < rounds; round++) {
      const megabytes = await measureMemory(product.pid, async () => {
        const { shown, whole } = await importZip(product, token, zip);
        seen.shown.push(shown);
        seen.whole.push(whole);
      });
      seen.megabytes = Math.max(seen.megabytes, megabytes);
    }
    await product.stop();
    const loop = JSON.parse(readFileSync(loopFile, "utf8")) as EventLoopDelays;
    const what = `zip of ${files.length} files`;
    return [
      {
        what: `${what} (${Math.round(zip.length / 1e6)} MB), from its last byte until it can be looked at`,
        ours: Math.min(...seen.shown),
        unit: "s",
        goal: { most: 4 },
      },
      { what: `${what}: the same, until all slices are there without loss`, ours: Math.min(...seen.whole), unit: "s" },
      { what: `${what}: memory of the server at most`, ours: seen.megabytes, unit: "MB", goal: { most: 500 } },
      { what: `${what}: the server's event loop held, at most`, ours: loop.most, unit: "ms", goal: { most: 50 } },
      { what: `${what}: the same, 99.9 of 100`, ours: loop.p999, unit: "ms" },
      { what: `${what}: the server's own work between two turns of its loop, at most`, ours: loop.own, unit: "ms" },
    ];
  } finally {
    await product.remove();
  }
}

async function createClinicToken(product: Product): Promise<string> {
  const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
  try {
    return (await createClinic(postgres.connection as pg.PoolConfig, 1)).token;
  } finally {
    await postgres.stop();
  }
}

/** Uses a new patient each time, because files that already exist would not be stored again. */
async function importZip(product: Product, token: string, zip: Uint8Array): Promise<{ shown: number; whole: number }> {
  const patient = await product.call(
    patientCalls.create,
    { name: `Bench ${Date.now()}`, sex: "male", birthDate: "1990-01-01" },
    { token },
  );
  const upload = await product.upload(token, "disc.zip", zip);
  const from = performance.now();
  const job = await product.call(
    uploadJobCalls.open,
    { patientId: patient.id, uploads: [upload], acceptMismatch: true },
    { token },
  );
  let shown = 0;
  for (;;) {
    const now = await product.call(uploadJobCalls.job, { id: job.id }, { token });
    for (const id of now.studies) if (shown === 0 && (await isViewable(product, token, id))) shown = performance.now();
    if (now.state === "done") return { shown: (shown - from) / 1000, whole: (performance.now() - from) / 1000 };
    if (now.state !== "running" && now.state !== "waiting") throw new Error(`the job ended ${JSON.stringify(now)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/**
 * Imitates the study's page: it polls until the study is ready, requests the study and fetches the preview, from which
 * the first image is drawn.
 */
async function isViewable(product: Product, token: string, id: string): Promise<boolean> {
  if (!(await product.call(conversionCalls.conversion, { id }, { token })).isShown) return false;
  const { series } = await product.call(studyCalls.detail, { id }, { token });
  const preview = series.find(({ volume }) => volume)?.volume?.preview;
  if (!preview) return false;
  const { columns, rows, slices } = preview.info;
  const bytes = await (await fetch(`${product.address}${preview.url}`)).arrayBuffer();
  if (bytes.byteLength !== columns * rows * slices * 2) throw new Error(`a preview of ${bytes.byteLength} bytes`);
  return true;
}

/** Returns the maximum memory of the process during the work, in MB. */
async function measureMemory(pid: number, work: () => Promise<void>): Promise<number> {
  let most = 0;
  const sample = () => {
    const file = `/proc/${pid}/status`;
    if (!existsSync(file)) return;
    most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, "utf8"))?.[1] ?? 0));
  };
  const timer = setInterval(sample, 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return (most * 1024) / 1e6;
}
