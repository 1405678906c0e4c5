import { createHash, randomInt } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { saveInstances, saveLevels } from "../../apps/server/src/dicomweb/indexing/index.store.ts";
import { keepFiles, type ReceivedFile } from "../../apps/server/src/dicomweb/intake/keep-received-files.ts";
import { failJob } from "../../apps/server/src/ingest/convert/convert.store.ts";
import { findJob, lockJob, indexStudies, findSeriesInstances } from "../../apps/server/src/ingest/ingest.store.ts";
import type { PlannedStudy, StoredFile } from "../../apps/server/src/ingest/study/plan-studies.ts";
import { saveDerivedFile, finishStudy } from "../../apps/server/src/study/conversion.writes.ts";
import { removeLostDerivedFile } from "../../apps/server/src/study/retention.writes.ts";
import { markUnneeded } from "../../apps/server/src/platform/storage/blob-references.ts";
import type { Db } from "../../apps/server/src/platform/database/database.ts";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { recordStoredFiles } from "../../apps/server/src/platform/upload/finish-uploads.ts";
import { lockStudiesForShare } from "../../apps/server/src/order/files/attach-uploads.ts";
import { shareStudyUid, lockRecords, moveRows } from "../../apps/server/src/patient/merge/merge.store.ts";
import { moveStudyToPatient } from "../../apps/server/src/study/move/move-study.store.ts";
import { reconvertStudy } from "../../apps/server/src/study/conversion/reconvert-study.ts";
import { findOwnStudy, type StudyRecord } from "../../apps/server/src/study/study.store.ts";
import { cancelJob } from "../../apps/server/src/study/upload-job/upload-job.store.ts";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type TestUser, type TestSetup } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

const isFull = process.env.ARCADA_PROOF === "full";
const workers = 12;
const rounds = isFull ? 150 : 10;
const timeout = rounds * 6000;
const slices = 24;
const foreignKeyViolation = "23503";
const uids = ["1.2.3.1", "1.2.3.2", "1.2.3.3"];

/**
 * Runs everything that writes studies concurrently with everything else that does. Nothing is decoded: only the order
 * of locks is tested.
 */
describe("concurrent writers of the same studies", () => {
  let here: TestSetup;
  let clinic: TestUser;
  let iid: string;
  const patients: string[] = [];
  const jobs: string[] = [];
  beforeAll(async () => {
    here = await setup();
    clinic = here.clinic;
    iid = clinic.iid;
    for (const name of ["王小明", "李四"])
      patients.push(await createPatient(clinic, { name, birthDate: "1990-01-01" }));
  });
  const as = <T>(work: (db: Db) => Promise<T>): Promise<T> =>
    here.server.running.database.as({ system: false, iid, uid: clinic.uid }, work);
  const asSystem = <T>(work: (db: Db) => Promise<T>): Promise<T> => here.server.running.database.asSystem(work);

  it(
    `wait, and are never aborted by the database: ${workers} workers, ${rounds} rounds each`,
    { timeout },
    async () => {
      const broken: string[] = [];
      const other: string[] = [];
      const done: Record<string, number> = {};
      // Each operation runs once per round, in an order that is shuffled for every round.
      const deck: [string, () => Promise<unknown>][] = [];
      const draw = () => {
        if (deck.length === 0) deck.push(...shuffled(Object.entries(works)));
        return present(deck.pop());
      };
      const hand = async (): Promise<void> => {
        for (let turn = 0; turn < rounds; turn++) {
          const [name, work] = draw();
          try {
            await work();
            done[name] = (done[name] ?? 0) + 1;
          } catch (error) {
            const { code, message, where, detail } = error as Error & {
              code?: string;
              where?: string;
              detail?: string;
            };
            if (code === "40P01") broken.push(`${name}: ${where} ${detail}`);
            else if (!isGone(name, code) && (code !== undefined || !passing.test(message)))
              other.push(`${name}: ${code} ${message}`);
          }
        }
      };
      await Promise.all(Array.from({ length: workers }, hand));
      expect(broken).toEqual([]);
      expect(other).toEqual([]);
      expect(Object.keys(done).toSorted()).toEqual(Object.keys(works).toSorted());
    },
  );

  // The product writes only while it holds the job, which keeps its studies; here another work may have removed them.
  const isGone = (name: string, code?: string): boolean => name === "converts" && code === foreignKeyViolation;
  const passing = /changed while more of it came in/;

  const works: Record<string, () => Promise<unknown>> = {
    bringsIn: async () => {
      const job = newId();
      await as((db) =>
        sql`insert into ingest_job (institution_id, id, patient_id, uploads, upload_key, accept_mismatch, created_by, state, origin)
          values (${iid}, ${job}, null, '{}', ${job}, true, ${clinic.uid}, 'running', 'stow')`.execute(db),
      );
      jobs.push(job);
      const studies = await Promise.all(shuffled(uids).slice(0, 2).map(planned));
      await as(async (db) => {
        if (!(await lockJob(db, { iid, job }))) return;
        await indexStudies(db, present(await findJob(db, { iid, job })), studies, 4);
      });
    },
    finishes: async () => {
      const study = await anyStudy();
      const job = jobs.at(-1 - randomInt(3));
      if (!study || !job) return;
      await as(async (db) => {
        await lockJob(db, { iid, job });
        await finishStudy(db, iid, study.id, false);
      });
    },
    converts: async () => {
      const study = await anyStudy();
      if (!study) return;
      await as(async (db) => {
        const { rows } = await sql<{ id: string }>`select id from series where study_id = ${study.id}`.execute(db);
        const series = rows[0] && pick(rows);
        if (!series) return;
        const row = { institution_id: iid, study_id: study.id, id: series.id };
        await saveDerivedFile(db, row, { role: "preview", place: 0, sha256: pick(hashes), bytes: 1, type: "x/y" });
        await sql`update series set problems = '[]' where id = ${series.id}`.execute(db);
      });
    },
    readsForDicomweb: async () => {
      const study = await anyStudy();
      if (!study) return;
      const found = await as((db) =>
        sql<{ id: string }>`select id from instance where study_id = ${study.id}`.execute(db),
      );
      const rows = shuffled(found.rows).map(({ id }) => ({
        institution_id: iid,
        instance_id: id,
        study_id: study.id,
        series_uid: "1.2",
        uid: id,
        sop_class: "1",
        number: 1,
        frames: 1,
        syntax: "1",
        attributes: "{}",
        metadata: JSON.stringify({ "0020000D": { vr: "UI", Value: [study.uid] } }),
        frames_at: null,
        frame_bytes: null,
      }));
      await as((db) => saveInstances(db, iid, rows));
      await as((db) => saveLevels(db, iid, [study.id]));
    },
    moves: async () => {
      const study = await anyStudy();
      if (study) await as((db) => moveStudyToPatient(db, study, study.patient_id, pick(patients)));
    },
    merges: () =>
      as(async (db) => {
        const [one, two] = shuffled(patients) as [string, string];
        await lockRecords(db, iid, [one, two]);
        if (await shareStudyUid(db, iid, one, two)) return;
        await moveRows(db, iid, one, two);
        await sql`update patient set version = version + 1 where id = ${two}`.execute(db);
      }),
    cancels: async () => {
      const job = jobs.at(-1 - randomInt(6));
      if (job) await as((db) => cancelJob(db, iid, job));
    },
    givesUp: async () => {
      const job = jobs.at(-1 - randomInt(6));
      if (job) await asSystem((db) => failJob(db, iid, job, "internal"));
    },
    convertsAgain: async () => {
      const study = await anyStudy();
      if (study) await as((db) => reconvertStudy(db, study, clinic.uid));
    },
    finds: () => asSystem((db) => removeLostDerivedFile(db, iid, pick(hashes))),
    counts: () => as((db) => recordStoredFiles(db, iid, ...shuffled(hashes).map((sha256) => ({ sha256, bytes: 1 })))),
    letsGo: async () => {
      await as((db) =>
        markUnneeded(
          db,
          iid,
          shuffled(hashes).map((sha256) => ({ area: "converted", sha256 })),
        ),
      );
      await asSystem((db) => sql`delete from unneeded where store_id = ${iid} and sha256 = ${hashes[0]}`.execute(db));
    },
    sends: async () => {
      const studies = await as((db) => sql<{ id: string }>`select id from study`.execute(db));
      await as(async (db) => {
        await lockStudiesForShare(
          db,
          iid,
          studies.rows.map(({ id }) => id),
        );
        await sql`select pg_sleep(0.01)`.execute(db);
      });
    },
    receives: async () => {
      const came: ReceivedFile[] = shuffled(uids).map((study) => {
        const uid = `${study}.9.${randomInt(slices)}`;
        return {
          file: { id: newId(), bytes: 1, sha256: hashText(uid) },
          read: { study, series: `${study}.1`, uid, sopClass: "1", hasPixels: true, hasPosition: false },
          failure: null,
        };
      });
      await keepFiles({ iid, uid: clinic.uid, origin: "stow", as }, came, () => {});
    },
  };

  const anyStudy = async (): Promise<StudyRecord | undefined> => {
    const { rows } = await as((db) => sql<{ id: string }>`select id from study where deleted_at is null`.execute(db));
    const one = rows[0] && pick(rows);
    return one && as((db) => findOwnStudy(db, iid, one.id));
  };

  /** More slices of a study, which go into one series with those that are there. */
  async function planned(uid: string): Promise<PlannedStudy<StoredFile>> {
    const series = `${uid}.1`;
    const here = (
      await as((db) => Promise.all([null, ...patients].map((who) => findSeriesInstances(db, iid, who, [series]))))
    ).find((found) => found.length > 0);
    const earlier = (here ?? []).map(({ id, name, bytes, sha256 }) => ({
      file: { name, sent: name, bytes, sha256, instance: id },
      sopUid: name,
      format: "dicom" as const,
    }));
    const fresh = [0, 1].map(() => {
      const name = `${series}.${randomInt(slices)}.${randomInt(1000)}`;
      return { file: { name, sent: name, bytes: 1, sha256: hashText(name) }, sopUid: name, format: "dicom" as const };
    });
    return {
      kind: "ct",
      kindCertain: true,
      photoView: null,
      uid,
      takenAt: null,
      description: null,
      modality: "CT",
      header: [],
      people: [{ name: "Wang^Xiaoming", nameText: "王小明", number: "", birthDate: "1990-01-01", sex: "M" }],
      series: [
        {
          kind: "volume",
          uid: series,
          modality: "CT",
          description: null,
          problems: [],
          files: shuffled([...earlier, ...fresh]),
        },
      ],
    };
  }
});

const hashText = (text: string): string => createHash("sha256").update(text).digest("hex");
const hashes = Array.from({ length: 30 }, (_, place) => hashText(String(place)));
const pick = <T>(from: readonly T[]): T => from[randomInt(from.length)];
const shuffled = <T>(from: readonly T[]): T[] =>
  from
    .map((one) => ({ one, at: randomInt(2 ** 30) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
