import type { PatientThing } from "@arcada/contract/patient/merge.calls";

/** A table with rows about a patient, who stands in its column `patient_id`. */
export interface PatientTable {
  table: string;
  /** As what a person counts its rows. */
  thing: PatientThing;
  /** The column that tells a patient's rows apart. */
  key: string;
  /**
   * One to a patient, or one history: of two records that become one the kept record's stays, and the other's comes
   * along only where the kept record has none.
   */
  single?: true;
}

/**
 * Every table of the database with a column `patient_id`: these rows move when two records of one person become one,
 * and back. A test knows when a table is lacking here.
 */
export const patientTables: readonly PatientTable[] = [
  { table: "study", thing: "study", key: "id" },
  { table: "ingest_job", thing: "upload", key: "id" },
  { table: "orders", thing: "order", key: "id" },
  { table: "share", thing: "share", key: "id" },
  { table: "film_mount", thing: "mount", key: "patient_id", single: true },
];
