import type { Generated } from "kysely";
import type { Consent } from "@arcada/contract/consent/consent.calls";
import type { VisitContent } from "@arcada/contract/visit/visit.calls";
import type { Language } from "@arcada/contract/kernel/languages";

export interface VisitTable {
  institution_id: string;
  id: string;
  patient_id: string;
  at: string;
  dentist_id: string;
  content: VisitContent;
  version: Generated<number>;
  created_by: string;
  created_at: Generated<string>;
  changed_by: string;
  changed_at: Generated<string>;
  deleted_at: string | null;
  deleted_by: string | null;
  delete_reason: string | null;
}
export interface VisitVersionTable {
  institution_id: string;
  visit_id: string;
  version: number;
  at: string;
  dentist_id: string;
  content: VisitContent;
  saved_by: string;
  saved_at: string;
}
export interface VisitFileTable {
  institution_id: string;
  visit_id: string;
  id: string;
  name: string;
  bytes: number;
  sha256: string;
  added_by: string;
  added_at: Generated<string>;
}
export interface ConsentTable {
  institution_id: string;
  id: string;
  patient_id: string;
  kind: Consent["kind"];
  text_version: string;
  words: string | null;
  how: Consent["how"];
  given_by: string;
  given_for: Consent["givenFor"];
  given_at: string;
  scan_sha256: string | null;
  scan_name: string | null;
  scan_bytes: number | null;
  note: string | null;
  recorded_by: string;
  recorded_at: Generated<string>;
  withdrawn_at: string | null;
  withdrawn_by: string | null;
  withdrawn_note: string | null;
  withdrawal_recorded_by: string | null;
}
export interface PatientDownloadTable {
  institution_id: string;
  id: string;
  patient_id: string;
  user_id: string;
  language: Language;
  created_at: Generated<string>;
}
