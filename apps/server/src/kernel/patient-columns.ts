/** A table with rows about a patient, who stands in its column `patient_id`. */
export interface PatientTable {
  table: string;
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
  { table: "study", key: "id" },
  { table: "ingest_job", key: "id" },
  { table: "orders", key: "id" },
  { table: "share", key: "id" },
  { table: "film_mount", key: "patient_id", single: true },
];
