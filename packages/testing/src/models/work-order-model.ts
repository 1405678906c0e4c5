/** A work order as the written table sees it; nothing here is taken from the server's own tables. */
export interface WorkOrderModel {
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
type Transition = (model: WorkOrderModel, command: Command) => Partial<WorkOrderModel> | null;
const changeIf = (holds: boolean, change: Partial<WorkOrderModel>): Partial<WorkOrderModel> | null =>
  holds ? change : null;
const assignTo = (model: WorkOrderModel, person: Actor): Partial<WorkOrderModel> => ({
  assignee: person,
  alternate: model.alternate === person ? null : model.alternate,
});

const transitions: Record<string, Transition> = {
  assign: (m, { by, person }) =>
    changeIf(m.state === "new" && isAdmin(by) && person !== "clinic" && person !== m.assignee, assignTo(m, person)),
  start: (m, { by }) => changeIf(m.state === "new" && by === m.assignee, { state: "in_progress" }),
  handOver: (m, { by, hasReason }) =>
    changeIf(m.state === "in_progress" && by === m.assignee && m.alternate !== null && hasReason, {
      assignee: m.alternate,
      alternate: null,
    }),
  askTransfer: (m, { by, hasReason }) =>
    changeIf(m.state === "in_progress" && by === m.assignee && m.alternate === null && hasReason, {
      state: "transfer_review",
    }),
  approveTransfer: (m, { by, person }) =>
    changeIf(m.state === "transfer_review" && isAdmin(by) && person !== "clinic" && person !== m.assignee, {
      state: "in_progress",
      assignee: person,
      alternate: null,
    }),
  refuseTransfer: (m, { by, hasReason }) =>
    changeIf(m.state === "transfer_review" && isAdmin(by) && hasReason, { state: "in_progress" }),
  submit: (m, { by }) => changeIf(m.state === "in_progress" && by === m.assignee, { state: "acceptance_review" }),
  pass: (m, { by }) =>
    changeIf(m.state === "acceptance_review" && isAdmin(by) && by !== m.assignee, { state: "finished" }),
  sendBack: (m, { by, hasReason }) =>
    changeIf(m.state === "acceptance_review" && isAdmin(by) && hasReason, { state: "in_progress" }),
  close: (m, { by }) => changeIf(m.state === "finished" && isAdmin(by), { state: "closed" }),
  reopen: (m, { by, hasReason }) =>
    changeIf(m.state === "finished" && isAdmin(by) && hasReason, { state: "in_progress" }),
  void: (m, { by, hasReason }) =>
    changeIf(!["finished", "closed"].includes(m.state) && isAdmin(by) && hasReason, { state: "closed" }),
};
export const actions = Object.keys(transitions);

/**
 * Returns the commands that the table allows now and that do not end the order, once for every person whom they may
 * name.
 */
export const possibleCommands = (model: WorkOrderModel): Command[] =>
  actions
    .filter((action) => action !== "void" && action !== "close")
    .flatMap((action) => {
      const people = ["assign", "approveTransfer"].includes(action) ? actors : actors.slice(0, 1);
      return actors.flatMap((by) => people.map((person) => ({ by, action, person, hasReason: true })));
    })
    .filter((command) => applyCommand(model, command) !== null);

/** The order after a command; null where the table does not let it be done. */
export function applyCommand(model: WorkOrderModel, command: Command): WorkOrderModel | null {
  const change = transitions[command.action]?.(model, command);
  return change ? { ...model, ...change } : null;
}
