import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { refuse } from "../kernel/refuse.ts";
import { allowedBytes, usedBytes } from "../kernel/uploads.ts";
import type { ReadInstance } from "./dicom-tasks.ts";
import { fold, spellings } from "./names.ts";

/** Counts a file that lies beside the other uploads; refuses `quotaExceeded`. */
export async function keepUpload(
  db: Db,
  iid: string,
  uid: string,
  file: { id: string; name: string; bytes: number; sha256: string },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`arcada storage ${iid}`}, 0))`.execute(db);
  const { stored, coming } = await usedBytes(db, iid);
  if (stored + coming + file.bytes > allowedBytes) refuse("quotaExceeded");
  await sql`insert into upload (institution_id, id, user_id, name, bytes, state, sha256)
    values (${iid}, ${file.id}, ${uid}, ${file.name}, ${file.bytes}, 'received', ${file.sha256})`.execute(db);
}

export const forgetUpload = (db: Db, iid: string, id: string) =>
  sql`delete from upload where institution_id = ${iid} and id = ${id} and state <> 'finished'`.execute(db);

/** "same": these very bytes are here; "other": the UID is, with other bytes. */
export async function known(db: Db, iid: string, read: ReadInstance): Promise<"same" | "other" | null> {
  const { rows } = await sql<{ same: boolean }>`select bool_or(i.sha256 = ${read.sha256}) as same
    from study s join instance i on i.institution_id = s.institution_id and i.study_id = s.id
      left join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
    where s.institution_id = ${iid} and s.uid = ${read.study} and s.deleted_at is null and p.deleted_at is null
      and i.sop_uid = ${read.uid} having count(*) > 0`.execute(db);
  return rows[0] ? (rows[0].same ? "same" : "other") : null;
}

interface Person {
  id: string;
  name: string;
  birth: string | null;
}

/**
 * Whose it is: by the number that the file carries, else by name and birth date. All whom it may be. A number alone is
 * not believed where the file names somebody else: devices count their patients from 1 too.
 */
export async function patientsOf(db: Db, iid: string, read: ReadInstance): Promise<string[]> {
  const number = read.patientNumber.trim();
  const columns = sql`select id, name, birth_date as birth from patient where institution_id = ${iid} and deleted_at is null`;
  const numbered =
    number === ""
      ? []
      : (await sql<Person>`${columns} and (number = ${number} or entry_number = ${number}) limit 3`.execute(db)).rows;
  if (numbered.length > 0) return numbered.filter((person) => isNotAnother(person, read)).map(({ id }) => id);
  if (read.birthDate === null || fold(read.patientName) === "") return [];
  const born = await sql<Person>`${columns} and birth_date = ${read.birthDate}::date limit 2000`.execute(db);
  return born.rows.filter((person) => sharesName(person, read)).map(({ id }) => id);
}

const isNotAnother = (person: Person, read: ReadInstance): boolean =>
  (read.birthDate === null || person.birth === null || read.birthDate === person.birth) &&
  (read.patientName.replace(/[\s^=]/g, "") === "" || sharesName(person, read));

function sharesName({ name }: Person, read: ReadInstance): boolean {
  const wanted = spellings(read.patientName);
  return [...spellings(name)].some((spelling) => wanted.has(spelling));
}

/** One job for new files: of a patient, or (null) of whom the files name, else of the inbox. */
export async function openJob(
  db: Db,
  iid: string,
  uid: string,
  patient: string | null,
  uploads: string[],
): Promise<string> {
  const id = newId();
  const key = createHash("sha256")
    .update(JSON.stringify([patient, uploads.toSorted()]))
    .digest("hex");
  await sql`insert into ingest_job (institution_id, id, patient_id, kind, uploads, upload_key, accept_mismatch, created_by, origin)
    values (${iid}, ${id}, ${patient}, null, ${uploads}::uuid[], ${key}, true, ${uid}, 'stow')`.execute(db);
  return id;
}
