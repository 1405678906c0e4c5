import { sql } from "kysely";
import { isPlaceholderName } from "../../domain/match-person-names.ts";
import { findAgreement, findCertainMatch, findSimilarPatients, rankCandidates } from "../../domain/patient-matching.ts";
import type { Candidate, Person } from "../../domain/patient-matching.ts";
import type { LaunchedPerson, LaunchRequest } from "@arcada/contract/patient/launch-address";
import type { Db } from "../../platform/database/database.ts";

type CertainMatch = NonNullable<ReturnType<typeof findCertainMatch>>;

/**
 * Finds the patient whom a practice program means. One is certain by the practice's number unless the rest names
 * another person, or by name and birth date unless the record has another number of the practice or the number is
 * somebody else's.
 */
export async function findLaunchedPatient(
  db: Db,
  person: LaunchedPerson,
): Promise<{ certain: Person | null; candidates: Candidate[] }> {
  const people = await findSimilarPatients(db, person);
  const match = findCertainMatch(person, people) ?? findByNumberAndFamilyName(person, people);
  if (match && !contradictsNumber(match, person, people)) return { certain: match.person, candidates: [] };
  const found = isPlaceholderName(person.name) ? { ...person, name: "" } : person;
  return { certain: null, candidates: rankCandidates(found, people) };
}

/** True if somebody was found by name although the number is another's, or the record has another number. */
const contradictsNumber = ({ by, person: found }: CertainMatch, asked: LaunchedPerson, people: readonly Person[]) =>
  by === "name" &&
  asked.number !== "" &&
  (Boolean(found.entryNumber) || people.some((one) => findAgreement(asked, one).includes("number")));

/** Practice programs often write the family name alone, which would contradict the record's full name. */
function findByNumberAndFamilyName(person: LaunchedPerson, people: readonly Person[]) {
  const match = findCertainMatch({ ...person, name: "" }, people);
  const words = match?.person.name.toLowerCase().split(/[\s,]+/) ?? [];
  return words.includes(person.name.toLowerCase()) ? match : null;
}

/** The studies of a patient within the request's times, newest first. */
export const listLaunchedStudies = (db: Db, iid: string, patientId: string, request: LaunchRequest) =>
  db
    .selectFrom("study")
    .select(["id", "kind", "uid", "description", "count", takenAt.as("takenAt")])
    .where("institution_id", "=", iid)
    .where("patient_id", "=", patientId)
    .where("deleted_at", "is", null)
    .$if(request.from !== undefined, (query) => query.where(takenAt, ">=", request.from!))
    .$if(request.to !== undefined, (query) => query.where(takenAt, "<=", request.to!))
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(request.newest ?? maxListed)
    .execute();

const maxListed = 200;
const takenAt = sql<string>`to_char(coalesce(taken_at, created_at), 'YYYY-MM-DD"T"HH24:MI:SS')`;

/** Returns the studies that UIDs, ids or an accession number name, with their patients. */
export const findStudiesByReference = (db: Db, iid: string, { studies, accession, studyIds }: LaunchRequest) =>
  db
    .selectFrom("study as s")
    .innerJoin("patient as p", (join) =>
      join.onRef("p.institution_id", "=", "s.institution_id").onRef("p.id", "=", "s.patient_id"),
    )
    .select(["s.id", "s.kind", "p.id as patientId"])
    .where("s.institution_id", "=", iid)
    .where("s.deleted_at", "is", null)
    .where("p.deleted_at", "is", null)
    .$if(studies !== undefined, (query) => query.where("s.uid", "in", studies!))
    .$if(studyIds !== undefined, (query) => query.where("s.id", "in", studyIds!))
    .$if(accession !== undefined, (query) =>
      query.where("s.id", "in", (inner) =>
        inner
          .selectFrom("dicom_study as d")
          .select("d.study_id")
          .where("d.institution_id", "=", iid)
          .where("d.accession", "=", accession!),
      ),
    )
    .orderBy("s.created_at", "desc")
    .limit(maxListed)
    .execute();

export const allowsCreation = async (db: Db, iid: string): Promise<boolean> => {
  const { launch_creates_patients: allows } = await db
    .selectFrom("institution")
    .select("launch_creates_patients")
    .where("id", "=", iid)
    .executeTakeFirstOrThrow();
  return allows;
};

/** The patient who has this number of the practice. The caller holds the counter's lock, so that nobody adds one. */
export const findByPracticeNumber = (db: Db, iid: string, number: string) =>
  db
    .selectFrom("patient")
    .select(["id", "name", "number", "birth_date as birthDate"])
    .where("institution_id", "=", iid)
    .where("entry_number", "=", number)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
