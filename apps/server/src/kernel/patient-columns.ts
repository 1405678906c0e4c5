import type { PatientThing } from "@arcada/contract/patient/merge.calls";

/** A table with rows about a patient, who stands in its column `patient_id`. */
export interface PatientTable {
  table: string;
  /** As what a person counts its rows; without it they are of no interest. */
  thing?: PatientThing;
  /** What tells a patient's rows apart. Where that is no id of their own, the kept record's row stays, and the other's where it is. */
  key: readonly string[];
  /** The rows of one patient are one history: they come along only where the kept record has none. */
  whole?: true;
  /** They say something about the rows of this table, and go where those go. */
  along?: string;
}

/**
 * Every table of the database with a column `patient_id`: these rows move when two records of one person become one,
 * and back. A test knows when a table is lacking here.
 */
export const patientTables: readonly PatientTable[] = [
  // Ahead of the studies that they follow by themselves.
  { table: "ceph_tracing", thing: "tracing", key: ["id"] },
  { table: "study", thing: "study", key: ["id"] },
  { table: "study_question", key: ["study_id"] },
  { table: "ingest_job", key: ["id"] },
  { table: "orders", thing: "order", key: ["id"] },
  { table: "share", thing: "share", key: ["id"] },
  { table: "film_mount", thing: "mount", key: ["kind"] },
  { table: "visit", thing: "visit", key: ["id"] },
  { table: "consent", thing: "consent", key: ["id"] },
  { table: "report", thing: "report", key: ["id"] },
  { table: "tooth_chart", thing: "chart", key: ["version"], whole: true },
  { table: "chart_decision", key: ["image_sha256", "code", "target"], along: "tooth_chart" },
  { table: "patient_download", key: ["id"] },
];
