import type { StudyOrigin } from "@arcada/contract/study/study.rules";
import { beforeAll, describe, expect, it } from "vitest";
import { sql } from "kysely";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { Refused } from "../platform/http/refuse.ts";
import { recordIntake } from "../dicomweb/intake/intake.store.ts";
import { yieldToIndex } from "../domain/ingest-queue.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { convertStudies } from "./convert/convert-studies.ts";
import { failJob } from "./convert/convert.store.ts";
import { importGauges } from "./import.gauges.ts";
import { insertIngestJob } from "./ingest-job.writes.ts";
import { findJob } from "./ingest.store.ts";
import { startJob } from "./start-job.store.ts";
import type { JobKey } from "./job-content-records.store.ts";
import type { JobRun } from "./job-run.ts";
import { deleteJobLeftovers } from "./retention.writes.ts";

let env: TestSetup;
beforeAll(async () => void (env = await setup()));
const inSystem: TestSetup["server"]["running"]["database"]["asSystem"] = (work) =>
  env.server.running.database.asSystem(work);

const senderPerson = { number: "77", name: "Li Na", birthDate: null, sex: null };
async function openJob(key: string = newId(), origin: StudyOrigin = "device", by = env.clinic.uid) {
  const { iid } = env.clinic;
  const id = newId();
  const job = {
    id,
    patientId: null,
    kind: null,
    uploads: [],
    key,
    acceptMismatch: true,
    by,
    origin,
  } as const;
  await inSystem((db) => insertIngestJob(db, iid, { ...job, senderPerson }));
  return { iid, job: id };
}
async function openRunningJob(key?: string) {
  const opened = await openJob(key);
  await inSystem((db) => startJob(db, opened));
  return opened;
}
const fail = ({ iid, job }: { iid: string; job: string }, refusal: "unavailable" | "internal") =>
  inSystem((db) => failJob(db, iid, job, refusal));
const find = async (key: { iid: string; job: string }) => present(await inSystem((db) => findJob(db, key)), "job");

it("a job that an outage ended is resumed with the person whom the sender named", async () => {
  const key = await openRunningJob();
  await fail(key, "unavailable");
  expect(await inSystem((db) => startJob(db, key))).toMatchObject({ state: "running", sender_person: senderPerson });
  await fail(key, "internal");
  expect(await find(key)).toMatchObject({ state: "failed", sender_person: null });
});

it("the person of a job that was given up is forgotten with its contents", async () => {
  const key = await openRunningJob();
  await fail(key, "unavailable");
  await inSystem((db) => deleteJobLeftovers(db, 1));
  expect(await find(key)).toMatchObject({ sender_person: senderPerson });
  await inSystem((db) =>
    sql`update ingest_job set finished_at = now() - interval '2 days' where id = ${key.job}`.execute(db),
  );
  await inSystem((db) => deleteJobLeftovers(db, 1));
  expect(await find(key)).toMatchObject({ sender_person: null });
});

it("a job that an outage ended stays failed while another imports the same uploads", async () => {
  const key = await openRunningJob("same");
  await fail(key, "unavailable");
  await openJob("same");
  expect(await inSystem((db) => startJob(db, key))).toBeUndefined();
  expect(await find(key)).toMatchObject({ state: "failed", refusal: "unavailable" });
});

it("an outage of one study is reported, also if another study failed before it", async () => {
  const key = await openRunningJob();
  const faults = [new Error("broken"), new Refused("storageFull", null, false)];
  const run = {
    key,
    job: { ...(await find(key)), again: true },
    signal: new AbortController().signal,
    as: inSystem,
    step: () => Promise.reject(faults.shift()),
  } as Partial<JobRun> as JobRun;
  await expect(convertStudies(run, [newId(), newId()], {})).rejects.toThrow("storageFull");
});

it("the age of the oldest import that has not ended is a figure", async () => {
  const key = await openJob();
  await inSystem((db) =>
    sql`update ingest_job set created_at = now() - interval '9 days' where id = ${key.job}`.execute(db),
  );
  const { database } = env.server.running;
  const [gauge] = importGauges({ database } as Parameters<typeof importGauges>[0]);
  const { arcada_import_oldest_seconds: values } = await present(gauge, "gauge").read();
  expect(present(values?.[0], "value").value).toBeGreaterThanOrEqual(9 * 24 * 3600);
});

describe("an indexed job of a program", () => {
  const yields = async (key: JobKey, message = {}, change = {}) =>
    inSystem(async (db) => yieldToIndex(db, { ...present(await findJob(db, key), "job"), ...change }, message));
  it("lets the index of the program's other studies come first, four times at most", async () => {
    const { uid } = await env.server.createUser("clinicMember", { id: env.clinic.iid });
    const [own, waiting] = [await openJob(newId(), "stow", uid), await openJob(newId(), "stow", uid)];
    await inSystem((db) => startJob(db, own));
    expect([await yields(own), await yields(own, { yields: 3 }), await yields(own, { yields: 4 })]).toEqual([
      true,
      true,
      false,
    ]);
    await inSystem((db) => startJob(db, waiting));
    expect(await yields(own)).toBe(false);
  });

  it.for([
    ["lets the index of radiographs come first that no job has taken yet", false, 0, true],
    ["is not put off again by radiographs that arrive later", false, 1, false],
    ["does not wait for the slices of a volume", true, 0, false],
  ] as const)("%s", async ([, isPart, times, expected]) => {
    const { iid } = env.clinic;
    const { uid } = await env.server.createUser("clinicMember", { id: iid });
    const own = await openJob(newId(), "dimse", uid);
    await inSystem((db) => startJob(db, own));
    const file = {
      id: newId(),
      bytes: 1,
      sha256: "c".repeat(64),
      study: "1.2.6",
      uid: `1.2.6.${Number(isPart)}.${times}`,
      isPart,
    };
    await inSystem((db) => recordIntake(db, { iid, uid, origin: "dimse" }, [file]));
    expect(await yields(own, { yields: times })).toBe(expected);
  });

  it("goes on after an outage, and if images are converted again", async () => {
    const [own] = [await openJob(newId(), "dimse"), await openJob(newId(), "dimse")];
    await inSystem((db) => startJob(db, own));
    expect([await yields(own, { outages: 7 }), await yields(own, {}, { again: true })]).toEqual([false, false]);
  });
});

it("an indexed job of a device does not wait for others, because a person may look at its image", async () => {
  const [own] = [await openJob(), await openJob()];
  await inSystem((db) => startJob(db, own));
  expect(await inSystem(async (db) => yieldToIndex(db, present(await findJob(db, own), "job"), {}))).toBe(false);
});
