import type { Generated } from "kysely";
import type { DeviceAction, DeviceState } from "@arcada/contract/device/device.cycle";
import type { LockCode } from "@arcada/contract/device/device.rules";

export interface DeviceTable {
  id: string;
  institution_id: Generated<string | null>;
  clinic_id: Generated<string | null>;
  product: string;
  serial_number: string;
  model: string;
  firmware: string | null;
  software_version: Generated<string | null>;
  name: Generated<string | null>;
  state: Generated<DeviceState>;
  code_hash: string | null;
  code_expires_at: string | null;
  code_used_at: Generated<string | null>;
  key_id: Generated<string | null>;
  key_hash: Generated<string | null>;
  key_begins: Generated<string | null>;
  minute: Generated<string | null>;
  calls: Generated<number>;
  seen_at: Generated<string | null>;
  waiting: Generated<number | null>;
  said_at: Generated<string | null>;
  bound_at: Generated<string | null>;
  unbound_at: Generated<string | null>;
  locked_at: Generated<string | null>;
  lock_side: Generated<"clinic" | "service" | null>;
  lock_code: Generated<LockCode | null>;
  lock_reason: Generated<string | null>;
  created_by: string | null;
  created_at: Generated<string>;
  version: Generated<number>;
}
export interface DeviceConsentTable {
  id: string;
  device_id: string;
  name: string;
  bytes: number;
  sha256: Generated<string | null>;
  created_by: string;
  created_at: Generated<string>;
}
export interface DeviceEventTable {
  id: string;
  seq: Generated<number>;
  device_id: string;
  institution_id: string | null;
  user_id: string | null;
  side: "clinic" | "service";
  at: Generated<string>;
  action: DeviceAction;
  to_state: DeviceState;
  code: LockCode | null;
  reason: string | null;
  work_order_id: string | null;
  consent_id: string | null;
}
export interface DeviceTryTable {
  user_id: string;
  at: Generated<string>;
}
