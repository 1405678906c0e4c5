import type { Db } from "../../platform/database/database.ts";
import type { FhirContext } from "../fhir-context.ts";

interface Names {
  patients: ReadonlyMap<string, string>;
  people: ReadonlyMap<string, string>;
}

/** Reads the names of the patients and of one person of each row. */
export async function readNames<R extends { patient_id: string }>(
  db: Db,
  iid: string,
  rows: readonly R[],
  personOf: (row: R) => string | null,
): Promise<Names> {
  const patientIds = [...new Set(rows.map(({ patient_id }) => patient_id))];
  const userIds = [...new Set(rows.flatMap((row) => personOf(row) ?? []))];
  const patients =
    patientIds.length === 0
      ? []
      : await db
          .selectFrom("patient")
          .select(["id", "name"])
          .where("institution_id", "=", iid)
          .where("id", "in", patientIds)
          .execute();
  const people =
    userIds.length === 0
      ? []
      : await db.selectFrom("users").select(["id", "nick_name", "user_name"]).where("id", "in", userIds).execute();
  return {
    patients: new Map(patients.map(({ id, name }) => [id, name])),
    people: new Map(people.map(({ id, nick_name, user_name }) => [id, nick_name || user_name])),
  };
}

/** Returns a patient of the institution who is not in the bin. */
export const findLivingPatient = ({ db, iid }: FhirContext, id: string): Promise<{ name: string } | undefined> =>
  db
    .selectFrom("patient")
    .select("name")
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
