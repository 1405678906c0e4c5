import { refusals, successCode } from "@arcada/contract/kernel/refusals";

/** A device as the written table sees it (lifecycles.md 4); nothing here is taken from the server's own tables. Times in minutes. */
export interface DeviceModel {
  state: "unbound" | "bound" | "locked";
  now: number;
  owner: Clinic | null;
  lockedBy: "clinic" | "service" | null;
  lockedAt: number;
  code: { until: number; isUsed: boolean };
  /** The times of wrong codes, by account. */
  wrongCodes: Record<Clinic, number[]>;
  hasMove: boolean;
  /** Keys given out; only the last opens anything, while the device is bound. */
  keys: number;
  history: string[];
}
export type Clinic = "own" | "other";
export type Actor = "manager" | "rival" | "member" | "service" | "serviceman" | "operator";

const day = 24 * 60;
const codeMinutes = 90 * day;
export const newDeviceModel = (): DeviceModel => ({
  state: "unbound",
  now: 0,
  owner: null,
  lockedBy: null,
  lockedAt: 0,
  code: { until: codeMinutes, isUsed: false },
  wrongCodes: { own: [], other: [] },
  hasMove: false,
  keys: 0,
  history: ["register"],
});

export type Command =
  | { do: "bind"; by: Actor; isRight: boolean }
  | { do: "newCode"; by: Actor }
  | { do: "lock"; by: Actor; why: boolean }
  | { do: "unlock"; by: Actor }
  | { do: "unbind" | "forceUnbind"; by: Actor; isTyped: boolean }
  | { do: "lock" | "unlock"; by: Actor; why: boolean; isStale: true }
  | { do: "wait"; minutes: number }
  | { do: "move"; isOpen: boolean };

const clinicOfActor: Partial<Record<Actor, Clinic>> = { manager: "own", rival: "other" };

/** Returns the code with which the server must answer, and updates the device. */
export function expectedCode(device: DeviceModel, command: Command): number {
  if (command.do === "wait") device.now += command.minutes;
  if (command.do === "move") device.hasMove = command.isOpen;
  if (command.do === "wait" || command.do === "move") return successCode;
  if (command.do === "bind") return bind(device, command);
  return command.do === "newCode" ? newCode(device, command.by) : takeStep(device, command);
}

function bind(device: DeviceModel, { by, isRight }: Extract<Command, { do: "bind" }>): number {
  const own = clinicOfActor[by];
  if (!own) return refusals.notAllowed.code;
  const wrongWithin = (minutes: number) => device.wrongCodes[own].filter((at) => at > device.now - minutes).length;
  if (wrongWithin(15) >= 5 || wrongWithin(day) >= 20) return refusals.deviceTooManyTries.code;
  if (!isRight) {
    device.wrongCodes[own].push(device.now);
    return refusals.deviceCodeWrong.code;
  }
  if (device.state !== "unbound" || device.code.isUsed) return refusals.deviceCodeUsed.code;
  if (device.code.until <= device.now) return refusals.deviceCodeExpired.code;
  device.code.isUsed = true;
  device.keys += 1;
  device.owner = own;
  return enterState(device, "bind", "bound");
}

function newCode(device: DeviceModel, by: Actor): number {
  if (by !== "service" && by !== "operator") return refusals.notAllowed.code;
  if (device.state !== "unbound") return refusals.deviceActionNotAllowed.code;
  device.code = { until: device.now + codeMinutes, isUsed: false };
  return successCode;
}

type Step = Exclude<Command, { do: "bind" | "newCode" | "wait" | "move" }>;
const requiredState = { lock: "bound", unlock: "locked", unbind: "bound", forceUnbind: "locked" } as const;
function takeStep(device: DeviceModel, command: Step): number {
  const { do: action, by } = command;
  const own = clinicOfActor[by];
  if (!own && by !== "service") return refusals.notAllowed.code;
  if (own && device.owner !== own) return refusals.notFound.code;
  if ("isStale" in command) return refusals.deviceChanged.code;
  const side = own ? "clinic" : "service";
  const isTheirs =
    action === "unlock"
      ? side === "service" || device.lockedBy === side
      : action !== "forceUnbind" || side === "service";
  if (device.state !== requiredState[action] || !isTheirs) return refusals.deviceActionNotAllowed.code;
  if (action === "lock") {
    if ("why" in command && !command.why) return refusals.deviceReasonMissing.code;
    device.lockedBy = side;
    device.lockedAt = device.now;
    return enterState(device, action, "locked");
  }
  if (action === "unlock") return enterState(device, action, "bound");
  if ("isTyped" in command && !command.isTyped) return refusals.deviceSerialDiffers.code;
  if (action === "unbind" && side === "service" && !device.hasMove) return refusals.deviceNeedsOrder.code;
  if (action === "forceUnbind" && device.now - device.lockedAt < 30 * day) return refusals.deviceNeedsConsent.code;
  device.owner = null;
  return enterState(device, action, "unbound");
}

function enterState(device: DeviceModel, action: string, to: DeviceModel["state"]): number {
  device.state = to;
  device.history.push(action);
  return successCode;
}

/** Returns the codes that answer a key's two kinds of calls: hello, and everything else. */
export function expectedKeyCodes(device: DeviceModel, key: number): [hello: number, work: number] {
  const unknown = refusals.keyUnknown.code;
  if (device.state === "unbound" || key !== device.keys) return [unknown, unknown];
  return [successCode, device.state === "bound" ? successCode : refusals.deviceLocked.code];
}
