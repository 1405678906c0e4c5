import path from "node:path";
import pg from "pg";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { createPanorama } from "@arcada/phantom/radiograph/panorama";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { orderTodayCalls } from "@arcada/contract/order/order-today.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { conversionCalls } from "@arcada/contract/study/conversion.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { uploadJobCalls } from "@arcada/contract/study/upload-job.calls";
import { solveHumanCheck } from "@arcada/testing/fixtures/human-check";
import { present } from "@arcada/testing/require-present";
import type { Product } from "@arcada/testing/setup/product-process";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { newId, newSecret } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { startPostgres } from "../../apps/server/src/platform/postgres/embedded-postgres.ts";
import { createClinic, createInstitution, patientName } from "../data/clinic.ts";
import type { Clinic, Institution } from "../data/clinic.ts";
import { createCbct } from "../data/imaging-files.ts";
import { insertOrders } from "../data/order-dataset.ts";
import type { MeasuredKind } from "./clinic-day.ts";

/** A clinic with its laboratory, and the records that its people work on. Orders are taken out while a step of them runs. */
export interface Workplace {
  product: Product;
  clinic: Clinic;
  lab: Institution;
  patients: string[];
  orders: string[];
  volumes: string[];
  turn: number;
}

/** Bytes that the work sends to the product and receives from it, answers without compression. */
export interface Traffic {
  sent: number;
  received: number;
}

/**
 * The files that the work uploads, the same for each upload. A store keeps equal content of one organisation once: the
 * work of a repeated upload is that of a new one, but the stored bytes are not.
 */
export interface SampleFiles {
  cbct: Uint8Array;
  film: Uint8Array;
  scan: Uint8Array;
}

const drawnFor = { id: "1", name: "Bench^One", sex: "O", birthDate: "19900101" } as const;

/** A zip of a CBCT of 300 slices of 400 × 400 (96 MB of grey values), a panorama, and a scan of 83,000 triangles. */
export function createSampleFiles(): SampleFiles {
  const head = makeHead("clinics");
  const slices = createCbct("clinics", 300, 400);
  return {
    cbct: craftZip(slices.map(({ bytes: data }, place) => ({ name: `DICOM/I${place}`, data }))),
    film: createPanorama(head, drawnFor).bytes,
    scan: writeStl(createArchScan(head, "lower")),
  };
}

/** Creates clinics with a laboratory each, with patients and a history of orders. */
export async function createWorkplaces(
  product: Product,
  count: number,
  { patients, orders }: { patients: number; orders: number },
): Promise<Workplace[]> {
  const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
  try {
    const places: Workplace[] = [];
    for (let made = 0; made < count; made++) {
      const clinic = await createClinic(postgres.connection, patients);
      const lab = { iid: newId(), uid: newId(), token: newSecret() };
      const database = openDatabase(postgres.connection, 1);
      await database.asSystem((db) => createInstitution(db, lab, { type: "lab", name: "云杉义齿", manager: "周宁" }));
      await database.close();
      const client = new pg.Client(postgres.connection);
      await client.connect();
      await insertOrders(client, clinic, lab.iid, orders);
      const { rows } = await client.query<{ id: string }>(
        "select id from orders where institution_id = $1 and state = 'pending' order by id",
        [clinic.iid],
      );
      await client.end();
      places.push({ product, clinic, lab, patients: [], orders: rows.map(({ id }) => id), volumes: [], turn: made });
    }
    return places;
  } finally {
    await postgres.stop();
  }
}

export type Action = (place: Workplace, files: SampleFiles) => Promise<Traffic>;

/** The work of a clinic, as its browsers send it. */
export const actions: Record<MeasuredKind, Action> = {
  signIn: async ({ product, clinic: { account, password } }) => {
    const human = await solveHumanCheck(await product.call(signInCalls.humanChallenge, {}));
    return weigh(await product.call(signInCalls.login, { account, password, human }));
  },
  smallCall: async (place) => weigh(await place.product.call(orderCalls.counts, {}, asClinic(place))),
  patientList: async (place) => {
    const page = await place.product.call(patientCalls.list, { pageSize: 20 }, asClinic(place));
    place.patients = page.list.map(({ id }) => id);
    return weigh(page);
  },
  patientSearch: async (place) => {
    const search = patientName(place.turn++ % 1000).slice(0, 3);
    return weigh(await place.product.call(patientCalls.list, { pageSize: 20, search }, asClinic(place)));
  },
  patientDetail: async (place) => {
    const id = pickOf(place, place.patients, "patient");
    return weigh(await place.product.call(patientCalls.detail, { id }, asClinic(place)));
  },
  patientCreate: async (place) => weigh(await registerPatient(place)),
  orderList: async (place) =>
    weigh(
      await place.product.call(orderCalls.list, { pageSize: 20 }, place.turn++ % 2 ? asClinic(place) : asLab(place)),
    ),
  orderDetail: async (place) => {
    const id = pickOf(place, place.orders, "order");
    return weigh(await place.product.call(orderCalls.detail, { id }, asClinic(place)));
  },
  dayPage: async (place) => weigh(await place.product.call(orderTodayCalls.today, {}, asClinic(place))),
  orderStep: async (place) => {
    const id = present(place.orders.shift(), "order that nobody works on");
    try {
      const { version, infoRequest } = await place.product.call(orderCalls.detail, { id }, asClinic(place));
      const [who, action] =
        infoRequest === null ? ([asLab(place), "requestInfo"] as const) : ([asClinic(place), "supplyInfo"] as const);
      return weigh(await place.product.call(orderCalls.step, { id, version, action, text: "A2?" }, who));
    } finally {
      place.orders.push(id);
    }
  },
  filmUpload: (place, { film }) => upload(place, "film.dcm", film),
  scanUpload: (place, { scan }) => upload(place, "lower.stl", scan),
  cbctUpload: async (place, { cbct }) => upload(place, "scan.zip", cbct),
  cbctOpen: async (place) => {
    const id = pickOf(place, place.volumes, "volume");
    const study = await place.product.call(studyCalls.detail, { id }, asClinic(place));
    const { volume } = present(
      study.series.find((one) => one.volume),
      "series with a volume",
    );
    const addresses = [volume?.firstLook, volume?.archImages, volume?.preview?.url, ...(volume?.groups ?? [])].filter(
      (one) => one != null,
    );
    let received = weigh(study).received;
    for (const address of addresses) received += await download(place.product.address + address);
    return { sent: 0, received };
  },
};

const asClinic = ({ clinic }: Workplace) => ({ token: clinic.token });
const asLab = ({ lab }: Workplace) => ({ token: lab.token });
const weigh = (answer: unknown): Traffic => ({ sent: 0, received: Buffer.byteLength(JSON.stringify(answer)) });

const pickOf = (place: Workplace, from: string[], what: string): string =>
  present(from[place.turn++ % Math.max(1, from.length)], what);

const registerPatient = (place: Workplace) =>
  place.product.call(
    patientCalls.create,
    { name: `Bench ${newId()}`, sex: "male", birthDate: "1990-01-01" },
    asClinic(place),
  );

/** Sends a file for a new patient and waits until its job has ended and it is converted. */
async function upload(place: Workplace, name: string, bytes: Uint8Array): Promise<Traffic> {
  const { product } = place;
  const patient = await registerPatient(place);
  const file = await product.upload(place.clinic.token, name, bytes);
  const input = { patientId: patient.id, uploads: [file], acceptMismatch: true };
  let job = await product.call(uploadJobCalls.open, input, asClinic(place));
  while (job.state === "running" || job.state === "waiting") {
    await pause();
    job = await product.call(uploadJobCalls.job, { id: job.id }, asClinic(place));
  }
  const id = present(job.studies[0], `study of the job, which is ${job.state}`);
  while ((await product.call(conversionCalls.conversion, { id }, asClinic(place))).state !== "ready") await pause();
  if (name.endsWith(".zip")) place.volumes.push(id);
  return { sent: bytes.byteLength, received: 0 };
}

async function download(address: string): Promise<number> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} for a file of a volume`);
  return (await answer.arrayBuffer()).byteLength;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 500));
