/** A work order as the written table sees it; nothing here is taken from the server's own tables. */
export interface Model {
  state: "new" | "in_progress" | "transfer_review" | "acceptance_review" | "finished" | "closed";
  assignee: Actor | null;
  alternate: Actor | null;
}
/** Two technicians, two administrators, and the manager of the clinic. */
export const actors = ["one", "two", "chief", "deputy", "clinic"] as const;
export type Actor = (typeof actors)[number];
export interface Command {
  by: Actor;
  action: string;
  person: Actor;
  hasReason: boolean;
}

const isAdmin = (actor: Actor): boolean => actor === "chief" || actor === "deputy";
type Row = (model: Model, command: Command) => Partial<Model> | null;
const when = (holds: boolean, change: Partial<Model>): Partial<Model> | null => (holds ? change : null);
const given = (model: Model, person: Actor): Partial<Model> => ({
  assignee: person,
  alternate: model.alternate === person ? null : model.alternate,
});

const rows: Record<string, Row> = {
  assign: (m, { by, person }) =>
    when(m.state === "new" && isAdmin(by) && person !== "clinic" && person !== m.assignee, given(m, person)),
  start: (m, { by }) => when(m.state === "new" && by === m.assignee, { state: "in_progress" }),
  handOver: (m, { by, hasReason }) =>
    when(m.state === "in_progress" && by === m.assignee && m.alternate !== null && hasReason, {
      assignee: m.alternate,
      alternate: null,
    }),
  askTransfer: (m, { by, hasReason }) =>
    when(m.state === "in_progress" && by === m.assignee && m.alternate === null && hasReason, {
      state: "transfer_review",
    }),
  approveTransfer: (m, { by, person }) =>
    when(m.state === "transfer_review" && isAdmin(by) && person !== "clinic" && person !== m.assignee, {
      state: "in_progress",
      assignee: person,
      alternate: null,
    }),
  refuseTransfer: (m, { by, hasReason }) =>
    when(m.state === "transfer_review" && isAdmin(by) && hasReason, { state: "in_progress" }),
  submit: (m, { by }) => when(m.state === "in_progress" && by === m.assignee, { state: "acceptance_review" }),
  pass: (m, { by }) => when(m.state === "acceptance_review" && isAdmin(by) && by !== m.assignee, { state: "finished" }),
  sendBack: (m, { by, hasReason }) =>
    when(m.state === "acceptance_review" && isAdmin(by) && hasReason, { state: "in_progress" }),
  close: (m, { by }) => when(m.state === "finished" && isAdmin(by), { state: "closed" }),
  reopen: (m, { by, hasReason }) => when(m.state === "finished" && isAdmin(by) && hasReason, { state: "in_progress" }),
  void: (m, { by, hasReason }) =>
    when(!["finished", "closed"].includes(m.state) && isAdmin(by) && hasReason, { state: "closed" }),
};
export const actions = Object.keys(rows);

/**
 * Returns the commands that the table allows now and that do not end the order, once for every person whom they may
 * name.
 */
export const open = (model: Model): Command[] =>
  actions
    .filter((action) => action !== "void" && action !== "close")
    .flatMap((action) => {
      const people = ["assign", "approveTransfer"].includes(action) ? actors : actors.slice(0, 1);
      return actors.flatMap((by) => people.map((person) => ({ by, action, person, hasReason: true })));
    })
    .filter((command) => after(model, command) !== null);

/** The order after a command; null where the table does not let it be done. */
export function after(model: Model, command: Command): Model | null {
  const change = rows[command.action]?.(model, command);
  return change ? { ...model, ...change } : null;
}
