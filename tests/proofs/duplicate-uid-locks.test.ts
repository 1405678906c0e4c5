import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { saveInstances, saveLevels } from "../../apps/server/src/dicomweb/indexing/index.store.ts";
import type { Db } from "../../apps/server/src/platform/database/database.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import {
  lockRecords,
  moveRows,
  setMergedInto,
  separateRecords,
} from "../../apps/server/src/patient/merge/merge.store.ts";
import { cancelJob } from "../../apps/server/src/study/upload-job/upload-job.store.ts";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";

/** Those who decide which of one UID's studies searches find: their order of locks is forced, not left to chance. */
describe("two that change studies of one UID in two collections", () => {
  let clinicAndLab: TestSetup;
  let clinic: TestUser;
  let iid: string;
  beforeAll(async () => {
    clinicAndLab = await setup();
    clinic = clinicAndLab.clinic;
    iid = clinic.iid;
  });
  const as = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    clinicAndLab.server.running.database.as({ system: false, iid, uid: clinic.uid }, work);
  const asSystem = <T>(work: (db: Db) => Promise<T>): Promise<T> => clinicAndLab.server.running.database.asSystem(work);

  it("wait for each other where both are read for DICOMweb", async () => {
    const { uid, first, second } = await runConcurrently();
    expect(await shownOf(uid)).toEqual([first.id]);
    await waitForLocks([uid], [reads(first), reads(second)]);
    expect(await shownOf(uid)).toEqual([first.id]);
  });

  it("wait for each other where nothing is left of either that could be asked for", async () => {
    const { uid, first, second } = await runConcurrently();
    await forget(uid);
    await waitForLocks([uid], [reads(first), reads(second)]);
    expect(await shownOf(uid)).toEqual([]);
  });

  it("wait for each other where both uploads are cancelled", async () => {
    const { uid, first, second } = await runConcurrently();
    await waitForLocks([uid], [cancels(first), cancels(second)]);
    expect(await shownOf(uid)).toEqual([]);
  });

  it("wait for each other where the shown one is read and the other's upload is cancelled", async () => {
    const { uid, first, second } = await runConcurrently();
    await waitForLocks([uid], [reads(first), cancels(second)]);
    expect(await shownOf(uid)).toEqual([first.id]);
  });

  it("wait for each other where the shown one's upload is cancelled and the other is read", async () => {
    const { uid, first, second } = await runConcurrently();
    await waitForLocks([uid], [cancels(first), reads(second)]);
    expect(await shownOf(uid)).toEqual([second.id]);
  });

  it("wait for each other where two merges bring the same UIDs along in opposite order", async () => {
    const uids = [newUid(), newUid()];
    const [one, other, kept, keptToo] = [await patient(), await patient(), await patient(), await patient()];
    for (const uid of uids) await createStudy(one, uid);
    for (const uid of uids.toReversed()) await createStudy(other, uid);
    await waitForLocks(uids, [merges(one, kept), merges(other, keptToo)]);
    for (const uid of uids) expect(await shownOf(uid)).toHaveLength(1);
  });

  it("wait for each other where a merge is undone and the hidden one's upload is cancelled", async () => {
    const uid = newUid();
    const [one, kept] = [await patient(), await patient()];
    const [first, second] = [await createStudy(one, uid), await createStudy(null, uid)];
    const moved = await as(merges(one, kept));
    const undoes = async (db: Db) => {
      await lockRecords(db, iid, [one, kept]);
      await separateRecords(db, iid, { kept_id: kept, merged_id: one, moved });
    };
    await waitForLocks([uid], [undoes, cancels(second)]);
    expect(await shownOf(uid)).toEqual([first.id]);
  });

  const reads = (study: Study) => (db: Db) => saveLevels(db, iid, [study.id]);
  const cancels = (study: Study) => (db: Db) => cancelJob(db, iid, study.job);
  const merges = (from: string, to: string) => async (db: Db) => {
    await lockRecords(db, iid, [from, to]);
    const moved = await moveRows(db, iid, from, to);
    await setMergedInto(db, iid, from, to);
    return moved;
  };
  const forget = (uid: string) =>
    asSystem((db) => sql`delete from dicom_instance where uid = ${instanceUid(uid)}`.execute(db));

  /** In the inbox and at a patient; searches find the first. */
  async function runConcurrently(): Promise<{ uid: string; first: Study; second: Study }> {
    const uid = newUid();
    return { uid, first: await createStudy(null, uid), second: await createStudy(await patient(), uid) };
  }

  /**
   * Lets each operation reach the point where it waits for the lock on these UIDs, in this order, and then releases
   * them all. None may be aborted.
   */
  async function waitForLocks(
    uids: readonly string[],
    works: readonly ((db: Db) => Promise<unknown>)[],
  ): Promise<void> {
    const ends: Promise<string>[] = [];
    await asSystem(async (db) => {
      for (const uid of uids) await sql`select pg_advisory_xact_lock(${keyOf(uid)})`.execute(db);
      for (const work of works) {
        ends.push(
          as(work).then(
            () => "done",
            (error: Error) => error.message,
          ),
        );
        await expect.poll(() => waitingFor(uids)).toBe(ends.length);
      }
    });
    expect(await Promise.all(ends)).toEqual(works.map(() => "done"));
  }

  const keyOf = (uid: string) => sql<string>`hashtextextended(${`arcada shown ${iid} ${uid}`}, 0)`;

  const waitingFor = async (uids: readonly string[]): Promise<number> => {
    const keys = sql.join(uids.map(keyOf));
    const [found] = await clinicAndLab.server.running.database.queryAsSystem(sql<{
      waiting: number;
    }>`select count(*)::int as waiting from pg_locks where locktype = 'advisory' and not granted
      and (classid::bigint << 32 | objid::bigint) in (${keys})`);
    return found.waiting;
  };

  const shownOf = async (uid: string): Promise<string[]> => {
    const { rows } = await as((db) =>
      sql<{ id: string }>`select study_id as id from dicom_study where uid = ${uid} and shown`.execute(db),
    );
    return rows.map(({ id }) => id);
  };

  const patient = (): Promise<string> => createPatient(clinic);

  /** Creates a study with one image, imported and read, whose job is still running. */
  async function createStudy(patientId: string | null, uid: string): Promise<Study> {
    const [id, job, series, instance] = [newId(), newId(), newId(), newId()];
    await as(async (db) => {
      await sql`insert into ingest_job (institution_id, id, patient_id, uploads, upload_key, accept_mismatch, created_by, state)
        values (${iid}, ${job}, ${patientId}, '{}', ${job}, true, ${clinic.uid}, 'running')`.execute(db);
      await sql`insert into study (institution_id, id, patient_id, kind, kind_certain, state, uid, count, bytes, created_by, job_id)
        values (${iid}, ${id}, ${patientId}, 'ct', true, 'ready', ${uid}, 1, 1, ${clinic.uid}, ${job})`.execute(db);
      await sql`insert into series (institution_id, id, study_id, kind, place, job_id)
        values (${iid}, ${series}, ${id}, 'pictures', 0, ${job})`.execute(db);
      await sql`insert into instance (institution_id, id, study_id, series_id, place, name, format, bytes, sha256, job_id)
        values (${iid}, ${instance}, ${id}, ${series}, 0, 'one', 'dicom', 1, ${instance}, ${job})`.execute(db);
      const read = {
        institution_id: iid,
        instance_id: instance,
        study_id: id,
        series_uid: `${uid}.1`,
        uid: instanceUid(uid),
        sop_class: "1",
        number: 1,
        frames: 1,
        syntax: "1",
        attributes: "{}",
        metadata: JSON.stringify({ "0020000D": { vr: "UI", Value: [uid] } }),
        frames_at: null,
        frame_bytes: null,
      };
      await saveInstances(db, iid, [read]);
      await saveLevels(db, iid, [id]);
    });
    return { id, job };
  }
});

interface Study {
  id: string;
  job: string;
}
const instanceUid = (uid: string): string => `${uid}.1.1`;
let uidCount = 0;
const newUid = (): string => `1.2.58.${++uidCount}`;
