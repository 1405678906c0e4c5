import type { Generated } from "kysely";
import type { ShareEventKind } from "@arcada/contract/share/share.calls";
import type { ShareState } from "@arcada/contract/share/share.cycle";
import type { SharedKind, ShareFactor } from "@arcada/contract/share/share.rules";

export interface ShareTable {
  /** The institution that owns the shared item. */
  institution_id: string;
  house_id: string;
  id: string;
  kind: SharedKind;
  thing_id: string;
  patient_id: string;
  label: string;
  secret_hash: string;
  factor: ShareFactor;
  factor_hash: string | null;
  email: string | null;
  nameless: boolean;
  may_download: boolean;
  pictures: Generated<boolean>;
  revisions: Generated<string[]>;
  state: Generated<ShareState>;
  created_by: string;
  created_at: Generated<string>;
  expires_at: string;
  ended_at: string | null;
  failures: Generated<number>;
  failed_at: Generated<string[]>;
  code_hash: string | null;
  /** A random part of the hash, sealed for the processes that ran when the code was made. */
  code_sealed: Generated<{ by?: string; for?: Record<string, string> }>;
  code_until: string | null;
  code_tries: Generated<number>;
  codes_at: Generated<string[]>;
  opens: Generated<number>;
  last_open_at: string | null;
}
export interface ShareVisitTable {
  id: string;
  institution_id: string;
  share_id: string;
  token_hash: string;
  cookie_hash: string;
  expires_at: string;
  ended_at: string | null;
}
export interface ShareEventTable {
  institution_id: string;
  share_id: string;
  seq: Generated<number>;
  at: Generated<string>;
  what: ShareEventKind;
  user_id: string | null;
  address: string | null;
  agent: string | null;
}
