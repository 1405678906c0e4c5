import type { ColumnType, Generated } from "kysely";
import type { Patient } from "@arcada/contract/patient/patient.calls";

export interface PatientTable {
  institution_id: string;
  id: string;
  number: string;
  name: string;
  sex: Patient["sex"];
  birth_date: string | null;
  age_given: number | null;
  age_given_on: string | null;
  phone: string | null;
  fixed_line: string | null;
  email: string | null;
  mail_address: string | null;
  id_number: string | null;
  passport: string | null;
  driving_licence: string | null;
  insurance_number: string | null;
  certificate_number: string | null;
  entry_number: string | null;
  inspection_number: string | null;
  /** Local time without a zone. */
  inspected_at: string | null;
  allergies: string | null;
  past_history: string | null;
  diabetes: boolean | null;
  hypertension: boolean | null;
  family_genetics: string | null;
  habits: Generated<string[]>;
  remark: string | null;
  created_by: string;
  created_at: Generated<string>;
  /** Orders the list: the last visit, else when the record was made. */
  recent_visit_at: Generated<string>;
  /** Null: no visit and no image yet. */
  last_visit_at: Generated<string | null>;
  deleted_at: string | null;
  merged_into: Generated<string | null>;
  version: Generated<number>;
  haystack: string;
  grams: string[];
  sort_name: string;
}
export interface PatientCounterTable {
  institution_id: string;
  last: Generated<number>;
  living: Generated<number>;
}

/** Written as JSON text, read as the parsed value. */
type Json<T> = ColumnType<T, string, string>;
export interface PatientMergeTable {
  institution_id: string;
  id: string;
  kept_id: string;
  merged_id: string;
  before: Json<Record<string, unknown>>;
  after: Json<Record<string, unknown>>;
  moved: Json<Record<string, string[]>>;
  merged_by: string;
  merged_at: Generated<string>;
  undone_by: Generated<string | null>;
  undone_at: Generated<string | null>;
}
