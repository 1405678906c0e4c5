import type { Parsed } from "@arcada/contract/kernel/call";
import type { orderCalls } from "@arcada/contract/order/order.calls";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import type { Db } from "../../platform/database/database.ts";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { cancelWithParent, dropChild, deliveredFiles, forwardOrder } from "../forwarding/forward-order.ts";
import type { TransitionInput, CustomTransition } from "./apply-transition.ts";
import { addProposal, findOpenProposal } from "./change-proposal.store.ts";
import { findChangedFields } from "../prescription/prescription-changes.ts";
import type { Order } from "../core/order.store.ts";

type StepInput = Parsed<typeof orderCalls.step>;
export const customTransitions: Partial<
  Record<
    OrderAction,
    (
      context: MemberContext,
      order: Order,
      input: StepInput,
      transitionInput: TransitionInput,
    ) => Promise<CustomTransition>
  >
> = {
  // The timeline names the person, who may have another name later.
  assign: async ({ db }, _, { assigneeId }, { given }) => ({
    act: { given: { ...given, reason: null, text: await findPersonName(db, assigneeId ?? given.uid) } },
  }),
  prepareForward: forwardOrder,
  dropForward: ({ db }, order) => Promise.resolve({ after: () => dropChild(db, order) }),
  decideCancel: async ({ db, principal }, order, { approve }, { given: actionInput }) =>
    approve && order.state === "forwarded" ? cancelWithParent(db, order, { ...actionInput, uid: principal.uid }) : {},

  submitDesign: async ({ db }, order, { delivered, files = [] }) => {
    if (!delivered) return {};
    if (files.length > 0) refuse("badInput", { files: "notAsked" });
    const made = await deliveredFiles(db, order);
    return made.length === 0 ? refuse("orderFilesMissing") : { act: { files: made }, bypassesScope: true };
  },

  proposeChange: async ({ db, principal }, order, input, { given: actionInput, changed, files = [] }) => {
    const rx = actionInput.rx ?? refuse("badInput", { prescription: "required" });
    if (!changed?.length && files.length === 0) refuse("orderNothingChanged");
    const id = newId();
    const transitionInput = {
      also: { change_request: id },
      files: files.map((file) => ({ ...file, proposal_id: id })),
    };
    const after = (moved: Order) =>
      addProposal(db, moved, {
        ...rx,
        id,
        changed: changed ?? [],
        text: input.reason ?? actionInput.text,
        user_id: principal.uid,
      });
    return { act: transitionInput, after };
  },

  decideChange: async ({ db }, order, { approve }, { given: actionInput }) => {
    if (!approve) return {};
    const proposal = (await findOpenProposal(db, order)) ?? refuse("orderNoRequest");
    // Only what the proposal changed: the sender may have changed other fields since, such as who may see the name.
    const proposed = Object.entries(proposal.rx).filter(([field]) => proposal.changed.includes(field));
    const rx = {
      rx: { ...order.rx, ...Object.fromEntries(proposed) },
      case_type: proposal.changed.includes("caseType") ? proposal.case_type : order.case_type,
      due_date: proposal.changed.includes("dueDate") ? proposal.due_date : order.due_date,
    };
    return { act: { given: { ...actionInput, rx }, changed: findChangedFields(order, rx) }, bypassesScope: true };
  },
};

async function findPersonName(db: Db, uid: string | null): Promise<string | null> {
  const person = await db
    .selectFrom("users")
    .select(["nick_name", "user_name"])
    .where("id", "=", uid)
    .executeTakeFirst();
  return person ? person.nick_name || person.user_name : null;
}
