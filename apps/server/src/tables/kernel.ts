import type { Generated } from "kysely";

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
}
export interface IdempotencyTable {
  user_id: string;
  key: string;
  call: string;
  fingerprint: string;
  answer: unknown;
  at: Generated<string>;
}
/** A walk along the trail's chain; open while `finished_at` is null. */
export interface AuditCheckTable {
  id: string;
  started_at: Generated<string>;
  finished_at: string | null;
  rows: number | null;
  broken: number | null;
}
