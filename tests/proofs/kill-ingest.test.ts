import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { createArchScan } from "@arcada/phantom/scan/arch-scan";
import { createCbctFiles } from "@arcada/phantom/cbct/cbct";
import { makeHead } from "@arcada/phantom/anatomy/head";
import { writeStl } from "@arcada/imaging/mesh/write-mesh";
import { failJob } from "../../apps/server/src/ingest/convert/convert.store.ts";
import { runIngestJob } from "../../apps/server/src/ingest/run-ingest-job.ts";
import { craftZip } from "../../apps/server/src/ingest/archive/crafted-zip.ts";
import { workerPools } from "../../apps/server/src/ingest/worker-pools.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { Refused } from "../../apps/server/src/platform/http/refuse.ts";
import type { FileStore } from "../../apps/server/src/platform/storage/file-store.ts";
import { files, uploadParts, provideServices } from "../../apps/server/src/platform/runtime/services.ts";
import { repairStorageTally } from "../../apps/server/src/platform/upload/storage-tally.ts";
import type { IngestWork } from "@arcada/testing/workers/interrupted-ingest-process";
import { waitForIngestJob, createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

const isFull = process.env.ARCADA_PROOF === "full";
const head = makeHead("kill");
const wang = { id: "1", name: "Wang^Xiaoming=王^小明", sex: "M", birthDate: "19900101" } as const;
const slices = [...createCbctFiles(head, wang, { size: { columns: 64, rows: 64, slices: 20, voxel: 2.4 } })];
const zip = craftZip(slices.map(({ bytes }, place) => ({ name: `disc/I${place}`, data: bytes })));
const scan = writeStl(createArchScan(head, "upper"));
const stages = ["receiving", "unpacking", "reading", "storing", "converting"] as const;
const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

let photo: Uint8Array;
let clinicAndLab: TestSetup;
let folder = "";
beforeAll(async () => {
  clinicAndLab = await setup();
  photo = await sharp({ create: { width: 80, height: 60, channels: 3, background: "#a06040" } })
    .jpeg()
    .toBuffer();
  folder = uploadParts().workFolder;
});
const database = () => clinicAndLab.server.running.database;

interface Job {
  clinic: TestUser;
  patient: string;
  key: { iid: string; job: string };
}
/** A job with an archive, a scan and a photo that no queue knows of. */
async function createWaitingJob(): Promise<Job> {
  const { clinic } = await setup();
  const patient = await createPatient(clinic);
  const uploads = [
    await clinic.upload("cbct.zip", zip),
    await clinic.upload("upper.stl", scan),
    await clinic.upload("smile.jpg", photo),
  ];
  const key = { iid: clinic.iid, job: newId() };
  await database().asSystem((db) =>
    sql`insert into ingest_job (institution_id, id, patient_id, uploads, upload_key, accept_mismatch, created_by)
      values (${key.iid}, ${key.job}, ${patient}, ${uploads}::uuid[], ${key.job}, false, ${clinic.uid})`.execute(db),
  );
  return { clinic, patient, key };
}
const resumeJob = ({ key }: Job) => runIngestJob(database(), key, new AbortController().signal);

/** The stages of the moments that it lived through. */
async function runUntil({ key }: Job, dieAt: IngestWork["dieAt"]): Promise<{ seen: string[]; died: boolean }> {
  const work: IngestWork = { connection: clinicAndLab.server.running.connection, folder, ...key, dieAt };
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, "../../packages/testing/src/workers/interrupted-ingest-process.ts")],
    {
      env: { ...process.env, INGEST_WORK: JSON.stringify(work) },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => void (output += chunk.toString()));
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  return { seen: output.split("\n").filter(Boolean), died: signal === "SIGKILL" };
}

const listStoredFiles = (area: string, iid: string): string[] => {
  const root = path.join(folder, "files", area, iid);
  return existsSync(root)
    ? readdirSync(root)
        .flatMap((some) => readdirSync(path.join(root, some)))
        .toSorted()
    : [];
};
async function querySha256(statement: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await database().asSystem((db) => statement.execute(db));
  return (rows as { sha256: string }[]).map(({ sha256 }) => sha256);
}

/** Everything that was sent is there once, byte for byte and ready to be looked at, and nothing else is. */
async function expectComplete({ clinic, patient, key: { iid, job } }: Job): Promise<void> {
  expect(await clinic.call("study.job", { id: job })).toMatchObject({ state: "done", refused: [], refusal: null });
  const rows = await clinic.call("study.list", { patientId: patient });
  expect(rows.map(({ kind, state, count }) => `${kind} ${state} ${count}`).toSorted()).toEqual([
    "ct ready 20",
    "model ready 1",
    "photo ready 1",
  ]);
  const ct = await clinic.call("study.detail", { id: present(rows.find(({ kind }) => kind === "ct")).id });
  expect(ct.series[0].volume?.groups).toHaveLength(3);
  const sent = [...slices.map(({ bytes }) => hash(bytes)), hash(scan), hash(photo)].toSorted();
  expect(listStoredFiles("originals", iid)).toEqual(sent);
  expect(await querySha256(sql`select sha256 from stored_file where institution_id = ${iid} order by 1`)).toEqual(sent);
  for (const sha256 of sent)
    expect(hash(await files().local("originals", iid, sha256, async (at) => readFileSync(at)))).toBe(sha256);
  const named = await querySha256(sql`select sha256 from converted_file where institution_id = ${iid}
    union select thumbnail from series where institution_id = ${iid} and thumbnail is not null
    union select thumbnail from instance where institution_id = ${iid} and thumbnail is not null order by 1`);
  expect(listStoredFiles("converted", iid)).toEqual(named);
  // Nothing to correct: the tally equals the rows although the writer was killed.
  expect(await repairStorageTally(database())).toEqual([]);
}

describe("T-04: a job that is killed", () => {
  it(
    "in each stage, one after the other, resumes and completes: nothing lost, nothing duplicated, nothing left over",
    { timeout: 300_000 },
    async () => {
      const job = await createWaitingJob();
      for (const stage of stages) {
        const { seen, died } = await runUntil(job, { stage, moment: stage === "converting" ? 8 : 0 });
        expect([died, seen.at(-1)]).toEqual([true, stage]);
      }
      await resumeJob(job);
      await expectComplete(job);
    },
  );

  it.runIf(isFull)("at any moment completes when it resumes", { timeout: 3_600_000 }, async () => {
    const calm = await createWaitingJob();
    const { seen } = await runUntil(calm, null);
    await expectComplete(calm);
    for (const moment of seen.keys()) {
      const job = await createWaitingJob();
      await runUntil(job, { stage: null, moment });
      await resumeJob(job);
      await expectComplete(job);
    }
    console.info(`T-04: ${seen.length} kills, each at another moment of an ingest: 0 lost, 0 left over`);
  });
});

/** A store of which some actions fail for a while. */
async function withFailingStore(
  change: (real: FileStore) => Partial<FileStore>,
  work: () => Promise<void>,
): Promise<void> {
  const real = files();
  provideServices({ files: { ...real, ...change(real) } });
  await work().finally(() => provideServices({ files: real }));
}
const failWith = (error: Error) => async (): Promise<never> => {
  throw error;
};
const connectionError = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
const giveUpJob = ({ key }: Job, why: "storageFull" | "internal") =>
  database().asSystem((db) => failJob(db, key.iid, key.job, why));

describe("a job with a failing store", () => {
  it("waits while the disk is full and then imports everything; after the last attempt it reports the failure", async () => {
    const noRoom = { adopt: failWith(new Refused("storageFull", null, false)) };
    const job = await createWaitingJob();
    await withFailingStore(
      () => noRoom,
      () => expect(resumeJob(job)).rejects.toThrow("storageFull"),
    );
    expect((await job.clinic.call("study.job", { id: job.key.job })).state).toBe("running");
    await resumeJob(job);
    await expectComplete(job);
    const other = await createWaitingJob();
    await withFailingStore(
      () => noRoom,
      () => expect(resumeJob(other)).rejects.toThrow("storageFull"),
    );
    await giveUpJob(other, "storageFull");
    expect(await other.clinic.call("study.job", { id: other.key.job })).toMatchObject({
      state: "failed",
      refusal: "storageFull",
    });
    expect(await other.clinic.call("study.list", { patientId: other.patient })).toEqual([]);
  });

  it("reports missing viewer files if the store is unreachable while they are created, and completes on a retry", async () => {
    const job = await createWaitingJob();
    const away = (real: FileStore): Partial<FileStore> => ({
      adopt: (area, ...given) => (area === "converted" ? failWith(connectionError)() : real.adopt(area, ...given)),
    });
    await withFailingStore(away, () => expect(resumeJob(job)).rejects.toThrow("ECONNREFUSED"));
    await giveUpJob(job, "internal");
    const rows = await job.clinic.call("study.list", { patientId: job.patient });
    expect(rows.map(({ state }) => state)).toEqual(["failed", "failed", "failed"]);
    for (const { id } of rows) {
      const { job: again } = await job.clinic.call("study.convert", { id });
      expect((await waitForIngestJob(job.clinic, present(again))).state).toBe("done");
    }
    const after = await job.clinic.call("study.list", { patientId: job.patient });
    expect(after.map(({ state }) => state)).toEqual(["ready", "ready", "ready"]);
  });

  it("shows the rest and names the file if the store has lost an original, and waits for a slow store", async () => {
    const job = await createWaitingJob();
    const lost = hash(photo);
    const slow = (real: FileStore): Partial<FileStore> => ({
      adopt: async (...given) => {
        await new Promise((resolve) => setTimeout(resolve, 40));
        const stored = await real.adopt(...given);
        if (stored.sha256 === hash(slices[7].bytes)) await real.remove("originals", job.key.iid, lost);
        return stored;
      },
    });
    await withFailingStore(slow, () => resumeJob(job));
    const rows = await job.clinic.call("study.list", { patientId: job.patient });
    expect(rows.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
      "ct ready",
      "model ready",
      "photo failed",
    ]);
    const { refused } = await job.clinic.call("study.job", { id: job.key.job });
    expect(refused).toEqual([{ name: "smile.jpg", refusal: "fileDamaged" }]);
  });
});

it("a thread that is killed while it creates viewer files is replaced, and the study is complete", async () => {
  const job = await createWaitingJob();
  let killed = 0;
  const killing = (real: FileStore): Partial<FileStore> => ({
    adopt: async (area, ...given) => {
      // The first group has come: its thread is at work on the next.
      if (area === "converted" && killed++ === 0) await workerPools().pixels.close();
      return real.adopt(area, ...given);
    },
  });
  await withFailingStore(killing, () => resumeJob(job));
  expect(killed).toBeGreaterThan(1);
  await expectComplete(job);
});
