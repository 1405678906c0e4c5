import type { Generated } from "kysely";
import type { WorkorderAction, WorkorderState } from "@arcada/contract/workorder/workorder.cycle";
import type { WorkorderFileRole } from "@arcada/contract/workorder/workorder.rules";

export interface WorkOrderCounterTable {
  day: string;
  last: number;
}
export interface WorkOrderTable {
  id: string;
  number: string;
  type: "installation" | "move_machine" | "repair";
  state: Generated<WorkorderState>;
  clinic_id: string;
  institution_id: string | null;
  device_id: string | null;
  product: string;
  model: string;
  serial_number: string;
  description: string;
  contact: string;
  contact_phone: string;
  alternate_contact: string | null;
  alternate_phone: string | null;
  tracking_number: string | null;
  to_clinic_id: string | null;
  to_address: string | null;
  assignee_id: string | null;
  alternate_id: string | null;
  reviewer_id: string | null;
  created_by: string;
  created_side: "clinic" | "service";
  created_at: Generated<string>;
  started_at: string | null;
  submitted_at: string | null;
  finished_at: string | null;
  closed_at: string | null;
  outcome: "done" | "void" | null;
  rework_count: Generated<number>;
  finish_serial: Generated<string>;
  finish_description: Generated<string>;
  finish_parts: Generated<{ name: string; number: string; quantity: number }[]>;
  haystack: string;
  grams: string[];
  version: Generated<number>;
}
export interface WorkOrderEventTable {
  id: string;
  seq: Generated<number>;
  work_order_id: string;
  institution_id: string | null;
  user_id: string | null;
  at: Generated<string>;
  action: WorkorderAction | null;
  to_state: WorkorderState | null;
  text: string | null;
  inner_only: boolean;
}
export interface WorkOrderFileTable {
  id: string;
  work_order_id: string;
  institution_id: string | null;
  role: WorkorderFileRole;
  name: string;
  bytes: number;
  content: string | null;
  sha256: string | null;
  shown_sha256: string | null;
  shown_width: number | null;
  shown_height: number | null;
  thumbnail_sha256: string | null;
  created_by: string;
  created_at: Generated<string>;
}
export interface WorkOrderReadTable {
  work_order_id: string;
  user_id: string;
  at: Generated<string>;
}
