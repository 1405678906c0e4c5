import type { Generated } from "kysely";
import type { StudyOrigin } from "@arcada/contract/study/study.rules";

export interface IntakeTable {
  institution_id: string;
  upload_id: string;
  study_uid: string;
  sop_uid: string;
  sha256: string;
  origin: StudyOrigin;
  created_by: string;
  created_at: Generated<string>;
}
