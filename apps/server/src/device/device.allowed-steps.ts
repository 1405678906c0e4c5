import { deviceLifecycle, deviceSteps } from "@arcada/contract/device/device.lifecycle";
import type { DeviceParty, DeviceState, DeviceStep } from "@arcada/contract/device/device.lifecycle";
import type { Role } from "@arcada/contract/kernel/roles";

export type DeviceSide = "clinic" | "service";
interface DeviceActor {
  role: Role;
  iid: string | null;
}
interface DeviceStanding {
  state: DeviceState;
  institution_id: string | null;
  lock_side: DeviceSide | null;
}

export const sideOf = ({ iid }: DeviceActor): DeviceSide => (iid === null ? "service" : "clinic");

/** Returns the roles of a user towards a device. */
function partiesOf(row: DeviceStanding, actor: DeviceActor): DeviceParty[] {
  const isService = actor.iid === null && actor.role === "afterSalesAdmin";
  const isClinic = actor.role === "clinicAdmin" && row.institution_id !== null && row.institution_id === actor.iid;
  const isLocker = row.lock_side === (isService ? "service" : "clinic") && (isService || isClinic);
  return [
    ...(isService ? (["service"] as const) : []),
    ...(isClinic ? (["clinic"] as const) : []),
    ...(isLocker ? (["locker"] as const) : []),
  ];
}

export const isOpen = (row: DeviceStanding, action: DeviceStep, actor: DeviceActor): boolean => {
  const { from, by } = deviceLifecycle.steps[action];
  const parties = partiesOf(row, actor);
  return from.some((state) => state === row.state) && by.some((party) => parties.includes(party));
};
export const openActions = (row: DeviceStanding, actor: DeviceActor): DeviceStep[] =>
  deviceSteps.filter((step) => isOpen(row, step, actor));
