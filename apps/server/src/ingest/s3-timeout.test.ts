import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { DicomwebClient } from "@arcada/testing/clients/dicomweb-client";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import { ingestPatience } from "../domain/ingest-queue.ts";
import { jobs } from "../platform/runtime/services.ts";
import { s3Timeouts } from "../platform/storage/s3-bucket.ts";
import { present } from "@arcada/testing/require-present";

const things = new Map<string, Buffer>();
const hanging = new Set<ServerResponse>();
let hangs = false;
let isBroken = false;
let failures = 0;
/** The part of an S3 server that the store uses; while `hangs`, it accepts requests and does not respond. */
const bucket = createServer(async (request, response) => {
  const [key, query = ""] = present(request.url, "url").split("?");
  if (query.includes("list-type=2"))
    return void response.end(listThings(new URLSearchParams(query).get("prefix") ?? ""));
  const body = await buffer(request);
  if (hangs && key.includes("/originals/")) return void hanging.add(response);
  if (isBroken && key.includes("/originals/")) {
    failures++;
    return void response.writeHead(503).end();
  }
  if (request.method === "PUT") things.set(key, body);
  if (request.method === "DELETE") things.delete(key);
  const found = things.get(key);
  const status = request.method === "DELETE" ? 204 : found ? 200 : 404;
  const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
  const sent = from && found && request.method === "GET" ? found.subarray(Number(from), Number(to) + 1) : found;
  response.writeHead(sent !== found ? 206 : status, {
    etag: '"1"',
    ...(request.method !== "PUT" && { "content-length": sent?.length ?? 0 }),
  });
  response.end(request.method === "GET" ? sent : undefined);
});
function listThings(prefix: string): string {
  const listed = [...things].filter(([key]) => key.startsWith(`/pictures/${prefix}`));
  const rows = listed.map(
    ([key, { length }]) =>
      `<Contents><Key>${key.slice("/pictures/".length)}</Key><Size>${length}</Size><LastModified>2026-01-01T00:00:00Z</LastModified></Contents>`,
  );
  return `<ListBucketResult><IsTruncated>false</IsTruncated>${rows.join("")}</ListBucketResult>`;
}
beforeAll(async () => {
  await listens(0);
  const { port } = bucket.address() as AddressInfo;
  Object.assign(s3Timeouts, { silentMs: 400 });
  await getTestServer({
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: "pictures",
    S3_ACCESS_KEY: "key",
    S3_SECRET_KEY: "secret",
  });
}, 60_000);
afterAll(() => {
  bucket.closeAllConnections();
  bucket.close();
});

const size = { columns: 32, rows: 32, slices: 4, voxel: 4 };
const filesOf = (head: string) => [
  ...createCbctFiles(makeHead(head), { id: "S3", name: "Li^Na", sex: "F", birthDate: "19850607" }, { size }),
];
const files = filesOf("hangs");

it(
  "acknowledged files arrive once a hanging bucket answers, none is acknowledged without it, and requests are served meanwhile",
  { timeout: 90_000 },
  async () => {
    const { port } = bucket.address() as AddressInfo;
    const { clinic } = await setup();
    const viewer = new DicomwebClient(clinic);
    hangs = true;
    expect((await viewer.store(files.map(({ bytes }) => bytes))).status).toBe(200);
    // Not answered, given up, and tried again.
    await expect.poll(() => hanging.size, { timeout: 30_000 }).toBeGreaterThan(1);
    await expect.poll(() => [...hanging].every(({ destroyed }) => destroyed), { timeout: 20_000 }).toBe(true);
    expect(await viewer.search("/studies")).toEqual([]);
    expect((await clinic.ask("patient.list", { page: 1, pageSize: 10 })).code).toBe(200);
    hangs = false;
    expect(await viewer.waitForResults("/instances", 4)).toHaveLength(4);
    const [part] = await viewer.fetchParts(
      await placeOf(viewer),
      'multipart/related; type="application/dicom"; transfer-syntax=*',
    );
    expect(files.some(({ bytes }) => Buffer.from(bytes).equals(part.body))).toBe(true);

    // If nothing listens there any more, nothing can be kept, and the sender is told so.
    bucket.closeAllConnections();
    await new Promise((resolve) => bucket.close(resolve));
    const more = filesOf("away");
    const moreBytes = more.map(({ bytes }) => bytes);
    expect((await viewer.store(moreBytes)).status).toBe(503);
    expect(await viewer.search("/instances")).toHaveLength(4);
    expect((await clinic.ask("patient.list", { page: 1, pageSize: 10 })).code).toBe(200);
    await listens(port);
    expect((await viewer.store(moreBytes)).status).toBe(200);
    expect(await viewer.waitForResults("/instances", 8)).toHaveLength(8);
    // The conversion, too, has ended before the next test takes the bucket away.
    await expect
      .poll(async () => (await states(clinic.iid)).every((state) => state === "done "), { timeout: 30_000 })
      .toBe(true);
  },
);

it(
  "acknowledged files outlast more outages than a job has tries, and a job that was given up is resumed",
  { timeout: 90_000 },
  async () => {
    const { clinic } = await setup();
    const viewer = new DicomwebClient(clinic);
    Object.assign(ingestPatience, { tries: 1, longestOutageWaitSeconds: 0 });
    isBroken = true;
    expect((await viewer.store(filesOf("broken").map(({ bytes }) => bytes))).status).toBe(200);
    // In each run the client of the bucket asks three times for each of the four files.
    await expect.poll(() => failures, { timeout: 40_000 }).toBeGreaterThan(8 * 12);
    expect(await jobs().failed(10, "ingest")).toEqual([]);

    Object.assign(ingestPatience, { outages: 6 });
    await expect.poll(() => jobs().failed(10, "ingest"), { timeout: 20_000 }).toHaveLength(1);
    await expect.poll(() => states(clinic.iid), { timeout: 10_000 }).toEqual(["failed unavailable"]);
    const [failed] = await jobs().failed(10, "ingest");
    const failuresBefore = failures;
    expect(await jobs().retry("ingest", present(failed).id)).toBe(true);
    // The job waits as long as a new one, and is not given up after one more run.
    await expect.poll(() => failures, { timeout: 20_000 }).toBeGreaterThan(failuresBefore + 12);
    isBroken = false;
    expect(await viewer.waitForResults("/instances", 4)).toHaveLength(4);
    await expect.poll(() => states(clinic.iid)).toEqual(["done "]);
  },
);

async function states(iid: string): Promise<string[]> {
  const { running } = await getTestServer();
  const rows = await running.database.asSystem((db) =>
    db.selectFrom("ingest_job").select(["state", "refusal"]).where("institution_id", "=", iid).execute(),
  );
  return rows.map(({ state, refusal }) => `${state} ${refusal ?? ""}`);
}

const listens = (port: number) => new Promise<void>((resolve) => bucket.listen(port, "127.0.0.1", resolve));

async function placeOf(viewer: DicomwebClient): Promise<string> {
  const [found] = await viewer.search("/instances?limit=1");
  return String(present(found["00081190"].Value, "Value")[0]);
}
