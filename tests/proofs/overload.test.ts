import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import type { Socket } from "node:net";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { startDatabaseProxy } from "@arcada/testing/peers/database-proxy";
import { createDatabaseUrl } from "@arcada/testing/setup/database-url";
import { solveHumanCheck } from "@arcada/testing/fixtures/human-check";
import { Product } from "@arcada/testing/setup/product-process";
import { SmtpPeer } from "@arcada/testing/peers/smtp-peer";
import { refusalOf } from "@arcada/testing/refusal-of";

const isFull = process.env["ARCADA_PROOF"] === "full";
const SECRET_KEY = "a-key-of-forty-characters-for-this-proof";
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).toReversed()) await close();
});

async function startProduct(environment: Record<string, string> = {}, folder?: string): Promise<Product> {
  const product = new Product(environment, folder);
  cleanups.push(() => product.remove());
  await product.start();
  return product;
}
async function createClinic(product: Product): Promise<{ token: string }> {
  const token = await product.register("overload@clinic.test", "clinicManager");
  const { id } = await product.call(
    institutionCalls.create,
    { name: "Overload", type: "clinic", country: "CN" },
    { token },
  );
  const moved = await product.call(institutionCalls.switch, { iid: id }, { token });
  return { token: moved.token };
}
let patientCount = 0;
const createPatient = (product: Product, session: { token: string }, signal = AbortSignal.timeout(40_000)) =>
  fetch(product.address + patientCalls.create.path, {
    method: "POST",
    headers: { ...session, "content-type": "application/json", "accept-language": "en" },
    body: JSON.stringify({ name: `Patient ${(patientCount += 1)}`, sex: "other", birthDate: "1990-01-01" }),
    signal,
  });
const readReadiness = async (product: Product) => {
  const answer = await fetch(`${product.address}/readyz`, { signal: AbortSignal.timeout(10_000) });
  return { status: answer.status, checks: ((await answer.json()) as { checks: Record<string, string> }).checks };
};
const countPatients = (product: Product, session: { token: string }): Promise<number> =>
  product.call(patientCalls.list, {}, session).then(({ total }) => total);

/** Opens sockets that send this text and nothing more. */
async function openSockets(product: Product, many: number, says: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  cleanups.push(() => sockets.forEach((socket) => socket.destroy()));
  while (sockets.length < many) {
    const some = Math.min(200, many - sockets.length);
    await Promise.all(
      Array.from(
        { length: some },
        () =>
          new Promise<void>((resolve, reject) => {
            const socket = connect(product.port, "127.0.0.1", () => {
              if (says) socket.write(says);
              resolve();
            });
            socket.once("error", reject);
            socket.on("error", () => {});
            socket.resume();
            sockets.push(socket);
          }),
      ),
    );
  }
  return sockets;
}
/** So many files may this process, and those that it starts, have open. */
const openFileLimit = (): number =>
  Number(/Max open files\s+(\d+)/.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? 1024);

describe("T-16: more than a server is made for", () => {
  it("keeps serving while thousands of connections do nothing, half of them in the middle of a head", async () => {
    const product = await startProduct();
    const session = await createClinic(product);
    const wanted = isFull ? 10_000 : 500;
    const many = Math.min(wanted, openFileLimit() - 500);
    await openSockets(product, many / 2, "GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n");
    const halfOpen = await openSockets(
      product,
      many / 2,
      "POST /v1/base/login HTTP/1.1\r\nhost: localhost\r\ncontent-le",
    );
    const begun = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => createPatient(product, session)));
    const took = performance.now() - begun;
    console.info(
      `T-16: ${many} of ${wanted} idle connections held, 20 patients made beside them in ${Math.round(took)} ms`,
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await readReadiness(product)).status).toBe(200);
    for (const socket of halfOpen) socket.destroy();
    expect(await countPatients(product, session)).toBe(20);
  }, 180_000);

  it("keeps serving while bodies come by the byte", async () => {
    const product = await startProduct();
    const session = await createClinic(product);
    const head = `POST /v1/base/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`;
    const sockets = await openSockets(product, isFull ? 750 : 100, head);
    const dripping = setInterval(() => sockets.forEach((socket) => socket.writable && socket.write(" ")), 200);
    cleanups.push(() => clearInterval(dripping));
    for (let round = 0; round < 10; round++) expect((await createPatient(product, session)).status).toBe(200);
  }, 120_000);

  it.each<[string, () => string]>([
    ["a hundred thousand lists in each other", () => `{"account":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["a hundred thousand objects in each other", () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["two megabytes of opening brackets", () => "[".repeat(2_000_000)],
    [
      "two hundred thousand names",
      () => JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 1]))),
    ],
    ["a name twice", () => `{"account":"a@b.test","account":[1],"password":"x"}`],
    ["the names of prototypes", () => `{"__proto__":{"account":"a@b.test"},"constructor":{"prototype":{"x":1}}}`],
    ["a number without end", () => `{"account":${"9".repeat(1_000_000)}}`],
    ["a text without end", () => `{"account":"${"a".repeat(3_000_000)}"}`],
  ])(
    "refuses %s by name, and serves others meanwhile",
    async (_, body) => {
      const product = await getSharedProduct();
      const [answer, alive] = await Promise.all([
        fetch(product.address + signInCalls.login.path, {
          method: "POST",
          headers: { "content-type": "application/json", "accept-language": "en" },
          body: body(),
          // The server closes the connection if the body continues after the rejection. Some clients see only that.
        }).catch(() => null),
        fetch(`${product.address}/livez`),
      ]);
      expect(alive.status).toBe(200);
      if (answer === null) return;
      expect(["badInput", "badJson", "tooLarge"]).toContain(refusalOf((await answer.json()) as { code: number }));
      expect(answer.status).toBeLessThan(500);
    },
    60_000,
  );
});

/** One server, shared by the tests that do it no harm. */
let commonProduct: Promise<Product> | undefined;
const getSharedProduct = (): Promise<Product> =>
  (commonProduct ??= (async () => {
    const product = new Product();
    await product.start();
    return product;
  })());

afterAll(async () => (await commonProduct)?.remove());

/** Mounts a separate file system over a folder; returns whether this is possible here. */
function mountVolume(folder: string, size: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
    cleanups.push(() => execFileSync("umount", ["-l", folder], { stdio: "ignore" }));
    return true;
  } catch {
    return false;
  }
}

describe("T-16: an unavailable dependency of the server", () => {
  it("a full disk refuses files by name, keeps existing files, and accepts files again when there is space", async (context) => {
    const product = new Product();
    const uploads = path.join(product.folder, "uploads");
    if (!mountVolume(uploads, "8m")) {
      console.info("T-16: no file system can be mounted here; the full disk is not tried");
      return context.skip();
    }
    cleanups.push(() => product.stop());
    await product.start();
    const session = await createClinic(product);
    await product.upload(session.token, "small.stl", new Uint8Array(1_000_000));
    const told = await product.upload(session.token, "large.stl", new Uint8Array(12_000_000)).then(
      () => "taken",
      (error: Error) => error.message,
    );
    expect(told).toMatch(new RegExp(`507.*${refusals.storageFull.code}`, "s"));
    expect((await createPatient(product, session)).status).toBe(200);
    execFileSync("mount", ["-o", "remount,size=64m", uploads]);
    expect(await product.upload(session.token, "again.stl", new Uint8Array(12_000_000))).toMatch(/./);
  }, 120_000);

  it("a database that refuses connections is reported by name, and nothing that was acknowledged is lost", async () => {
    const { product, session, line } = await startBehindProxy();
    await line.breaks();
    const [answer, state] = await Promise.all([createPatient(product, session), readReadiness(product)]);
    expect([answer.status, refusalOf((await answer.json()) as { code: number })]).toEqual([503, "unavailable"]);
    expect([state.status, state.checks["database"] === "ok", state.checks["storage"]]).toEqual([503, false, "ok"]);
    expect((await fetch(`${product.address}/livez`)).status).toBe(200);
    await line.resume();
    await expect
      .poll(() => createPatient(product, session).then(({ status }) => status), { timeout: 10_000 })
      .toBe(200);
    await expect.poll(async () => (await readReadiness(product)).status, { timeout: 10_000 }).toBe(200);
    expect(await countPatients(product, session)).toBeGreaterThanOrEqual(6);
  }, 120_000);

  // Requests wait meanwhile, because no call has its own time limit for database answers.
  it("a database that does not answer is reported by readyz, and waiting requests are answered when it resumes", async () => {
    const { product, session, line } = await startBehindProxy();
    line.hold();
    const waiting = createPatient(product, session);
    const state = await readReadiness(product);
    expect([state.status, state.checks["database"]]).toEqual([503, "no answer within 3 s"]);
    expect((await fetch(`${product.address}/livez`)).status).toBe(200);
    await line.resume();
    expect((await waiting).status).toBe(200);
    await expect.poll(async () => (await readReadiness(product)).status, { timeout: 10_000 }).toBe(200);
    expect(await countPatients(product, session)).toBe(6);
  }, 120_000);

  it("the embedded database is restarted after it was killed", async () => {
    const product = await startProduct();
    const session = await createClinic(product);
    for (let made = 0; made < 5; made++) expect((await createPatient(product, session)).status).toBe(200);
    process.kill(product.postmasterPid(), "SIGKILL");
    const told = await createPatient(product, session).then(
      async (one) => refusalOf((await one.json()) as { code: number }),
      // Its connection may have been about to be closed for idleness.
      () => "unavailable",
    );
    // Its own last statement may still have been taken.
    expect(["unavailable", "accepted"]).toContain(told);
    await expect
      .poll(() => createPatient(product, session).then(({ status }) => status), { timeout: 20_000 })
      .toBe(200);
    expect(await countPatients(product, session)).toBeGreaterThanOrEqual(6);
    // The server itself went on all the while.
    expect(product.output).not.toContain("ended with");
    expect(() => process.kill(product.pid, 0)).not.toThrow();
  }, 120_000);

  it("emails wait for an unavailable mail server, and other requests are still served", async () => {
    const peer = await new SmtpPeer().start();
    cleanups.push(() => peer.stop());
    const product = await startProduct({ SMTP_URL: peer.url });
    await peer.stop();
    const challenge = await product.call(signInCalls.humanChallenge, {});
    const sent = await product.ask(signInCalls.sendCode, {
      account: "waits@clinic.test",
      purpose: "register",
      human: await solveHumanCheck(challenge),
    });
    expect(sent.code).toBe(200);
    expect((await readReadiness(product)).status).toBe(200);
    await peer.start();
    await expect
      .poll(() => peer.received.map(({ recipient }) => recipient), { timeout: 60_000 })
      .toEqual(["waits@clinic.test"]);
  }, 120_000);
});

/** A clinic with five patients on a server whose database connection runs through a controllable proxy. */
async function startBehindProxy() {
  const line = await startDatabaseProxy(await createDatabaseUrl());
  cleanups.push(() => line.breaks());
  const product = await startProduct({ DATABASE_URL: line.url, SECRET_KEY });
  const session = await createClinic(product);
  for (let made = 0; made < 5; made++) expect((await createPatient(product, session)).status).toBe(200);
  return { product, session, line };
}
