import { randomBytes } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { sendInParts } from "@arcada/testing/clients/send-in-parts";
import { startDatabaseProxy } from "@arcada/testing/peers/database-proxy";
import { startPooler } from "@arcada/testing/peers/pgbouncer";
import { startS3Server } from "@arcada/testing/peers/s3-server";
import { present } from "@arcada/testing/require-present";
import { createDatabaseUrl, databaseUrl as toDatabaseUrl } from "@arcada/testing/setup/database-url";
import { translate } from "../../apps/server/src/platform/text/texts.ts";
import { waitForIngest } from "../../demo/wait-for-ingest.ts";
import { drawImage, hash, openSite, requestCode, storeImage } from "./support/outage-site.ts";
import type { Site } from "./support/outage-site.ts";

const isFull = process.env.ARCADA_PROOF === "full";
const outageMs = isFull ? 60_000 : 5000;
/** A refusal comes within this time, and work goes on within the other one after the end of the outage. */
const longestAnswerMs = 6000;
const longestRecoveryMs = 10_000;
/** The server trusts a session that it has read for half a second, and so it opens a stream without the database. */
const trustedMs = 1000;
const languages = ["en", "zh"] as const;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).toReversed()) await close();
}, 60_000);

it(
  `the database is away for ${outageMs / 1000} s: every request is refused by name, and everything goes on afterwards`,
  { timeout: outageMs + 180_000 },
  async () => {
    const databaseUrl = await createDatabaseUrl();
    const line = await startDatabaseProxy(databaseUrl);
    cleanups.push(() => line.breaks());
    const site = await openSite({ DATABASE_URL: line.url }, databaseUrl, cleanups);
    await outlive(site, { leave: line.breaks, comeBack: line.resume }, () => "unavailable");
  },
);

it.runIf(isFull)(
  `the database behind PgBouncer is away for ${outageMs / 1000} s: every request is refused by name, and everything goes on afterwards`,
  { timeout: outageMs + 180_000 },
  async ({ skip }) => {
    const databaseUrl = await createDatabaseUrl();
    const line = await startDatabaseProxy(databaseUrl);
    cleanups.push(() => line.breaks());
    const { hostname: host, port, username: user, pathname } = new URL(line.url);
    const pooler = await startPooler(
      { host, port: Number(port), user, database: pathname.slice(1) },
      { default_pool_size: 20, query_wait_timeout: 5, server_login_retry: 1 },
    );
    if ("skipped" in pooler) return skip(pooler.skipped);
    cleanups.push(() => pooler.stop());
    const pooled = { DATABASE_URL: toDatabaseUrl(pooler.connection), DATABASE_DIRECT_URL: line.url };
    const site = await openSite(pooled, databaseUrl, cleanups);
    await outlive(site, { leave: line.breaks, comeBack: line.resume }, () => "unavailable");
  },
);

it.runIf(isFull)(
  `the bucket is away for ${outageMs / 1000} s: requests for files are refused by name, and everything goes on afterwards`,
  { timeout: outageMs + 600_000 },
  async ({ skip }) => {
    const server = await startS3Server();
    if ("skipped" in server) return skip(server.skipped);
    cleanups.push(() => server.stop());
    const { endpoint, bucket, accessKey, secretKey } = server.settings;
    const line = await startDatabaseProxy(endpoint);
    cleanups.push(() => line.breaks());
    const databaseUrl = await createDatabaseUrl();
    const site = await openSite(
      {
        DATABASE_URL: databaseUrl,
        S3_ENDPOINT: `http://${new URL(line.url).host}`,
        S3_BUCKET: bucket,
        S3_ACCESS_KEY: accessKey,
        S3_SECRET_KEY: secretKey,
      },
      databaseUrl,
      cleanups,
    );
    const { clinic, patientId } = site;
    const upload = await clinic.upload("waits.dcm", drawImage("waits", 64));
    let waiting = "";
    const leave = async (): Promise<void> => {
      await line.breaks();
      waiting = (await clinic.call("study.open", { patientId, uploads: [upload], acceptMismatch: true })).id;
    };
    await outlive(site, { leave, comeBack: line.resume }, (name) =>
      ["upload", "part", "file"].includes(name) ? "unavailable" : null,
    );
    const done = await waitForIngest(() => clinic.call("study.job", { id: waiting }));
    expect(done).toMatchObject({ state: "done", refused: [] });
  },
);

it.runIf(isFull)(
  `the mail server is away for ${outageMs / 1000} s: nobody notices, and everything is delivered afterwards`,
  { timeout: outageMs + 180_000 },
  async () => {
    const databaseUrl = await createDatabaseUrl();
    const site = await openSite({ DATABASE_URL: databaseUrl }, databaseUrl, cleanups);
    const { mailServer } = site;
    const leave = async (): Promise<void> => {
      await mailServer.stop();
      await requestCode(site, "waits@outages.test");
    };
    await outlive(site, { leave, comeBack: () => mailServer.start() }, () => null);
    await expect
      .poll(() => mailServer.received.map(({ recipient }) => recipient), { timeout: longestRecoveryMs })
      .toContain("waits@outages.test");
  },
);

it.runIf(isFull)(
  `the disk is full for ${outageMs / 1000} s: files are refused by name, and everything goes on afterwards`,
  { timeout: outageMs + 180_000 },
  async ({ skip }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "arcada-full-disk-"));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], { stdio: "ignore" });
    } catch {
      return skip("no file system can be mounted here");
    }
    cleanups.push(() => execFileSync("umount", ["-l", folder], { stdio: "ignore" }));
    const databaseUrl = await createDatabaseUrl();
    const site = await openSite({ DATABASE_URL: databaseUrl, DATA_DIR: folder }, databaseUrl, cleanups);
    const ballast = path.join(folder, "ballast");
    const leave = () => {
      expect(() => writeFileSync(ballast, Buffer.alloc(64 * 1024 * 1024))).toThrow("ENOSPC");
    };
    await outlive(site, { leave, comeBack: () => rmSync(ballast) }, (name) => (name === "part" ? "storageFull" : null));
  },
);

interface Part {
  leave: () => unknown;
  comeBack: () => unknown;
}

/**
 * Takes a part away while steps and an upload are under way, looks at the answers meanwhile, and measures how soon all
 * kinds of work go on.
 * @param findRefusal returns the refusal that a request is answered with during the outage
 */
async function outlive(site: Site, part: Part, findRefusal: (name: RequestName) => RefusalName | null): Promise<void> {
  const { product, order, clinic, patientId } = site;
  const { pid } = product;
  const image = drawImage("large", 1200);
  const options = { partBytes: 100_000, pauseMs: Math.min(500, outageMs / 20) };
  const parked = await Promise.all(languages.map(() => startUpload(site)));
  const sending = sendInParts(product.address, clinic.token, image, options);
  order.run();
  await sleep(1000);
  await part.leave();
  await sleep(trustedMs);
  const stepsBefore = order.acknowledged;
  const answers = await collectAnswers(site, parked);
  const stepsMeanwhile = order.acknowledged - stepsBefore;
  await part.comeBack();
  const recovery = await measureRecovery(site);
  const upload = await sending;
  await order.stop();
  const stored = await storeImage(clinic, patientId, upload.id);

  const slowest = Math.max(...answers.map(({ ms }) => ms));
  console.info(
    `outages: ${answers.length} requests, slowest answer ${Math.round(slowest)} ms; ${Object.entries(recovery)
      .map(([name, ms]) => `${name} after ${Math.round(ms)} ms`)
      .join(", ")}; ${order.acknowledged} steps, ${upload.interrupted} parts without acknowledgement`,
  );
  const wrong = answers.filter((answer) => !isExpected(answer, findRefusal(answer.name)));
  expect(new Set(wrong.map(({ name, language, status, text }) => `${name} ${language}: ${status} ${text}`))).toEqual(
    new Set(),
  );
  if (findRefusal("step") === null) expect(stepsMeanwhile).toBeGreaterThan(0);
  expect(slowest).toBeLessThanOrEqual(longestAnswerMs);
  expect(Object.entries(recovery).filter(([, ms]) => ms > longestRecoveryMs)).toEqual([]);
  expect(upload.lost).toEqual([]);
  expect(await order.findLost()).toBeNull();
  const original = await fetch(product.address + present(stored[0], "original"));
  expect(hash(Buffer.from(await original.arrayBuffer()))).toBe(hash(image));
  expect(product.pid).toBe(pid);
  expect(product.output).not.toContain("ended with");
  expect(() => process.kill(pid, 0)).not.toThrow();
}

const parkedBytes = 200_000;
/** Starts an upload of which no part has come. */
async function startUpload({ product, clinic }: Site): Promise<string> {
  const headers = { token: clinic.token, "tus-resumable": "1.0.0", "upload-length": String(parkedBytes) };
  const made = await fetch(`${product.address}/uploads`, { method: "POST", headers });
  return present(made.headers.get("location"), "location");
}

type RequestName = "list" | "step" | "upload" | "part" | "stream" | "file" | "alive";
interface Answer {
  name: RequestName;
  language: (typeof languages)[number];
  /** Null if nothing came in time. */
  status: number | null;
  retryAfter: string | null;
  text: string;
  ms: number;
}

async function collectAnswers(site: Site, parked: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const until = performance.now() + outageMs; performance.now() < until; await sleep(outageMs / 20))
    answers.push(
      ...(await Promise.all(
        languages.flatMap((language, place) =>
          Object.entries(describeRequests(site, present(parked[place]))).map(([name, [url, init]]) =>
            ask(name as RequestName, language, site, { ...init, url }),
          ),
        ),
      )),
    );
  return answers;
}

function describeRequests({ order, file }: Site, parked: string): Record<RequestName, [string, RequestInit]> {
  const json = { method: "POST", headers: { "content-type": "application/json" } };
  const tus = { "tus-resumable": "1.0.0" };
  const part = { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" };
  const step = { id: order.id, version: 0, action: "requestInfo", text: "A2?" };
  return {
    list: [patientCalls.list.path, {}],
    step: [orderCalls.step.path, { ...json, body: JSON.stringify(step) }],
    upload: ["/uploads", { method: "POST", headers: { ...tus, "upload-length": "1000" } }],
    part: [parked, { method: "PATCH", headers: part, body: randomBytes(parkedBytes) }],
    stream: ["/v1/notice/stream", {}],
    file: [file, {}],
    alive: ["/livez", {}],
  };
}

async function ask(
  name: RequestName,
  language: Answer["language"],
  { product, clinic }: Site,
  { url, ...init }: RequestInit & { url: string },
): Promise<Answer> {
  const began = performance.now();
  const headers = { token: clinic.token, "accept-language": language, ...(init.headers as Record<string, string>) };
  const signal = AbortSignal.timeout(2 * longestAnswerMs);
  const answer = await fetch(product.address + url, { ...init, headers, signal }).catch(() => null);
  const retryAfter = answer?.headers.get("retry-after") ?? null;
  const text = answer && answer.status >= 500 ? await answer.text() : "";
  await answer?.body?.cancel().catch(() => {});
  return { name, language, status: answer?.status ?? null, retryAfter, text, ms: performance.now() - began };
}

/** The others are refused as usual: a step from an old version, or a part that is there already. */
const usualStatus: Partial<Record<RequestName, number>> = { list: 200, stream: 200, file: 200, alive: 200 };

/** An answer is the refusal in the reader's language, or the usual one if the request does not need the missing part. */
function isExpected({ name, language, status, retryAfter, text }: Answer, refusal: RefusalName | null): boolean {
  if (refusal === null || name === "alive")
    return status !== null && status < 500 && status === (usualStatus[name] ?? status);
  const expected = { code: refusals[refusal].code, msg: translate(language, "refusals", refusal) };
  const { code, msg } = JSON.parse(text || "{}") as Partial<typeof expected>;
  const isNamed = status === refusals[refusal].status && code === expected.code && msg === expected.msg;
  return isNamed && (refusal !== "unavailable" || Number(retryAfter) > 0);
}

/** Returns the time in ms after which each kind of work was done. */
async function measureRecovery(site: Site): Promise<Record<string, number>> {
  const { clinic, order, events, mailServer } = site;
  const began = performance.now();
  const until = async (work: () => Promise<boolean> | boolean): Promise<number> => {
    while (!(await Promise.resolve(work()).catch(() => false))) await sleep(50);
    return performance.now() - began;
  };
  const [steps, seen] = [order.acknowledged, events.count(order.id)];
  const account = `${randomBytes(6).toString("hex")}@outages.test`;
  const mail = async (): Promise<number> => {
    await until(async () => (await requestCode(site, account)) === 200);
    return until(() => mailServer.received.some(({ recipient }) => recipient === account));
  };
  const [step, upload, event, email] = await Promise.all([
    until(() => order.acknowledged > steps),
    until(() => clinic.upload("again.dcm", randomBytes(300_000)).then(() => true)),
    until(() => events.count(order.id) > seen),
    mail(),
  ]);
  return { step, upload, event, email };
}
