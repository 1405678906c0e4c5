import { statSync, truncateSync } from "node:fs";
import { glob } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { everyCall } from "@arcada/contract/calls";
import { startSharedProduct, type SharedProduct } from "@arcada/testing/setup/killable-product";
import { createFixtures, prescription, type Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { setup, type CallName, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

const rows = new Map(everyCall().map(({ name, row }) => [name, row]));
/** More bytes than the buffers between the two ends of a connection hold. */
const large = 16_000_084;

let sharedProduct: SharedProduct;
let clinicAndLab: TestSetup;
let fixtures: Fixtures;
beforeAll(async () => {
  sharedProduct = await startSharedProduct();
  clinicAndLab = await setup();
  fixtures = await createFixtures(clinicAndLab);
}, 180_000);

/** One death does not hide the next. */
beforeEach(async () => {
  if (!(await isAlive())) await sharedProduct.product.start();
}, 60_000);

const askProduct = async (
  person: TestUser,
  name: CallName,
  input: object,
): Promise<{ status: number; data: { url: string } }> => {
  const answer = await fetch(`${sharedProduct.product.address}${present(rows.get(name)).path}`, {
    method: "POST",
    headers: { token: person.token, "content-type": "application/json" },
    body: JSON.stringify(input),
  });
  return { status: answer.status, ...((await answer.json()) as { data: { url: string } }) };
};
const requestUrl = async (person: TestUser, name: CallName, input: object) =>
  (await askProduct(person, name, input)).data.url;
/** The body's length, or why it did not come whole. */
const readBody = (address: string, headers: Record<string, string> = {}): Promise<number | string> =>
  fetch(`${sharedProduct.product.address}${address}`, { headers })
    .then(async (answer) => (answer.ok ? (await answer.arrayBuffer()).byteLength : answer.status))
    .catch((error: Error) => error.name);
const isAlive = () =>
  fetch(`${sharedProduct.product.address}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );

describe("a stream that breaks in the middle", () => {
  it.each([
    ["patient.export", { search: "\0" }],
    ["patient.export", { createdFrom: "0000-01-01" }],
    ["order.export", { createdFrom: "0000-01-01" }],
    ["trail.export", { from: "0000-01-01" }],
  ] as const)("%s of %j is refused, and the server lives", async (name, input) => {
    expect(await askProduct(clinicAndLab.clinic, name, input).catch((error: Error) => error.name)).toMatchObject({
      status: 400,
    });
    expect(await isAlive()).toBe(true);
  });

  it("leaves the server alive when connections of the database are cut under every kind of answer", async () => {
    const { clinic } = clinicAndLab;
    const bearer = { authorization: `Bearer ${clinic.token}` };
    await insertPatients(clinic);
    const urls = {
      study: () => requestUrl(clinic, "study.download", { studies: [fixtures.studyId] }),
      order: () => requestUrl(clinic, "order.download", { id: fixtures.order.id }),
      patient: () => requestUrl(clinic, "patient.archive", { id: fixtures.patient.id }),
      paper: () => requestUrl(clinic, "order.prescription", { id: fixtures.order.id }),
    };
    const kinds: Record<string, () => Promise<unknown>> = {
      "patient.export": () => askProduct(clinic, "patient.export", {}),
      "order.export": () => askProduct(clinic, "order.export", {}),
      "trail.export": () => askProduct(clinic, "trail.export", {}),
      "dashboard.export": () => askProduct(clinic, "dashboard.export", { from: "2026-01-01", to: "2026-03-31" }),
      ...Object.fromEntries(Object.entries(urls).map(([kind, url]) => [kind, async () => readBody(await url())])),
      stream: () => Promise.race([readBody("/v1/notice/stream", { token: clinic.token }), pause(300)]),
      dicomweb: () => readBody("/dicomweb/studies", bearer),
      fhir: () => readBody("/fhir/Task", bearer),
      upload: () => sharedProduct.product.upload(clinic.token, "a.stl", new Uint8Array(5000)),
    };
    const owner = new pg.Client(sharedProduct.testServer.running.connection);
    await owner.connect();
    let [isOver, cut] = [false, 0];
    const cutting = (async () => {
      for (; !isOver; await pause(15)) {
        const { rowCount } = await owner.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1",
          [path.basename(sharedProduct.folder)],
        );
        cut += rowCount ?? 0;
      }
      await owner.end();
    })();
    const hanging = new Set<string>();
    const answered = async ([name, kind]: [string, () => Promise<unknown>]) =>
      (await Promise.race([kind().catch(() => null), pause(20_000).then(() => "late")])) === "late" &&
      hanging.add(name);
    for (let round = 0; round < 60 && cut < 100; round++) await Promise.all(Object.entries(kinds).map(answered));
    isOver = true;
    await cutting;
    expect(cut).toBeGreaterThan(20);
    expect([...hanging]).toEqual([]);
    expect(await isAlive(), sharedProduct.product.output.slice(-1500)).toBe(true);
    await expect.poll(() => askProduct(clinic, "patient.export", {}).then(({ status }) => status)).toBe(200);
  }, 120_000);

  it("ends when its reader disconnects, for every kind of content", async () => {
    const { clinic } = clinicAndLab;
    const { archive, file } = await createLargeFile(clinic);
    const study = await requestUrl(clinic, "study.download", { studies: [fixtures.studyId] });
    const patient = await requestUrl(clinic, "patient.archive", { id: fixtures.patient.id });
    for (const address of [archive, file, study, patient, "/v1/notice/stream"])
      expect(await readAndLeave(address, clinic.token), address).toMatch(/^HTTP\/1.1 200/);
    expect(await isAlive()).toBe(true);
  }, 60_000);

  it("is cut where the file is not what it was, and the reader sees it", async () => {
    const { clinic } = clinicAndLab;
    const { archive, file } = await createLargeFile(clinic);
    await shortenFile();
    expect(await readBody(archive)).toBe("TypeError");
    expect(await readBody(file)).not.toBe(large);
    expect(await isAlive()).toBe(true);
  }, 60_000);
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const insertPatients = ({ iid, uid }: TestUser) =>
  sharedProduct.testServer.running.database.asSystem((db) =>
    sql`insert into patient (institution_id, id, number, name, sex, birth_date, created_by, haystack, grams, sort_name)
      select ${iid}, gen_random_uuid(), 900000 + n, 'P' || n, 'other', '1990-01-01', ${uid}, '', '{}', 'p' || n from generate_series(1, 5000) n`.execute(
      db,
    ),
  );

interface LargeFile {
  archive: string;
  file: string;
}
/**
 * Creates an order with a document of `large` bytes. Returns the addresses of the document and of the order's archive.
 */
async function createLargeFile(clinic: TestUser): Promise<LargeFile> {
  const paper = Buffer.alloc(large);
  paper.write(`%PDF-1.7 ${crypto.randomUUID()}`);
  const upload = await clinic.upload("large.pdf", paper);
  const draft = await clinic.call("order.save", {
    ...prescription(fixtures.patient.id, clinicAndLab.lab.iid),
    uploads: [{ upload, role: "document" }],
  });
  const { files } = await clinic.call("order.detail", { id: draft.id });
  return { archive: await requestUrl(clinic, "order.download", { id: draft.id }), file: present(files[0].url, "url") };
}

/** Reads the first chunk, and resets the connection. */
const readAndLeave = (address: string, token: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(sharedProduct.product.port, "127.0.0.1");
    socket.once("error", reject);
    socket.write(`GET ${address} HTTP/1.1\r\nhost: localhost\r\ntoken: ${token}\r\n\r\n`);
    socket.once("data", (chunk: Buffer) => {
      socket.resetAndDestroy();
      resolve(chunk.toString("latin1"));
    });
  });

async function shortenFile(): Promise<void> {
  for await (const file of glob(path.join(sharedProduct.folder, "files", "originals", "**", "*")))
    try {
      if (statSync(file).size > 2_000_000) truncateSync(file, 2_000_000);
    } catch {
      // A folder.
    }
}
