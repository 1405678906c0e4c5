import type { Generated } from "kysely";

export interface TotpTable {
  user_id: string;
  sealed: string;
  last_step: Generated<number>;
  made_at: Generated<string>;
  confirmed_at: string | null;
}
export interface RecoveryCodeTable {
  user_id: string;
  hash: string;
  used_at: string | null;
}
export interface PasskeyTable {
  id: string;
  user_id: string;
  name: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
  made_at: Generated<string>;
  used_at: string | null;
}
export interface IdentityTable {
  issuer: string;
  subject: string;
  user_id: string;
  email: string;
  linked_at: Generated<string>;
}
