import path from "node:path";
import pg from "pg";
import { successCode } from "@arcada/contract/kernel/refusals";
import type { Envelope } from "@arcada/contract/kernel/refusals";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { searchCalls } from "@arcada/contract/search/search.calls";
import { Product } from "@arcada/testing/setup/product-process";
import { openDatabase } from "../apps/server/src/platform/database/database.ts";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import type { EmbeddedPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { newId, newSecret } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { createInstitution } from "./data/clinic.ts";
import type { Clinic } from "./data/clinic.ts";
import { insertOrders } from "./data/order-dataset.ts";
import { createPatientDataset } from "./data/patient-dataset.ts";
import { datasetFolder, loadOrCreate } from "./lib/dataset-cache.ts";
import type { Figure } from "./lib/figure-table.ts";

/** The number of patients in the clinic; fewer for a trial. It has a tenth as many orders. */
const patients = Number(process.env.ARCADA_BENCH_PATIENTS ?? 1_000_000);
const orders = Math.ceil(patients / 10);
const limitMs = 100;
const requests = 200;
const openedPatients = 40;

/** Measures the search of the whole product (Ctrl+K) in a large clinic, one request after another. */
export async function measureSearch(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off" }, datasetFolder);
  try {
    await product.start();
    const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
    try {
      const clinic = await loadOrCreate(product.folder, "clinic-with-orders", async () => {
        say(`A clinic of ${patients.toLocaleString("en")} patients is made …`);
        return createClinicWithOrders(postgres.connection);
      });
      const orderNumber = await openPatients(product.address, clinic, postgres.connection);
      say("Searches …");
      const figures: Figure[] = [];
      for (const [what, text] of Object.entries(searchTexts(orderNumber)))
        figures.push(...(await measureText(product.address, clinic, what, text)));
      return figures;
    } finally {
      await postgres.stop();
    }
  } finally {
    await (datasetFolder ? product.stop() : product.remove());
  }
}

const searchTexts = (orderNumber: string): Record<string, string> => ({
  "nothing typed, the records opened lately": "",
  "one Chinese sign": "王",
  "two Chinese signs": "王伟",
  "pinyin initials": "zw",
  "full pinyin": "zhangwei",
  "the beginning of an English name": "smi",
  "a patient's number": `P${String(Math.floor(patients / 3)).padStart(7, "0")}`,
  "an order's number": orderNumber,
  "the end of a telephone number": "7919",
  "a text that finds nothing": "qqqq",
});

type Connection = EmbeddedPostgres["connection"];

async function createClinicWithOrders(connection: Connection): Promise<Clinic> {
  const clinic = await createPatientDataset(connection, patients);
  const lab = { iid: newId(), uid: newId(), token: newSecret() };
  const database = openDatabase(connection, 1);
  await database.asSystem((db) => createInstitution(db, lab, { type: "lab", name: "云杉义齿", manager: "周宁" }));
  await database.close();
  const client = new pg.Client(connection);
  await client.connect();
  await insertOrders(client, clinic, lab.iid, orders);
  await client.end();
  return clinic;
}

/** Opens some patients, which the search then puts first. Returns the number of an order from the middle. */
async function openPatients(address: string, { token, iid }: Clinic, connection: Connection): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows: found } = await client.query<{ id: string }>(
    "select id from patient where institution_id = $1 order by number limit $2",
    [iid, openedPatients],
  );
  const { rows: numbers } = await client.query<{ number: string }>(
    "select number from orders where institution_id = $1 order by number offset $2 limit 1",
    [iid, Math.floor(orders / 2)],
  );
  await client.end();
  for (const { id } of found) await get(`${address}${patientCalls.detail.path}?id=${id}`, token);
  return numbers[0]!.number;
}

async function measureText(address: string, { token }: Clinic, what: string, text: string): Promise<Figure[]> {
  const url = `${address}${searchCalls.find.path}?${new URLSearchParams({ text }).toString()}`;
  const times: number[] = [];
  for (let request = -10; request < requests; request++) {
    const from = performance.now();
    await get(url, token);
    if (request >= 0) times.push(performance.now() - from);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const figure = (name: string, share: number): Figure => ({
    what: `search among ${patients.toLocaleString("en")} patients, ${what}, ${name}`,
    ours: sorted[Math.floor(requests * share)]!,
    unit: "ms",
  });
  return [figure("p50", 0.5), { ...figure("p95", 0.95), goal: { most: limitMs } }];
}

async function get(url: string, token: string): Promise<void> {
  const response = await fetch(url, { headers: { token } });
  const { code, msg } = (await response.json()) as Envelope<unknown>;
  if (code !== successCode) throw new Error(`${url}: ${code} ${msg}`);
}
