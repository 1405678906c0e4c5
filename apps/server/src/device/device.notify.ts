import type { DeviceAction, DeviceState } from "@arcada/contract/device/device.lifecycle";
import type { LockCode } from "@arcada/contract/device/device.rules";
import { audit } from "../platform/audit/audit.ts";
import type { Db } from "../platform/database/database.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { sideOf } from "./device.allowed-steps.ts";
import type { Role } from "@arcada/contract/kernel/roles";
import { addEvent } from "./device.store.ts";
import { deviceTransitioned } from "./device.events.ts";

interface DeviceTransition {
  /** The device as it was while it belonged to `institution_id`. */
  device: { id: string; institution_id: string | null; name: string | null; serial_number: string; product: string };
  action: Exclude<DeviceAction, "register">;
  to: DeviceState;
  by: { uid: string; iid: string | null; role: Role; address: string };
  code?: LockCode | null;
  reason?: string | null;
  workOrder?: string | null;
  consent?: string | null;
}

/**
 * Everything that follows a step: the history, notifications, open tabs, and the clinic's audit log of actions by
 * others.
 */
export async function publishDeviceTransition(
  db: Db,
  { device, action, to, by, ...more }: DeviceTransition,
): Promise<void> {
  const institution = device.institution_id;
  await addEvent(db, { device: device.id, iid: institution, uid: by.uid, side: sideOf(by), action, to, ...more });
  if (institution === null) return;
  await publish(db, deviceTransitioned, {
    deviceId: device.id,
    device: `${device.name ?? device.product} · ${device.serial_number}`,
    action,
    institution,
    by: by.uid,
    reason: more.reason ?? null,
  });
  await notifyClients(db, { institutions: [institution], service: true }, "device", device.id);
  if (by.iid === institution) return;
  await audit(db, {
    institution_id: institution,
    user_id: by.uid,
    action: "device.step",
    subject: device.id,
    detail: { action, by: "service" },
    address: by.address,
  });
}
