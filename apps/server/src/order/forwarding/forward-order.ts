import { sql } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import { forwardRules } from "@arcada/contract/order/order-steps.rules";
import type { forwardCalls } from "@arcada/contract/order/forwarding.calls";
import type { orderCalls } from "@arcada/contract/order/order.calls";
import { maskName } from "@arcada/contract/patient/patient.calls";
import type { MemberContext } from "../../platform/http/request-context.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { ActionInput } from "../transition/transition-types.ts";
import { lockChild, findOrderChain, mayForward, findNewestChild } from "./related-orders.ts";
import { emptyActionInput, applyTransition, publishOrderMoved } from "../transition/apply-transition.ts";
import type { CustomTransition } from "../transition/apply-transition.ts";
import { mergePrescription } from "../prescription/prescription-changes.ts";
import { addEvent, addFiles, insertOrder, updateOrder, findVisibleOrder } from "../core/order.store.ts";
import type { NewFile, Order } from "../core/order.store.ts";
import { partiesOf, findRefusal } from "../transition/guards.ts";
import { sendOrder } from "../transition/send-order.ts";
import { viewOrder } from "../core/order.view.ts";

type StepInput = Parsed<typeof orderCalls.step>;
type ChildInput = Parsed<typeof forwardCalls.saveChild>;

/** Passes an order on to another lab: the draft of the child order is created in the same step. */
export async function forwardOrder(context: MemberContext, order: Order, input: StepInput): Promise<CustomTransition> {
  const { db } = context;
  if (!(await mayForward(db, order))) refuse("orderForwardNotAllowed");
  const target = input.targetIid ?? refuse("badInput", { targetIid: "required" });
  await checkTarget(db, order, target);
  return { after: (moved) => createChildOrder(context, moved, { ...input, targetIid: target }) };
}

async function checkTarget(db: Db, order: Order, target: string): Promise<void> {
  const found = await db.selectFrom("institution").select("type").where("id", "=", target).executeTakeFirst();
  if (found?.type !== "lab") refuse("institutionUnknown");
  const chain = await findOrderChain(db, order);
  const known = chain.some((member) => member.institution_id === target || member.receiver_id === target);
  if (known || chain.length > forwardRules.maxDepth) refuse("orderForwardCycle");
  const own = order.receiver_id;
  const related = await sql`select 1 from relation where state = 'established'
    and ((institution_id = ${own} and target_id = ${target}) or (institution_id = ${target} and target_id = ${own})) for share`.execute(
    db,
  );
  if (related.rows.length === 0) refuse("orderNoRelation");
}

interface ForwardingTerms {
  targetIid: string;
  straight?: boolean | undefined;
  showName?: boolean | undefined;
}
async function createChildOrder(
  { db, principal, now }: MemberContext,
  parent: Order,
  terms: ForwardingTerms,
): Promise<void> {
  const masked = parent.name_masked || !parent.rx.namePasses;
  const isMade = parent.resume_state === "awaiting_dispatch" && parent.rx.workKinds.includes("machining");
  const child = await insertOrder(
    db,
    {
      institution_id: principal.iid,
      creator_id: principal.uid,
      made_by: principal.uid,
      receiver_id: terms.targetIid,
      parent_id: parent.id,
      state: "draft",
      turn: "nobody",
      turn_after: "nobody",
      step: "preparing",
      case_type: parent.case_type,
      rx: {
        ...parent.rx,
        studies: [],
        mayForward: null,
        schemeRequired: parent.resume_state === "awaiting_scheme",
        workKinds: isMade ? ["machining"] : parent.rx.workKinds,
      },
      due_date: parent.promised_date ?? parent.due_date,
      patient_name: masked ? maskName(parent.patient_name ?? "") : parent.patient_name,
      patient_number: parent.patient_number,
      name_masked: masked,
      straight: terms.straight ?? false,
      named_above: terms.showName ?? false,
    },
    localDayIn(principal.timeZone, now),
  );
  addEvent(db, child, {
    action: "create",
    from: null,
    uid: principal.uid,
    side: "sender",
    text: null,
    revision: null,
    changed: null,
  });
  await addFiles(db, child, await filesForChild(db, parent));
  await publishOrderMoved(db, child, "create", principal.uid);
}

/** Refers to the same bytes: the files of the sender, and the newest scheme and design that it has confirmed. */
async function filesForChild(db: Db, parent: Order): Promise<NewFile[]> {
  const { rows } = await sql<NewFile>`
    select f.id, f.owner_id, 'sender' as side, f.role, f.name, f.content, f.sha256, f.bytes, f.study_id, null as revision_id, f.added_by
    from order_file f
    left join order_revision v on v.institution_id = f.institution_id and v.order_id = f.order_id and v.id = f.revision_id
    left join order_proposal p on p.institution_id = f.institution_id and p.order_id = f.order_id and p.id = f.proposal_id
    where f.institution_id = ${parent.institution_id} and f.order_id = ${parent.id}
      and (f.side = 'sender' and f.message_id is null and (f.proposal_id is null or p.state = 'accepted')
        or v.state = 'confirmed' and v.number = case v.kind when 'scheme' then ${parent.scheme_revision}::int else ${parent.design_revision}::int end)
    order by f.created_at, f.place, f.id`.execute(db);
  return rows;
}

/** Deletes the child order, which nobody else ever saw. */
export async function dropChild(db: Db, parent: Order): Promise<void> {
  const { rows } =
    await sql<Order>`delete from orders where parent_id = ${parent.id} and institution_id = ${parent.receiver_id}
    and state in ('draft', 'awaiting_sending') returning *`.execute(db);
  if (rows.length === 0) refuse("orderActionNotAllowed");
}

/** Cancels both orders together, if the other lab has not accepted the work yet. */
export async function cancelWithParent(db: Db, parent: Order, actionInput: ActionInput): Promise<CustomTransition> {
  const child = await bypassTenantScope(db, () => lockChild(db, parent));
  if (child?.state !== "pending") return refuse("orderChildUnderWay");
  const after = async () => {
    const cancelInput = { ...emptyActionInput, now: actionInput.now, uid: actionInput.uid, reason: actionInput.reason };
    await applyTransition(db, child, "cancel", { given: cancelInput, side: "sender" });
  };
  return { after };
}

/** Returns the design that the other lab delivered, to be submitted as one's own: the same bytes, without a copy. */
export async function deliveredFiles(db: Db, parent: Order): Promise<NewFile[]> {
  const child = await findNewestChild(db, parent);
  if (child?.state !== "completed") return [];
  const { rows } = await sql<NewFile>`
    select f.id, f.owner_id, 'receiver' as side, 'design' as role, f.name, f.content, f.sha256, f.bytes, null as study_id, null as revision_id, f.added_by
    from order_file f join order_revision v on v.institution_id = f.institution_id and v.order_id = f.order_id and v.id = f.revision_id
    where f.institution_id = ${child.institution_id} and f.order_id = ${child.id}
      and v.kind = 'design' and v.state = 'confirmed' and v.number = ${child.design_revision}
    order by f.created_at, f.place, f.id`.execute(db);
  return rows;
}

/** The lab completes the draft of a child order: the work, but not the patient or the receiver. */
export async function saveChild(context: MemberContext, input: ChildInput): Promise<string> {
  const { db, principal, now } = context;
  const found = await findVisibleOrder(db, principal.iid, input.id);
  if (found?.institution_id !== principal.iid) return refuse("notFound");
  if (found.version !== input.version) return refuse("orderChanged", await viewOrder(context, found.id));
  const isChild = found.parent_id !== null;
  const closed = isChild ? findRefusal(found, "edit", partiesOf(found, principal), now) : "orderActionNotAllowed";
  if (closed) return refuse(closed, await viewOrder(context, found.id));
  const saved = await updateOrder(db, found, ["draft"], mergePrescription(input.prescription, found));
  if (!saved) return refuse("orderChanged", await viewOrder(context, found.id));
  if (!input.send) await publishOrderMoved(db, saved, "edit", principal.uid);
  else if (!(await sendOrder(db, saved, principal.uid, now)))
    refuse("orderChanged", await viewOrder(context, found.id));
  return saved.id;
}
