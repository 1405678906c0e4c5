import { deviceCycle, deviceSteps } from "@arcada/contract/device/device.cycle";
import type { DeviceParty, DeviceState, DeviceStep } from "@arcada/contract/device/device.cycle";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { Role } from "@arcada/contract/kernel/roles";

export type Side = "clinic" | "service";
interface Who {
  role: Role;
  iid: string | null;
}
interface Row {
  state: DeviceState;
  institution_id: string | null;
  lock_side: Side | null;
}

export const sideOf = ({ iid }: Who): Side => (iid === null ? "service" : "clinic");

/** Returns the roles of a user towards a device. */
function partiesOf(row: Row, who: Who): DeviceParty[] {
  const isService = who.iid === null && who.role === "afterSalesAdmin";
  const isClinic = who.role === "clinicAdmin" && row.institution_id !== null && row.institution_id === who.iid;
  const isLocker = row.lock_side === (isService ? "service" : "clinic") && (isService || isClinic);
  return [
    ...(isService ? (["service"] as const) : []),
    ...(isClinic ? (["clinic"] as const) : []),
    ...(isLocker ? (["locker"] as const) : []),
  ];
}

export const isOpen = (row: Row, action: DeviceStep, who: Who): boolean => {
  const { from, by } = deviceCycle.steps[action];
  const parties = partiesOf(row, who);
  return from.some((state) => state === row.state) && by.some((party) => parties.includes(party));
};
export const openActions = (row: Row, who: Who): DeviceStep[] => deviceSteps.filter((step) => isOpen(row, step, who));

// Crockford's alphabet: no letter that is confused with another when it is read aloud or copied from paper.
const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** Makes a code from random bytes; 256 is a multiple of the 32 letters. */
export const codeOf = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, deviceRules.codeLetters), (byte) => letters[byte % letters.length])
    .join("")
    .replaceAll(/(.{4})(?=.)/g, "$1-");
/** Normalizes a typed code to the form in which it was made. */
export const plainCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, "")
    .replaceAll("O", "0")
    .replaceAll(/[IL]/g, "1");

export const isSameSerial = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();
