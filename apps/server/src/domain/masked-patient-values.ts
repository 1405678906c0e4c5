import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { columnsOf, fieldsWithUse } from "@arcada/contract/patient/patient-fields";

/** SQL: the values of a row `p` of `patient` that are removed from the texts of files that leave without the name. */
export const maskedValues: RawBuilder<string[]> = sql`array_remove(array[${sql.join(
  ["number", ...fieldsWithUse("masking").flatMap(columnsOf)].map((column) => sql.ref(`p.${column}`)),
)}], null)`;
