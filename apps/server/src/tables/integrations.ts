import type { Generated } from "kysely";
import type { Delivery, Webhook } from "@arcada/contract/interface/interface.calls";
import type { KeyScope, WebhookEvent } from "@arcada/contract/interface/interface.rules";

export interface ApiKeyTable {
  institution_id: string;
  id: string;
  name: string;
  begins: string;
  token_hash: string;
  scopes: KeyScope[];
  created_by: string;
  created_at: Generated<string>;
  expires_at: string | null;
  revoked_at: Generated<string | null>;
  last_used_at: Generated<string | null>;
  minute: Generated<string | null>;
  calls: Generated<number>;
}
export interface WebhookTable {
  institution_id: string;
  id: string;
  name: string;
  url: string;
  events: WebhookEvent[];
  secret: string;
  old_secret: Generated<string | null>;
  old_secret_until: Generated<string | null>;
  state: Generated<Webhook["state"]>;
  failing_since: Generated<string | null>;
  delivered_at: Generated<string | null>;
  created_by: string;
  created_at: Generated<string>;
}
export interface WebhookDeliveryTable {
  institution_id: string;
  webhook_id: string;
  id: string;
  event: Delivery["event"];
  body: string;
  state: Generated<Delivery["state"]>;
  tries: Generated<number>;
  created_at: Generated<string>;
  next_at: Generated<string>;
  held_until: Generated<string | null>;
  last_try_at: Generated<string | null>;
  status: Generated<number | null>;
  milliseconds: Generated<number | null>;
  problem: Generated<Delivery["problem"]>;
}
