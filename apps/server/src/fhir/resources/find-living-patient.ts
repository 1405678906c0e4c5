import type { FhirContext } from "../fhir-context.ts";

/** Returns a patient of the institution who is not in the bin. */
export const findLivingPatient = ({ db, iid }: FhirContext, id: string): Promise<{ name: string } | undefined> =>
  db
    .selectFrom("patient")
    .select("name")
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
