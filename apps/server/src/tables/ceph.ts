import type { Generated } from "kysely";
import type { CephContent } from "@arcada/contract/ceph/ceph.shape";

export interface CephTracingTable {
  institution_id: string;
  id: string;
  patient_id: string;
  study_id: string;
  instance_id: string;
  version: number;
  content: CephContent;
  saved_by: string;
  saved_at: Generated<string>;
}
export interface CephTracingVersionTable {
  institution_id: string;
  tracing_id: string;
  version: number;
  study_id: string;
  instance_id: string;
  content: CephContent;
  saved_by: string;
  saved_at: string;
}
