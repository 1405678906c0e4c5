import { defineLifecycle } from "../kernel/lifecycle.ts";

export const deviceStates = ["unbound", "bound", "locked"] as const;
export type DeviceState = (typeof deviceStates)[number];
/** clinic: the managers of the clinic that has it, or binds it; locker: the side that locked; service: after-sales admins. */
export type DeviceParty = "clinic" | "locker" | "service";

/** A device has no final state: from `unbound` it can be bound again. */
export const deviceLifecycle = defineLifecycle<
  DeviceState,
  DeviceParty,
  "reason" | "serialNumber" | "code" | "workOrder" | "proof"
>(
  deviceStates,
  [],
)({
  register: { id: "E1", from: [], to: ["unbound"], by: ["service"] },
  bind: { id: "E2", from: ["unbound"], to: ["bound"], by: ["clinic"], asks: ["serialNumber", "code"] },
  lock: { id: "E3", from: ["bound"], to: ["locked"], by: ["clinic", "service"], asks: ["reason"] },
  unlock: { id: "E4", from: ["locked"], to: ["bound"], by: ["locker", "service"] },
  unbind: {
    id: "E5",
    from: ["bound"],
    to: ["unbound"],
    by: ["clinic", "service"],
    asks: ["serialNumber", "workOrder"],
  },
  forceUnbind: { id: "E6", from: ["locked"], to: ["unbound"], by: ["service"], asks: ["serialNumber", "proof"] },
});
export type DeviceAction = keyof typeof deviceLifecycle.steps;
/** Those that move a device that is there; the others have calls of their own. */
export const deviceSteps = ["lock", "unlock", "unbind", "forceUnbind"] as const satisfies readonly DeviceAction[];
export type DeviceStep = (typeof deviceSteps)[number];
