import { sql } from "kysely";
import type { Db } from "../platform/database/database.ts";
import { certainOf, holdCollection, holdPatients, peopleLike } from "../domain/patient-matching.ts";
import type { JobRow } from "./ingest.store.ts";
import { anotherThan, identitiesOf, type Identity } from "./patient-match.ts";
import type { Readable } from "./plan.ts";

/** The patient to whom a study belongs. A study without a patient goes to the inbox. */
export interface Owner {
  patient: string | null;
  /**
   * The reason for this owner: somebody chose the patient, the study is here already, or its files name the patient.
   */
  by: "chosen" | "study" | "number" | "name" | null;
  /** The patient for whom it was sent, if its files name another person: the study waits there for an answer. */
  asked?: { patient: string; another: Identity };
}

type Whose = { uid: string | null; people: readonly Identity[] };

/**
 * Returns the owners of the studies and locks them until the transaction ends. If a patient was merged in the meantime,
 * the owners are determined again.
 */
export async function ownersHeld<S extends Whose>(
  db: Db,
  job: JobRow,
  studies: readonly S[],
): Promise<{ study: S; owner: Owner }[]> {
  for (;;) {
    const owned: { study: S; owner: Owner }[] = [];
    for (const study of studies) owned.push({ study, owner: await ownerOf(db, job, study) });
    const patients = [...new Set(owned.flatMap(({ owner }) => owner.patient ?? owner.asked?.patient ?? []))].toSorted();
    if (job.patient_id === null) for (const patient of patients) await holdCollection(db, job.institution_id, patient);
    const living = await holdPatients(db, job.institution_id, patients);
    if (job.patient_id !== null || living.size === patients.length) return owned;
  }
}

/** Locks those that exist already, with any patient, before any of them is written. */
export const holdStudiesToWrite = (db: Db, iid: string, studies: readonly Whose[]) =>
  sql`select from study where institution_id = ${iid} and uid = any(${studies.flatMap(({ uid }) => uid ?? [])}::text[])
    and deleted_at is null order by id for no key update`.execute(db);

export async function ownerOf(db: Db, job: JobRow, { uid, people }: Whose): Promise<Owner> {
  if (job.patient_id !== null) return ownerOfChosen(db, job, job.patient_id, { uid, people });
  const there = uid === null ? [] : await alreadyAt(db, job, uid, people);
  if (there.length === 1) return { patient: there[0]!.patient, by: "study" };
  const [person, another] = people;
  if (!person || another) return nobody;
  const certain = certainOf(person, await peopleLike(db, person));
  return certain ? { patient: certain.person.id, by: certain.by } : nobody;
}

const nobody: Owner = { patient: null, by: null };

/**
 * Returns the chosen patient, unless the files name another person and nobody has confirmed yet that they belong to
 * this patient.
 */
async function ownerOfChosen(db: Db, job: JobRow, patient: string, { uid, people }: Whose): Promise<Owner> {
  const chosen: Owner = { patient, by: "chosen" };
  const another = job.accept_mismatch ? null : await anotherThanChosen(db, job, people);
  if (!another) return chosen;
  // Somebody has already confirmed this for the rest of the study.
  const there = uid === null ? [] : await alreadyAt(db, job, uid, people);
  return there.some((one) => one.patient === patient) ? chosen : { ...nobody, asked: { patient, another } };
}

async function anotherThanChosen(db: Db, job: JobRow, people: readonly Identity[]): Promise<Identity | null> {
  if (job.patient_id === null || people.length === 0) return null;
  const patient = await livingPatient(db, job.institution_id, job.patient_id);
  return patient ? anotherThan(patient, people) : null;
}

/** Returns true if any of these studies may go to the inbox although a patient was chosen. */
export const mayBeAsked = async (db: Db, job: JobRow, studies: readonly Whose[]): Promise<boolean> =>
  !job.accept_mismatch &&
  (await anotherThanChosen(
    db,
    job,
    studies.flatMap(({ people }) => people),
  )) !== null;

interface Living {
  patient: string | null;
  name: string | null;
  birthDate: string | null;
}

/**
 * Returns the patients who already have other parts of the study: a device sends its images one by one, and a person
 * may have moved the first.
 */
async function alreadyAt(db: Db, job: JobRow, uid: string, people: readonly Identity[]): Promise<Living[]> {
  const { rows } = await sql<Living>`select s.patient_id as patient, n.name, n.birth_date as "birthDate" from study s
    left join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
    left join study_person n on n.institution_id = s.institution_id and n.study_id = s.id
    where s.institution_id = ${job.institution_id} and s.uid = ${uid} and s.deleted_at is null and p.deleted_at is null`.execute(
    db,
  );
  return rows.filter(({ name, birthDate }) => isOneOf(people, name, birthDate));
}

const isOneOf = (people: readonly Identity[], name: string | null, birthDate: string | null): boolean =>
  name === null || people.length === 0 || people.some((one) => one.name === name && one.birthDate === birthDate);

/** Returns the owners of the studies of these files, by study UID. */
export async function ownersOf(db: Db, job: JobRow, files: readonly Readable[]): Promise<Map<string, Owner>> {
  const headers = files.flatMap((file) => (file.format === "dicom" ? [file.header] : []));
  const owners = new Map<string, Owner>();
  for (const [uid, ofStudy] of Map.groupBy(headers, ({ studyInstanceUid }) => studyInstanceUid))
    if (uid) owners.set(uid, await ownerOf(db, job, { uid, people: identitiesOf(ofStudy) }));
  return owners;
}

/** Records the person whom a study's files name. */
export async function notePerson(db: Db, iid: string, study: string, [person]: readonly Identity[]): Promise<void> {
  if (!person) return;
  await db
    .insertInto("study_person")
    .values({
      institution_id: iid,
      study_id: study,
      name: person.name,
      name_text: person.nameText,
      number: person.number,
      birth_date: person.birthDate,
      sex: person.sex,
    })
    .execute();
}

interface Named {
  name: string;
  birthDate: string | null;
}
export async function livingPatient(db: Db, iid: string, id: string): Promise<Named | undefined> {
  const { rows } = await sql<Named>`select name, birth_date as "birthDate" from patient
    where institution_id = ${iid} and id = ${id} and deleted_at is null`.execute(db);
  return rows[0];
}
