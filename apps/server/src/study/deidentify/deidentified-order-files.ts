import { studyDownloadRules } from "@arcada/contract/study/study-download.calls";
import { sql } from "kysely";
import { maskedValues } from "../../domain/masked-patient-values.ts";
import type { Database, Db } from "../../platform/database/database.ts";
import type { OpenDeidentifier } from "../../platform/http/zip-archive-routes.ts";
import type { Deidentifier } from "../../platform/http/file-routes.ts";
import { hashFile } from "../../platform/storage/file-store.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { files } from "../../platform/runtime/services.ts";
import { makeDeidentifiedCopy, deriveKey, withDeidentifiedCopy } from "./deidentified-copy.ts";
import type { SerializedDeidentifyOptions } from "./deidentify-worker-message.ts";
import { defineQueue } from "../../platform/jobs/jobs.ts";

const cleanupQueue = defineQueue("outgoing.forget");

/** For an order or a link that gives others access to files: the name of the case, and the form of the files. */
export interface SharedFiles {
  number: string;
  masked: boolean;
  manner: SerializedDeidentifyOptions;
}

interface CopyRequest {
  iid: string;
  sha256: string;
  order: string;
}

/** Makes the de-identified copies for the receivers of orders, each once, on request. */
export function orderCopyMaker(database: Database): Deidentifier {
  const running = new Map<string, Promise<string>>();
  return (iid, sha256, order) => {
    const name = `${order} ${sha256}`;
    const copy =
      running.get(name) ?? makeOrderCopy(database, { iid, sha256, order }).finally(() => running.delete(name));
    running.set(name, copy);
    return copy;
  };
}

/** The same copies for an archive: each is removed once it has been packed. */
export const archiveCopyMaker =
  (database: Database): OpenDeidentifier =>
  async (order) => {
    const { manner: deidentifyOptions } = await database.asSystem((db) => findSharedFiles(db, order));
    return (iid, sha256) => makeDeidentifiedCopy({ iid, sha256 }, deidentifyOptions);
  };

/** Forgets copies that nobody requested recently; a file without a reference is deleted. */
export async function registerDownloadCleanup(jobs: Jobs, database: Database): Promise<void> {
  await jobs.work(cleanupQueue, () =>
    database.asSystem(async (db) => {
      await sql`delete from cleaned_file where used_at < now() - make_interval(days => ${studyDownloadRules.retentionDays})`.execute(
        db,
      );
      await sql`delete from study_download where created_at < now() - make_interval(days => ${studyDownloadRules.retentionDays})`.execute(
        db,
      );
    }),
  );
  await jobs.schedule(cleanupQueue, "17 3 * * *");
}

async function makeOrderCopy(database: Database, request: CopyRequest): Promise<string> {
  const { iid, sha256 } = request;
  const { known, manner: deidentifyOptions } = await database.asSystem(async (db) => ({
    known: await findOrderCopy(db, request),
    manner: (await findSharedFiles(db, request.order)).manner,
  }));
  if (known !== null && (await files().bytes("converted", iid, known)) !== null) return known;
  return withDeidentifiedCopy({ iid, sha256 }, deidentifyOptions, async (at) => {
    const made = await hashFile(at);
    // Record the reference before the file is stored: a file without a reference is deleted.
    await database.asSystem((db) => saveOrderCopy(db, request, made.sha256));
    await files().adopt("converted", iid, at, { sha256: made.sha256, keep: true });
    return made.sha256;
  });
}

async function findOrderCopy(db: Db, { iid, order, sha256 }: CopyRequest): Promise<string | null> {
  const copy = await db
    .selectFrom("cleaned_file")
    .select(["sha256", sql<boolean>`used_at < now() - interval '1 day'`.as("old")])
    .where("institution_id", "=", iid)
    .where("order_id", "=", order)
    .where("original", "=", sha256)
    .executeTakeFirst();
  if (copy?.old)
    await sql`update cleaned_file set used_at = now()
      where institution_id = ${iid} and order_id = ${order} and original = ${sha256}`.execute(db);
  return copy?.sha256 ?? null;
}

const saveOrderCopy = (db: Db, { iid, order, sha256 }: CopyRequest, made: string) =>
  sql`insert into cleaned_file (institution_id, order_id, original, sha256) values (${iid}, ${order}, ${sha256}, ${made})
    on conflict (institution_id, order_id, original) do update set sha256 = excluded.sha256, used_at = now()`.execute(
    db,
  );

/**
 * The receiver works on the case, so the time and the device of an image are kept. The order's number replaces the
 * patient, so that a saved file can be found again. For an order that was passed on, the patient of the first order is
 * removed.
 */
export async function findSharedFiles(db: Db, order: string): Promise<SharedFiles> {
  const { rows } = await sql<{ number: string; masked: boolean; known: string[] }>`
    with recursive line as (
      select id, institution_id, parent_id, patient_id from orders where id = ${order}
      union all select above.id, above.institution_id, above.parent_id, above.patient_id
        from line join orders above on above.id = line.parent_id and above.receiver_id = line.institution_id)
    select o.number, o.name_masked as masked, ${maskedValues} as known
    from orders o, line join patient p on p.institution_id = line.institution_id and p.id = line.patient_id
    where o.id = ${order}`.execute(db);
  if (!rows[0]) return findShareFiles(db, order);
  const { number, masked, known } = rows[0];
  const kept = { dates: "kept", device: true, descriptions: true } as const;
  return { number, masked, manner: { key: deriveKey("order", order), pseudonym: number, ...kept, known } };
}

/** For a link that shares without names. */
async function findShareFiles(db: Db, share: string): Promise<SharedFiles> {
  const { rows } = await sql<{ known: string[] }>`
    select ${maskedValues} as known
    from share h join patient p on p.institution_id = h.institution_id and p.id = h.patient_id
    where h.id = ${share} and h.nameless`.execute(db);
  const { known } = rows[0] ?? refuse("notFound");
  const key = deriveKey("share", share);
  const number = `P-${key.slice(0, 8).toUpperCase()}`;
  const deidentifyOptions = {
    key,
    pseudonym: number,
    dates: "removed",
    device: false,
    descriptions: true,
    known,
  } as const;
  return { number, masked: true, manner: deidentifyOptions };
}
