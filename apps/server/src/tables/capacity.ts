import type { Generated } from "kysely";
import type { PaymentKind, PaymentState } from "@arcada/contract/capacity/capacity.rules";
import type { CardState, PeriodState } from "@arcada/contract/capacity/capacity.cycle";

export interface CapacityCardTable {
  id: string;
  number: string;
  secret_hash: string;
  batch_id: string;
  gigabytes: number;
  analyses: number;
  days: number;
  sell_by: string;
  state: Generated<CardState>;
  issued_by: string;
  issued_at: Generated<string>;
  institution_id: string | null;
  voided_by: string | null;
  voided_at: string | null;
  void_reason: string | null;
}
export interface CapacityPeriodTable {
  institution_id: string;
  id: string;
  card_id: string | null;
  plan: string | null;
  gigabytes: number;
  analyses: number;
  days: number;
  state: PeriodState;
  auto_renew: boolean;
  made_by: string | null;
  subscribed_at: Generated<string>;
  activated_at: string | null;
  unsubscribed_at: string | null;
  starts_at: string;
  expires_at: string;
  expired_at: string | null;
  told_days: number | null;
  version: Generated<number>;
}
export interface CapacityPaymentTable {
  institution_id: string;
  id: string;
  kind: PaymentKind;
  plan: string;
  period_id: string | null;
  starts_at: string | null;
  state: Generated<PaymentState>;
  asked_by: string | null;
  asked_at: Generated<string>;
  decided_by: string | null;
  decided_at: string | null;
  reason: string | null;
}
export interface CapacityTryTable {
  user_id: string;
  id: Generated<number>;
  at: Generated<string>;
}
