import { sql } from "kysely";
import { columnsOf, detailsWithControl } from "@arcada/contract/patient/patient-fields";
import type { Database } from "../../../apps/server/src/platform/database/database.ts";

const textDetails = (["line", "paragraph", "notes"] as const).flatMap((control) => detailsWithControl(control));
/** Words of an organisation's records that only those may read who may read the record. */
const columns: Readonly<Record<string, readonly string[]>> = {
  patient: ["name", ...textDetails.flatMap(columnsOf)],
  study: ["description"],
  series: ["description"],
  instance: ["name"],
  upload: ["name"],
  orders: ["patient_name", "tracking_number"],
  order_file: ["name"],
  order_message: ["text"],
  order_event: ["text"],
  order_revision: ["text"],
};

/** Marks every record with its owner in words that occur nowhere else. */
export const markCanaries = (database: Database): Promise<void> =>
  database.asSystem(async (db) => {
    for (const [table, names] of Object.entries(columns))
      for (const name of names)
        await sql`update ${sql.table(table)} set ${sql.ref(name)} = coalesce(${sql.ref(name)}, '') || ' canary-' || institution_id`.execute(
          db,
        );
  });

/** Returns the institutions whose words occur in an answer, headers included. */
export const findCanaryOwners = (answer: { headers: Headers }): Set<string> =>
  new Set(
    [...JSON.stringify([answer, [...answer.headers]]).matchAll(/canary-([0-9a-f-]{36})/g)].map(
      ([, institutionId]) => institutionId,
    ),
  );
