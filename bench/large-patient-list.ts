import { readFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { successCode } from "@arcada/contract/kernel/refusals";
import type { Envelope } from "@arcada/contract/kernel/refusals";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import type { EmbeddedPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { Product } from "@arcada/testing/setup/product-process";
import type { BareRoute } from "./peers/bare-route.ts";
import { compareRuns, measureP95, figurePair } from "./lib/compare-runs.ts";
import type { Clinic } from "./data/clinic.ts";
import type { Figure } from "./lib/figure-table.ts";
import { datasetFolder, loadOrCreate } from "./lib/dataset-cache.ts";
import { patientListQuery } from "./lib/patient-list-query.ts";
import { createPatientDataset } from "./data/patient-dataset.ts";
import { startPeer } from "./peers/peer-process.ts";

type Connection = EmbeddedPostgres["connection"];
/** The number of patients in the clinic; fewer for a trial. */
const patients = Number(process.env.ARCADA_BENCH_PATIENTS ?? 1_000_000);
const limitMs = 100;

/**
 * Measures the pages of a large clinic's list, each in comparison with the same statement on a bare route, and then the
 * list's spreadsheet.
 */
export async function measurePatients(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" }, datasetFolder);
  try {
    await product.start();
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    try {
      const clinic = await loadOrCreate(product.folder, "clinic", async () => {
        say(`A clinic of ${patients.toLocaleString("en")} patients is made …`);
        return createPatientDataset(postgres.connection, patients);
      });
      say("Pages of its list …");
      const figures: Figure[] = [];
      for (const [what, query] of Object.entries(await listQueries(product.address, clinic, postgres.connection)))
        figures.push(...(await measureQuery(product, clinic, postgres.connection, { what, query })));
      // Restart the product, so that memory it has already allocated for the lists does not hide what the sheet needs.
      await product.stop();
      await product.start();
      say("Its list as a sheet …");
      return [...figures, ...(await measureSpreadsheet(product.address, clinic, product.pid))];
    } finally {
      await postgres.stop();
    }
  } finally {
    await (datasetFolder ? product.stop() : product.remove());
  }
}

type Query = Record<string, string>;

async function listQueries(
  address: string,
  { token, iid }: Clinic,
  connection: Connection,
): Promise<Record<string, Query>> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ at: Date }>(
    "select recent_visit_at as at from patient where institution_id = $1 order by recent_visit_at desc offset $2 limit 1",
    [iid, Math.floor(patients / 2)],
  );
  await client.end();
  const middle = rows[0].at.toISOString().slice(0, 10);
  // Finds the middle of the list by a day. The page behind it starts with a cursor, like a page that a user scrolled
  // to.
  const next = async (query: Query) => (await get<{ next: string }>(address, token, { ...query, pageSize: "50" })).next;
  return {
    "first page": {},
    "first page by name": { sort: "name" },
    "first page by age, the oldest first": { sort: "age", way: "down" },
    "a page from the middle on": { visitTo: middle, cursor: await next({ visitTo: middle }) },
    "one Chinese sign": { search: "王" },
    "two Chinese signs": { search: "王伟" },
    "pinyin initials": { search: "zw" },
    "a Latin beginning": { search: "smi" },
    "a number": { search: `P${String(Math.floor(patients / 3)).padStart(7, "0")}` },
    "part of a telephone": { search: "7919" },
    "one Chinese sign, women of 30 to 39, by age": {
      search: "王",
      sex: "female",
      ageFrom: "30",
      ageTo: "39",
      sort: "age",
    },
    "a rare sex": { sex: "other" },
    "with a CBCT and without a report": { ct: "yes", report: "no" },
    "a Chinese sign with a report": { search: "李", report: "yes" },
    "made lately, aged 90 and more": { createdFrom: middle, ageFrom: "90" },
  };
}

async function measureQuery(
  product: Product,
  { token, iid }: Clinic,
  connection: Connection,
  { what, query }: { what: string; query: Query },
): Promise<Figure[]> {
  // The settings that the list makes before a search.
  const options = `-c arcada.iid=${iid} -c random_page_cost=1.1`;
  const statement = patientListQuery(iid, query, new Date().toISOString().slice(0, 10));
  const bare = await startPeer("bare-route.ts", {
    connection: { ...connection, options },
    query: statement,
  } satisfies BareRoute);
  try {
    const requestPage = () => get(product.address, token, query);
    const requestBare = async () => (await fetch(bare.address)).arrayBuffer();
    await Promise.all([requestPage(), requestBare()]);
    const { ours, peer } = await compareRuns<"ours" | "peer">(
      {
        ours: () => measureP95([product.pid, product.postmasterPid()], requestPage),
        peer: () => measureP95([bare.pid, product.postmasterPid()], requestBare),
      },
      rounds,
    );
    const [row, spent] = figurePair(
      { ours: ours!, peer: peer! },
      {
        what: `${patients.toLocaleString("en")} patients, ${what}, p95`,
        unit: "ms",
        peer: "bare Fastify route, the same SQL",
        goal: { most: limitMs },
      },
    );
    return [
      { ...row, goalOf: "figure" },
      { ...row, what: `${row.what}: times the bare SQL`, goal: { most: 1.5 } },
      ...(spent ? [spent] : []),
    ];
  } finally {
    await bare.stop();
  }
}
const rounds = 5;

const get = async <T>(address: string, token: string, query: Query): Promise<T> =>
  readAnswer(
    await fetch(`${address}${patientCalls.list.path}?${new URLSearchParams(query).toString()}`, { headers: { token } }),
  );

async function readAnswer<T>(response: Response): Promise<T> {
  const { code, data, msg } = (await response.json()) as Envelope<T>;
  if (code !== successCode) throw new Error(`${response.url}: ${code} ${msg}`);
  return data;
}

/**
 * Measures the spreadsheet of all patients: its duration, the delay of other requests, and the growth of the process.
 */
async function measureSpreadsheet(address: string, { token }: Clinic, pid: number): Promise<Figure[]> {
  const body = JSON.stringify({ sort: "createdAt" });
  const headers = { token, "content-type": "application/json" };
  const [from, before] = [performance.now(), readMemoryMb(pid)];
  const waits: number[] = [];
  const state = { done: false, memory: before };
  const sheet = fetch(`${address}${patientCalls.export.path}`, { method: "POST", headers, body }).finally(
    () => (state.done = true),
  );
  while (!state.done) {
    const began = performance.now();
    await get(address, token, {});
    waits.push(performance.now() - began);
    state.memory = Math.max(state.memory, readMemoryMb(pid));
  }
  const { rows } = await readAnswer<{ rows: number }>(await sheet);
  const seconds = (performance.now() - from) / 1000;
  const wait = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)];
  const what = `a sheet (xlsx) of ${rows.toLocaleString("en")} patients, all fields`;
  return [
    { what, ours: rows / seconds, unit: "rows/s" },
    { what: `${what}: memory that the process gains`, ours: state.memory - before, unit: "MB", goal: { most: 200 } },
    { what: "first page of the list while the sheet is made, p95", ours: wait, unit: "ms", goal: { most: limitMs } },
  ];
}

const readMemoryMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) / 1024;
