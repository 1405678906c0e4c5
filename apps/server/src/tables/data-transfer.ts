import type { Generated } from "kysely";
import type { DataImport, DataExport } from "@arcada/contract/leaving/leaving.calls";
import type { Language } from "@arcada/contract/kernel/languages";

export interface TakingTable {
  institution_id: string;
  id: string;
  kind: DataExport["kind"];
  state: Generated<DataExport["state"]>;
  progress: Generated<number>;
  language: Language;
  sha256: string | null;
  bytes: number | null;
  refusal: string | null;
  created_by: string;
  created_at: Generated<string>;
  finished_at: string | null;
  expires_at: string | null;
}
export interface ArrivalTable {
  id: string;
  name: string;
  bytes: number;
  state: Generated<DataImport["state"]>;
  progress: Generated<number>;
  sha256: string | null;
  found: DataImport["found"];
  refusal: string | null;
  created_by: string;
  created_at: Generated<string>;
  finished_at: string | null;
}
export interface ImportedAuditTable {
  institution_id: string;
  id: string;
  user_id: string | null;
  action: string;
  subject: string | null;
  detail: Generated<Record<string, unknown>>;
  address: string | null;
  request_id: string | null;
  at: string;
  seq: string | null;
  hash: string | null;
}
export interface ImportedRowTable {
  institution_id: string;
  source: string;
  place: number;
  row: Record<string, unknown>;
}
