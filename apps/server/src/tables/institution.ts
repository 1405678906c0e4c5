import type { MemberState } from "@arcada/contract/member/member.cycle";
import type { Generated } from "kysely";
import type { RelationAction, RelationState } from "@arcada/contract/relation/relation.cycle";

export interface InstitutionTable {
  id: string;
  number: string;
  name: string;
  type: "clinic" | "lab";
  country: string;
  address: string | null;
  contact_person: string | null;
  contact_way: string | null;
  longitude: number | null;
  latitude: number | null;
  hide_patient_names: Generated<boolean>;
  auto_accept_relations: Generated<boolean>;
  /** Partners see the phones of the people in charge of an order. */
  share_phones: Generated<boolean>;
  /** Hash of the image, among the converted files. */
  logo_cover: string | null;
  logo_inside: string | null;
  /** Known from an archive alone: the institution has no members here. */
  stub: Generated<boolean>;
  require_factor: Generated<boolean>;
  /** Days after which a receipt closes by itself; null: never. */
  receipt_days: Generated<number | null>;
  /** Years after the last visit for which a record must be kept; null: as the country has it. */
  retention_years: Generated<number | null>;
  /** IANA name; null: as the country has it. */
  time_zone: Generated<string | null>;
  created_by: string;
  /** The after-sales user who opened the institution for its first manager, if one did. */
  opened_by: Generated<string | null>;
  created_at: Generated<string>;
}
export interface MembershipTable {
  id: string;
  institution_id: string | null;
  user_id: string;
  authority_id: number;
  state: "normal" | "deleted" | "exited";
  joined_at: Generated<string>;
  ended_at: string | null;
  version: Generated<number>;
  operator_id: string | null;
  /** Time since which programs of the institution may open this product as the member; null: they may not. */
  launch_allowed_at: Generated<string | null>;
}
export interface AdmissionTable {
  institution_id: string;
  id: string;
  kind: "invitation" | "application";
  state: Exclude<MemberState, "deleted" | "exited">;
  user_id: string | null;
  email: string | null;
  name: Generated<string>;
  remark: string | null;
  authority_id: number;
  secret_hash: string | null;
  inviter_id: string | null;
  operator_id: string | null;
  created_at: Generated<string>;
  sent_at: string | null;
  sent: Generated<number>;
  expires_at: string | null;
  ended_at: string | null;
  version: Generated<number>;
}
export interface RelationTable {
  id: string;
  institution_id: string;
  target_id: string;
  state: RelationState;
  requested_by: string;
  requested_at: Generated<string>;
  resent_at: string | null;
  decided_at: string | null;
  established_at: string | null;
  left_by: string | null;
  left_at: string | null;
  reason: string | null;
  hidden_by: Generated<string[]>;
  ended_at: string | null;
  /** The terms of each side for the orders that it sends, by the side's id. */
  terms: Generated<Record<string, { mayForward: boolean }>>;
  version: Generated<number>;
}
export interface RelationEventTable {
  relation_id: string;
  id: string;
  seq: Generated<number>;
  /** The side that acted; null: the system. */
  institution_id: string | null;
  user_id: string | null;
  at: Generated<string>;
  action: RelationAction;
  to_state: RelationState;
  reason: string | null;
}
export interface RelationInvitationTable {
  institution_id: string;
  id: string;
  email: string;
  name: string | null;
  invited_by: string;
  state: Generated<"waiting" | "answered" | "withdrawn">;
  relation_id: string | null;
  created_at: Generated<string>;
}
