import { sql } from "kysely";
import type { Db } from "../../platform/database/database.ts";
import { prepared } from "../../platform/database/prepared-statements.ts";
import {
  findCertainMatch,
  lockCollection,
  lockPatients,
  findSimilarPatientsOfEach,
} from "../../domain/patient-matching.ts";
import { findOtherIdentity, distinctIdentities, type Identity } from "./patient-identity.ts";
import type { ReadableFile } from "./plan-studies.ts";
import type { JobRow } from "../job-content-records.store.ts";
import type { Column, Row } from "../../tables/row.ts";

/** The patient to whom a study belongs. A study without a patient goes to the inbox. */
export interface StudyOwner {
  patient: string | null;
  /** The reason for this owner: a user chose the patient, the study is here already, or its files name the patient. */
  by: "chosen" | "study" | "number" | "name" | null;
  /** The patient for whom it was sent, if its files name another person: the study waits there for an answer. */
  question?: { patient: string; other: Identity };
}

type StudyIdentity = { uid: string | null; people: readonly Identity[] };

/**
 * Returns the owners of the studies and locks them until the transaction ends. If a patient was merged in the meantime,
 * the owners are determined again.
 */
export async function lockOwners<S extends StudyIdentity>(
  db: Db,
  job: JobRow,
  studies: readonly S[],
): Promise<{ study: S; owner: StudyOwner }[]> {
  for (;;) {
    const owners = await findOwners(db, job, studies);
    const owned = studies.map((study, place) => ({ study, owner: owners[place]! }));
    const patients = [
      ...new Set(owned.flatMap(({ owner }) => owner.patient ?? owner.question?.patient ?? [])),
    ].toSorted();
    // Sent in one pipeline: they are taken one after another.
    if (job.patient_id === null)
      await Promise.all(patients.map((patient) => lockCollection(db, job.institution_id, patient)));
    const existingPatients = await lockPatients(db, job.institution_id, patients);
    if (job.patient_id !== null || existingPatients.size === patients.length) return owned;
  }
}

/** Locks those that exist already, with any patient, before any of them is written. */
export const lockStudiesForWrite = (db: Db, iid: string, studies: readonly StudyIdentity[]) =>
  sql`${prepared} select from study where institution_id = ${iid} and uid = any(${studies.flatMap(({ uid }) => uid ?? [])}::text[])
    and deleted_at is null order by id for no key update`.execute(db);

export const findOwner = async (db: Db, job: JobRow, study: StudyIdentity): Promise<StudyOwner> =>
  (await findOwners(db, job, [study]))[0]!;

/** Returns the owner of each study. */
async function findOwners(db: Db, job: JobRow, studies: readonly StudyIdentity[]): Promise<StudyOwner[]> {
  const { patient_id: chosen } = job;
  const owners: StudyOwner[] = [];
  if (chosen !== null) {
    for (const study of studies) owners.push(await findOwnerOfChosen(db, job, chosen, study));
    return owners;
  }
  const located = await findStudyLocations(
    db,
    job,
    studies.flatMap(({ uid }) => uid ?? []),
  );
  const unknown: { place: number; person: Identity }[] = [];
  for (const [place, { uid, people }] of studies.entries()) {
    const existing = uid === null ? [] : listExistingStudies(located, uid, people);
    const [person, other] = people;
    owners.push(existing.length === 1 ? { patient: existing[0]!.patient, by: "study" } : noOwner);
    if (existing.length !== 1 && person && !other) unknown.push({ place, person });
  }
  const similar = await findSimilarPatientsOfEach(
    db,
    unknown.map(({ person }) => person),
  );
  for (const [at, { place, person }] of unknown.entries()) {
    const certain = findCertainMatch(person, similar[at]!);
    if (certain) owners[place] = { patient: certain.person.id, by: certain.by };
  }
  return owners;
}

const noOwner: StudyOwner = { patient: null, by: null };

/**
 * Returns the chosen patient, unless the files name another person and nobody has confirmed yet that they belong to
 * this patient.
 */
async function findOwnerOfChosen(
  db: Db,
  job: JobRow,
  patient: string,
  { uid, people }: StudyIdentity,
): Promise<StudyOwner> {
  const chosen: StudyOwner = { patient, by: "chosen" };
  const other = job.accept_mismatch ? null : await findOtherPerson(db, job, people);
  if (!other) return chosen;
  // A user has already confirmed this for the rest of the study.
  const existing = uid === null ? [] : listExistingStudies(await findStudyLocations(db, job, [uid]), uid, people);
  return existing.some((one) => one.patient === patient) ? chosen : { ...noOwner, question: { patient, other } };
}

async function findOtherPerson(db: Db, job: JobRow, people: readonly Identity[]): Promise<Identity | null> {
  if (job.patient_id === null || people.length === 0) return null;
  const patient = await findPatient(db, job.institution_id, job.patient_id);
  return patient ? findOtherIdentity(patient, people) : null;
}

/** Returns true if any of these studies may go to the inbox although a patient was chosen. */
export const mayNeedConfirmation = async (db: Db, job: JobRow, studies: readonly StudyIdentity[]): Promise<boolean> =>
  !job.accept_mismatch &&
  (await findOtherPerson(
    db,
    job,
    studies.flatMap(({ people }) => people),
  )) !== null;

type StudyLocation = {
  uid: NonNullable<Column<"study", "uid">>;
  patient: Column<"study", "patient_id">;
  name: Column<"study_person", "name"> | null;
  birthDate: Column<"study_person", "birth_date">;
};

/**
 * Returns the patients who already have parts of studies, and the people whom these parts name: a device sends its images
 * one by one, and a person may have moved the first.
 */
async function findStudyLocations(db: Db, job: JobRow, uids: readonly string[]): Promise<StudyLocation[]> {
  if (uids.length === 0) return [];
  const { rows } =
    await sql<StudyLocation>`${prepared} select s.uid, s.patient_id as patient, n.name, n.birth_date as "birthDate" from study s
    left join patient p on p.institution_id = s.institution_id and p.id = s.patient_id
    left join study_person n on n.institution_id = s.institution_id and n.study_id = s.id
    where s.institution_id = ${job.institution_id} and s.uid = any(${[...uids]}::text[]) and s.deleted_at is null
      and p.deleted_at is null`.execute(db);
  return rows;
}

/** Returns where a study is that names one of these people. */
const listExistingStudies = (
  located: readonly StudyLocation[],
  uid: string,
  people: readonly Identity[],
): StudyLocation[] => located.filter((one) => one.uid === uid && isOneOf(people, one.name, one.birthDate));

const isOneOf = (people: readonly Identity[], name: string | null, birthDate: string | null): boolean =>
  name === null || people.length === 0 || people.some((one) => one.name === name && one.birthDate === birthDate);

/** Returns the owners of the studies of these files, by study UID. */
export async function findOwnersByUid(
  db: Db,
  job: JobRow,
  files: readonly ReadableFile[],
): Promise<Map<string, StudyOwner>> {
  const headers = files.flatMap((file) => (file.format === "dicom" ? [file.header] : []));
  const studies = [...Map.groupBy(headers, ({ studyInstanceUid }) => studyInstanceUid)].flatMap(([uid, ofStudy]) =>
    uid ? [{ uid, people: distinctIdentities(ofStudy) }] : [],
  );
  const owners = await findOwners(db, job, studies);
  return new Map(studies.map(({ uid }, place) => [uid, owners[place]!]));
}

/** A statement has at most 65,535 parameters, and a row takes seven. */
const rowsOfStatement = 1000;

/** Records the people whom the files of studies name. */
export async function recordPeople(
  db: Db,
  iid: string,
  named: readonly { study: string; person: Identity }[],
): Promise<void> {
  for (let from = 0; from < named.length; from += rowsOfStatement)
    await db
      .insertInto("study_person")
      .values(
        named.slice(from, from + rowsOfStatement).map(({ study, person }) => ({
          institution_id: iid,
          study_id: study,
          name: person.name,
          name_text: person.nameText,
          number: person.number,
          birth_date: person.birthDate,
          sex: person.sex,
        })),
      )
      .execute();
}

type PatientName = Row<"patient", "name"> & { birthDate: Column<"patient", "birth_date"> };
export async function findPatient(db: Db, iid: string, id: string): Promise<PatientName | undefined> {
  const { rows } = await sql<PatientName>`${prepared} select name, birth_date as "birthDate" from patient
    where institution_id = ${iid} and id = ${id} and deleted_at is null`.execute(db);
  return rows[0];
}
