import type { Generated } from "kysely";

export interface UsersTable {
  id: string;
  user_name: Generated<string>;
  nick_name: Generated<string>;
  gender: "male" | "female" | null;
  birthday: string | null;
  country: string | null;
  address: string | null;
  language: Generated<string>;
  avatar: string | null;
  /** Shown to partner institutions instead of the account's phone number. */
  work_phone: string | null;
  intended_role: string | null;
  password_hash: string | null;
  init_status: Generated<number>;
  passkey_second: Generated<boolean>;
  suspended_at: string | null;
  terms_version: string | null;
  agreed_at: string | null;
  created_at: Generated<string>;
}
export interface ContactTable {
  user_id: string;
  kind: "phone" | "email";
  value: string;
  country_code: string | null;
  verified_at: Generated<string>;
}
export interface SessionTable {
  id: string;
  user_id: string;
  chain: string;
  token_hash: string;
  sid_hash: string | null;
  kind: "browser" | "api";
  institution_id: string | null;
  authority_id: number;
  remember: Generated<boolean>;
  agent: Generated<string>;
  address: string | null;
  created_at: Generated<string>;
  chain_since: Generated<string>;
  /** Time at which the page of this session was last used. */
  seen_at: Generated<string>;
  idle_seconds: number | null;
  locked_at: string | null;
  /** Time at which its owner last proved their identity again. */
  proven_at: string | null;
  expires_at: string;
  rotated_at: string | null;
  ended_at: string | null;
  end_reason: string | null;
}
export interface VerificationTable {
  id: string;
  target: string;
  purpose: string;
  asker: Generated<string>;
  browser: string | null;
  code_hash: string;
  sealed: Generated<Record<string, unknown>>;
  tries: Generated<number>;
  created_at: Generated<string>;
  expires_at: string;
  used_at: string | null;
}
export interface TicketTable {
  hash: string;
  kind: string;
  target: string;
  data: Generated<Record<string, unknown>>;
  expires_at: string;
  used_at: string | null;
}
export interface LoginFailureTable {
  id: Generated<string>;
  target: string;
  address: string;
  at: Generated<string>;
}
export interface KnownDeviceTable {
  user_id: string;
  device_hash: string;
  at: Generated<string>;
}
