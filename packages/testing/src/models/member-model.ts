import { present } from "../require-present.ts";
/** The members of an institution according to the written table. Nothing here is taken from the server's own tables. */
export interface MemberModel {
  /** The roles by person, for members only. */
  roles: Partial<Record<Actor, "manager" | "member">>;
  invited: boolean;
  applied: boolean;
  /** An application was rejected within the day. */
  wasRejected: boolean;
  /** The number of changes of each record, which detects a command that saw an earlier version. */
  versions: Record<RecordName, number>;
}
/** guest has an account and no place; rival manages another organisation. */
export const actors = ["chief", "deputy", "guest", "rival"] as const;
export type Actor = (typeof actors)[number];
const people = ["chief", "deputy", "guest"] as const;
type RecordName = (typeof people)[number] | "invitation" | "application";

export interface Command {
  by: Actor;
  action: string;
  /** The record that the command changes; null if it creates one. */
  on: RecordName | null;
  seenVersion: number;
}

export const newMemberModel = (): MemberModel => ({
  roles: { chief: "manager", deputy: "manager" },
  invited: false,
  applied: false,
  wasRejected: false,
  versions: { chief: 0, deputy: 0, guest: 0, invitation: 0, application: 0 },
});

const isManager = (model: MemberModel, actor: Actor): boolean => actor !== "guest" && model.roles[actor] === "manager";
const hasAnotherManager = (model: MemberModel, person: RecordName): boolean =>
  people.some((one) => one !== person && model.roles[one] === "manager");

/** Returns every command that a user might try, allowed or not. */
export const possibleCommands = (model: MemberModel): Omit<Command, "by">[] => {
  const on = (record: RecordName, action: string) => ({ action, on: record, seenVersion: model.versions[record] });
  return [
    { action: "invite", on: null, seenVersion: 0 },
    { action: "apply", on: null, seenVersion: 0 },
    ...(model.invited ? ["accept", "decline", "cancelInvitation", "resend"].map((one) => on("invitation", one)) : []),
    ...(model.applied ? ["agree", "reject", "cancelApplication"].map((one) => on("application", one)) : []),
    ...people
      .filter((person) => model.roles[person])
      .flatMap((person) => ["changeRole", "kickOut", "exit"].map((one) => on(person, one))),
  ];
};

/** Returns the institution after a command; null if the table does not allow it. */
export function applyCommand(model: MemberModel, command: Command): MemberModel | null {
  const { by, on, seenVersion: seen } = command;
  if (on !== null && model.versions[on] !== seen) return null;
  const change = transitions[command.action]?.(model, by, on);
  if (!change) return null;
  const next = { ...model, ...change };
  const moved = on === null ? {} : { [on]: model.versions[on] + 1 };
  return { ...next, versions: { ...model.versions, ...moved, ...change.versions } };
}

type Transition = (model: MemberModel, by: Actor, on: RecordName | null) => Partial<MemberModel> | null;
const changeIf = (holds: boolean, change: () => Partial<MemberModel>): Partial<MemberModel> | null =>
  holds ? change() : null;
const addGuest = (model: MemberModel): Partial<MemberModel> => ({
  roles: { ...model.roles, guest: "member" },
  invited: false,
  applied: false,
  versions: { ...model.versions, guest: 0 },
});
/** A new record begins with its first version. */
const newVersion = (model: MemberModel, record: RecordName) => ({ versions: { ...model.versions, [record]: 0 } });
const removeMember = (model: MemberModel, person: RecordName): Partial<MemberModel> => ({
  roles: Object.fromEntries(Object.entries(model.roles).filter(([name]) => name !== person)),
});

const transitions: Record<string, Transition> = {
  invite: (model, by) =>
    changeIf(isManager(model, by) && !model.roles.guest && !model.invited, () => ({
      invited: true,
      ...newVersion(model, "invitation"),
    })),
  resend: (model, by) => changeIf(isManager(model, by) && model.invited, () => ({})),
  accept: (model, by) => changeIf(by === "guest" && model.invited, () => addGuest(model)),
  decline: (model, by) => changeIf(by === "guest" && model.invited, () => ({ invited: false })),
  cancelInvitation: (model, by) => changeIf(isManager(model, by) && model.invited, () => ({ invited: false })),
  apply: (model, by) =>
    changeIf(by === "guest" && !model.roles.guest && !model.applied && !model.wasRejected, () => ({
      applied: true,
      ...newVersion(model, "application"),
    })),
  agree: (model, by) => changeIf(isManager(model, by) && model.applied, () => addGuest(model)),
  reject: (model, by) => changeIf(isManager(model, by) && model.applied, () => ({ applied: false, wasRejected: true })),
  cancelApplication: (model, by) => changeIf(by === "guest" && model.applied, () => ({ applied: false })),
  changeRole: (model, by, on) =>
    changeIf(
      on !== null &&
        isManager(model, by) &&
        isMember(model, on) &&
        (isPlainMember(model, on) || hasAnotherManager(model, on)),
      () => ({
        roles: { ...model.roles, [on as Actor]: isPlainMember(model, on) ? "manager" : "member" },
      }),
    ),
  kickOut: (model, by, on) =>
    changeIf(
      on !== null && isManager(model, by) && by !== on && isMember(model, on) && hasAnotherManager(model, on),
      () => removeMember(model, present(on)),
    ),
  exit: (model, by, on) =>
    changeIf(on !== null && by === on && isMember(model, on) && hasAnotherManager(model, on), () =>
      removeMember(model, present(on)),
    ),
};
const isMember = (model: MemberModel, on: RecordName): boolean => model.roles[on as Actor] !== undefined;
const isPlainMember = (model: MemberModel, on: RecordName | null): boolean => model.roles[on as Actor] === "member";
