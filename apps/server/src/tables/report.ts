import type { Generated } from "kysely";
import type { ReportBasis, ReportContent, ReportForm } from "@arcada/contract/report/report.shape";
import type { ReportSource, ReportState } from "@arcada/contract/report/report.cycle";

export interface ReportCounterTable {
  institution_id: string;
  last: number;
}
export interface ReportTable {
  institution_id: string;
  id: string;
  patient_id: string;
  number: string;
  source: ReportSource;
  state: ReportState;
  version: Generated<number>;
  form: ReportForm;
  basis: ReportBasis;
  content: ReportContent | null;
  norms: string | null;
  score: number | null;
  created_by: string;
  created_at: Generated<string>;
  saved_by: string;
  saved_at: Generated<string>;
  signed_by: string | null;
  signed_at: string | null;
  licence: string | null;
  sha256: string | null;
  previous_id: string | null;
  ended_by: string | null;
  ended_at: string | null;
  reason: string | null;
}
export interface ReportPictureTable {
  institution_id: string;
  report_id: string;
  instance_id: string;
  box: string;
  sha256: string;
  width: number;
  height: number;
}
export interface ReportPaperTable {
  institution_id: string;
  report_id: string;
  language: string;
  sha256: string;
  bytes: number;
}
