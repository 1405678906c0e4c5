import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import pg from "pg";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { SmtpPeer } from "@arcada/testing/peers/smtp-peer";
import { readConfig } from "../runtime/config.ts";
import { openJobs } from "../jobs/jobs.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { queueEmail, registerEmailJobs, sendEmail } from "./email-queue.ts";
import type { Email } from "./email-queue.ts";
import { openMail } from "./open-mail.ts";
import { maxConnections } from "./smtp.ts";
import { provideServices } from "../runtime/services.ts";

const { database, connection, folder } = await createTestDatabase();
const letter = (to: string, more: Pick<Email, "until"> = {}): Email => ({
  to,
  language: "en",
  name: "code",
  values: { code: "123456", minutes: 5 },
  ...more,
});
const post = (letters: Email[]) =>
  database.asSystem(async (db) => {
    for (const one of letters) await queueEmail(db, one);
  });
const people = (count: number, name: string) =>
  Array.from({ length: count }, (_, place) => `${name}${place}@peer.test`);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** No email waits, is being sent or is to be sent again. */
const allDone = () =>
  until(async () => {
    const [{ waiting, active }] = (await jobs.counts()).filter(({ name }) => name === "letter");
    expect([waiting, active]).toEqual([0, 0]);
  });
const until = (holds: () => unknown, timeout = 25_000) => vi.waitFor(holds, { timeout, interval: 50 });

/** Waits until so many emails wait for their next attempt, and sets it an hour away; forgets them after the test. */
async function pauseAll(count: number): Promise<void> {
  const owner = new pg.Client(connection);
  await owner.connect();
  const paused = "name = 'letter' and state = 'retry'";
  onTestFinished(async () => {
    await owner.query(`delete from pgboss.job where ${paused}`);
    await owner.end();
  });
  await until(async () => expect((await owner.query(`select from pgboss.job where ${paused}`)).rowCount).toBe(count));
  await owner.query(`update pgboss.job set start_after = now() + interval '1 hour' where ${paused}`);
}

let peer: SmtpPeer;
let jobs: Jobs;
let close: () => Promise<void>;
const log: string[] = [];
const config = () => readConfig({ DATA_DIR: folder, SMTP_URL: peer.url });
const names = () => peer.received.map(({ recipient }) => recipient).toSorted();

beforeEach(async () => {
  peer = await new SmtpPeer().start();
  log.length = 0;
  jobs = await openJobs(connection, { longestWaitSeconds: 1, onError: (error) => log.push(String(error)) });
  vi.spyOn(console, "error").mockImplementation((line: unknown) => void log.push(String(line)));
  const mail = openMail(config());
  provideServices({ jobs, mail });
  close = async () => {
    await jobs.stop(1);
    mail.close();
    await peer.stop();
    vi.restoreAllMocks();
  };
});
afterEach(() => close());

describe("a queued email", () => {
  it("outlasts an unreachable mail server: all arrive when it is back, each once, as text and HTML", async () => {
    await registerEmailJobs(jobs, config());
    await peer.stop();
    const to = people(20, "away");
    await post(to.map((one) => letter(one)));
    await until(() => expect(log.length).toBeGreaterThan(20));
    await peer.start();
    await until(() => expect(names()).toEqual(to.toSorted()));
    await allDone();
    expect(peer.received).toHaveLength(20);
    expect(peer.received[0]).toMatchObject({
      subject: "Your Arcada verification code",
      text: expect.stringContaining("123456"),
    });
    expect(peer.received[0].html).toContain("123456");
  });

  it("is retried after a temporary refusal, and given up after a permanent one; the log names nobody", async () => {
    const told: Record<string, number> = {};
    peer.behaviour.responseCode = (to) => {
      told[to] = (told[to] ?? 0) + 1;
      return to.startsWith("never") ? 550 : told[to] < 3 ? 451 : undefined;
    };
    await registerEmailJobs(jobs, config());
    await post([letter("later@peer.test"), letter("never@peer.test")]);
    await until(() => expect(names()).toEqual(["later@peer.test"]));
    await until(() => expect(log.join()).toContain("given up"));
    await allDone();
    expect(told).toEqual({ "later@peer.test": 3, "never@peer.test": 5 });
    expect(log.join()).toContain("550");
    expect(log.join()).not.toContain("peer.test");
  });

  it("that waits out an absent server is sent when it is back, and one that was refused for now keeps its pause", async () => {
    await jobs.stop(1);
    jobs = await openJobs(connection, { onError: (error) => log.push(String(error)) });
    provideServices({ jobs });
    let refusals = 0;
    peer.behaviour.responseCode = (to) => (to.startsWith("full") ? (refusals++, 451) : undefined);
    await registerEmailJobs(jobs, config());
    await post([letter("full@peer.test")]);
    await until(() => expect(refusals).toBe(1));
    await peer.stop();
    await post([letter("patient@peer.test")]);
    await pauseAll(2);
    const before = refusals;
    await peer.start();
    await until(() => expect(names()).toEqual(["patient@peer.test"]), 10_000);
    expect(refusals).toBe(before);
  });

  it("is not sent sooner again because the server hangs up in the middle of a message", async () => {
    await jobs.stop(1);
    jobs = await openJobs(connection, { onError: (error) => log.push(String(error)) });
    provideServices({ jobs });
    peer.behaviour.beforeAcknowledgement = async () => peer.hangUp();
    await registerEmailJobs(jobs, config());
    await post([letter("cut-off@peer.test")]);
    await until(() => expect(peer.received.length).toBeGreaterThan(0));
    await pauseAll(1);
    const before = peer.received.length;
    await pause(4000);
    expect(peer.received).toHaveLength(before);
  });

  it("is sent with few others at a time", async () => {
    peer.behaviour.beforeAcknowledgement = () => pause(60);
    await post(people(40, "many").map((one) => letter(one)));
    await registerEmailJobs(jobs, config());
    await until(() => expect(peer.received).toHaveLength(40));
    expect(peer.maxConcurrent).toBeGreaterThan(1);
    expect(peer.maxConcurrent).toBeLessThanOrEqual(maxConnections);
  });

  it("that is too late to be of use is not sent", async () => {
    await registerEmailJobs(jobs, config());
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    await post([letter("late@peer.test", { until: at(-1) }), letter("timely@peer.test", { until: at(60) })]);
    await until(() => expect(names()).toEqual(["timely@peer.test"]));
    await until(() => expect(log.join()).toContain("too late"));
  });
});

describe("the processes that send emails", () => {
  it("send every email once if there are two", async () => {
    const workers = [await worker(), await worker()];
    const to = people(60, "pair");
    await post(to.map((one) => letter(one)));
    await until(() => expect(names()).toEqual(to.toSorted()));
    await allDone();
    expect(peer.received).toHaveLength(60);
    await Promise.all(workers.map(end));
  });

  it("may be killed in the middle of an email: it arrives, at most twice and then with the same message id", async () => {
    const stuck = Promise.withResolvers<void>();
    peer.behaviour.beforeAcknowledgement = () => {
      stuck.resolve();
      return new Promise(() => {});
    };
    const mortal = await worker();
    await post([letter("cut@peer.test"), letter("next@peer.test")]);
    await stuck.promise;
    await end(mortal);
    peer.behaviour = {};
    const unacknowledged = peer.received.length;
    await registerEmailJobs(jobs, config());
    await until(() => expect(new Set(names().slice())).toEqual(new Set(["cut@peer.test", "next@peer.test"])), 28_000);
    await until(() => expect(peer.received.length).toBeGreaterThanOrEqual(2 + unacknowledged), 28_000);
    await allDone();
    for (const to of ["cut@peer.test", "next@peer.test"]) {
      const copies = peer.received.filter(({ recipient }) => recipient === to);
      expect(copies.length).toBeLessThanOrEqual(2);
      expect(new Set(copies.map(({ messageId }) => messageId)).size).toBe(1);
    }
  });
});

it("an urgent email is sent at once, and waits with the others if the server is unreachable or silent", async () => {
  await registerEmailJobs(jobs, config());
  await sendEmail(database, config(), letter("now@peer.test"));
  expect(names()).toEqual(["now@peer.test"]);
  await peer.stop();
  await sendEmail(database, config(), letter("soon@peer.test"));
  await peer.start();
  await until(() => expect(names()).toEqual(["now@peer.test", "soon@peer.test"]));
  const { promise: said, resolve: says } = Promise.withResolvers<void>();
  peer.behaviour.beforeAcknowledgement = () => said;
  // Returns although the server has not answered.
  await sendEmail(database, config(), letter("slow@peer.test"));
  says();
  await until(() => expect(names().filter((one) => one === "slow@peer.test").length).toBeGreaterThan(1));
});

/** A process with nothing else to do. */
async function worker(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, "../../../../../packages/testing/src/workers/email-sending-process.ts")],
    {
      env: { ...process.env, LETTER_WORKER: JSON.stringify({ connection, smtp: peer.url }) },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  await once(child.stdout, "data");
  return child;
}
async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
