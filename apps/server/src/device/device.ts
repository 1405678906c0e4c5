import { deviceLifecycle, deviceSteps } from "@arcada/contract/device/device.lifecycle";
import type { DeviceParty, DeviceState, DeviceStep } from "@arcada/contract/device/device.lifecycle";
import { deviceRules } from "@arcada/contract/device/device.rules";
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

// Crockford's alphabet: no letter that is confused with another when it is read aloud or copied from paper.
const codeAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Makes a code from random bytes; 256 is a multiple of the 32 letters. */
export const formatCode = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, deviceRules.codeLetters), (byte) => codeAlphabet[byte % codeAlphabet.length])
    .join("")
    .replaceAll(/(.{4})(?=.)/g, "$1-");
/** Normalizes a typed code to the form in which it was made. */
export const normaliseCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");

export const isSameSerial = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();
