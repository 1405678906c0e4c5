import type { PatientContent } from "@arcada/contract/patient/patient-merge.calls";

/** A table with rows about a patient, who is named in its column `patient_id`. */
export interface PatientTable {
  table: string;
  /** The kind under which a person counts its rows; without it they are not counted. */
  thing?: PatientContent;
  /**
   * The columns that identify a row within one patient. If these are not a separate id and both patients have the row,
   * the kept record's row stays, and the other row is not moved.
   */
  key: readonly string[];
  /** The rows of one patient are one history: they move only if the kept record has none. */
  movesTogether?: true;
  /** The rows describe rows of this table, and move only with those. */
  movesWith?: string;
}

/**
 * Every table with a column `patient_id`: these rows move when two records of one person are merged, and back. A test
 * detects a missing table.
 */
export const patientTables: readonly PatientTable[] = [
  // Before the studies, because they also follow these automatically.
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
  { table: "tooth_chart", thing: "chart", key: ["version"], movesTogether: true },
  { table: "chart_decision", key: ["image_sha256", "code", "target"], movesWith: "tooth_chart" },
  { table: "patient_download", key: ["id"] },
  { table: "smart_grant", key: ["id"] },
  { table: "patient_reading", key: ["user_id"] },
  { table: "hl7_order", key: ["id"] },
  { table: "hl7_message", key: ["id"] },
];
