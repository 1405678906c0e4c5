/** The members of an institution according to the written table. Nothing here is taken from the server's own tables. */
export interface House {
  /** The roles by person, for members only. */
  roles: Partial<Record<Actor, "manager" | "member">>;
  invited: boolean;
  applied: boolean;
  /** An application was rejected within the day. */
  turnedDown: boolean;
  /** The number of changes of each record, which detects a command that saw an earlier version. */
  versions: Record<Thing, number>;
}
/** guest has an account and no place; rival manages another organisation. */
export const actors = ["chief", "deputy", "guest", "rival"] as const;
export type Actor = (typeof actors)[number];
const people = ["chief", "deputy", "guest"] as const;
type Thing = (typeof people)[number] | "invitation" | "application";

export interface Command {
  by: Actor;
  action: string;
  /** The record that the command changes; null if it creates one. */
  on: Thing | null;
  seen: number;
}

export const emptyHouse = (): House => ({
  roles: { chief: "manager", deputy: "manager" },
  invited: false,
  applied: false,
  turnedDown: false,
  versions: { chief: 0, deputy: 0, guest: 0, invitation: 0, application: 0 },
});

const isManager = (house: House, actor: Actor): boolean => actor !== "guest" && house.roles[actor] === "manager";
const another = (house: House, person: Thing): boolean =>
  people.some((one) => one !== person && house.roles[one] === "manager");

/** Returns every command that somebody might try, allowed or not. */
export const tries = (house: House): Omit<Command, "by">[] => {
  const on = (thing: Thing, action: string) => ({ action, on: thing, seen: house.versions[thing] });
  return [
    { action: "invite", on: null, seen: 0 },
    { action: "apply", on: null, seen: 0 },
    ...(house.invited ? ["accept", "decline", "cancelInvitation", "resend"].map((one) => on("invitation", one)) : []),
    ...(house.applied ? ["agree", "reject", "cancelApplication"].map((one) => on("application", one)) : []),
    ...people
      .filter((person) => house.roles[person])
      .flatMap((person) => ["changeRole", "kickOut", "exit"].map((one) => on(person, one))),
  ];
};

/** Returns the institution after a command; null if the table does not allow it. */
export function after(house: House, command: Command): House | null {
  const { by, on, seen } = command;
  if (on !== null && house.versions[on] !== seen) return null;
  const change = rows[command.action]?.(house, by, on);
  if (!change) return null;
  const next = { ...house, ...change };
  const moved = on === null ? {} : { [on]: house.versions[on] + 1 };
  return { ...next, versions: { ...house.versions, ...moved, ...change.versions } };
}

type Row = (house: House, by: Actor, on: Thing | null) => Partial<House> | null;
const when = (holds: boolean, change: () => Partial<House>): Partial<House> | null => (holds ? change() : null);
const joins = (house: House): Partial<House> => ({
  roles: { ...house.roles, guest: "member" },
  invited: false,
  applied: false,
  versions: { ...house.versions, guest: 0 },
});
/** A new record begins with its first version. */
const begins = (house: House, thing: Thing) => ({ versions: { ...house.versions, [thing]: 0 } });
const without = (house: House, person: Thing): Partial<House> => ({
  roles: Object.fromEntries(Object.entries(house.roles).filter(([name]) => name !== person)),
});

const rows: Record<string, Row> = {
  invite: (house, by) =>
    when(isManager(house, by) && !house.roles.guest && !house.invited, () => ({
      invited: true,
      ...begins(house, "invitation"),
    })),
  resend: (house, by) => when(isManager(house, by) && house.invited, () => ({})),
  accept: (house, by) => when(by === "guest" && house.invited, () => joins(house)),
  decline: (house, by) => when(by === "guest" && house.invited, () => ({ invited: false })),
  cancelInvitation: (house, by) => when(isManager(house, by) && house.invited, () => ({ invited: false })),
  apply: (house, by) =>
    when(by === "guest" && !house.roles.guest && !house.applied && !house.turnedDown, () => ({
      applied: true,
      ...begins(house, "application"),
    })),
  agree: (house, by) => when(isManager(house, by) && house.applied, () => joins(house)),
  reject: (house, by) => when(isManager(house, by) && house.applied, () => ({ applied: false, turnedDown: true })),
  cancelApplication: (house, by) => when(by === "guest" && house.applied, () => ({ applied: false })),
  changeRole: (house, by, on) =>
    when(on !== null && isManager(house, by) && isIn(house, on) && (isSmall(house, on) || another(house, on)), () => ({
      roles: { ...house.roles, [on as Actor]: isSmall(house, on) ? "manager" : "member" },
    })),
  kickOut: (house, by, on) =>
    when(on !== null && isManager(house, by) && by !== on && isIn(house, on) && another(house, on), () =>
      without(house, on!),
    ),
  exit: (house, by, on) =>
    when(on !== null && by === on && isIn(house, on) && another(house, on), () => without(house, on!)),
};
const isIn = (house: House, on: Thing): boolean => house.roles[on as Actor] !== undefined;
const isSmall = (house: House, on: Thing | null): boolean => house.roles[on as Actor] === "member";
