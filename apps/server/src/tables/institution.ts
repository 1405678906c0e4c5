import type { Generated } from "kysely";
import type { RelationState } from "@arcada/contract/relation/relation.cycle";

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
  created_by: string;
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
  version: Generated<number>;
}
