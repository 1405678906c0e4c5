import type { Generated } from "kysely";
import type { AuditFault } from "@arcada/contract/operator/operator.calls";

export interface AuditTable {
  id: Generated<string>;
  institution_id: string | null;
  user_id: string | null;
  action: string;
  subject: string | null;
  detail: Generated<Record<string, unknown>>;
  address: string | null;
  request_id: string | null;
  at: Generated<string>;
  seq: string | null;
  hash: string | null;
  late_at: string | null;
}
export interface IdempotencyTable {
  user_id: string;
  key: string;
  call: string;
  fingerprint: string;
  answer: unknown;
  at: Generated<string>;
}
/** A verification of the audit log's chain; in progress while `finished_at` is null. */
export interface AuditCheckTable {
  id: string;
  started_at: Generated<string>;
  finished_at: string | null;
  rows: number | null;
  broken: number | null;
  fault: AuditFault | null;
}
/** Rows behind `rows` are sealed under the key `key_id`. */
export interface AuditEpochTable {
  rows: number;
  hash: string;
  at: string;
  key_id: string;
  reason: string | null;
  mac: string;
}
/** A single row: the latest anchored head. */
export interface AuditAnchorTable {
  id: number;
  rows: number;
  hash: string;
  at: string;
  key_id: string;
  mac: string;
  mailed_on: string | null;
}
