import type { Parsed } from "@arcada/contract/kernel/call";
import { localDayIn, addDays } from "@arcada/contract/kernel/time-zone";
import { dentistRoles, roles } from "@arcada/contract/kernel/roles";
import type { forwardCalls } from "@arcada/contract/order/forwarding.calls";
import type { orderCalls } from "@arcada/contract/order/order.calls";
import { orderRules } from "@arcada/contract/order/order.rules";
import type { MemberContext } from "../../platform/http/request-context.ts";
import type { Db } from "../../platform/database/database.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { OrdersTable } from "../../tables/schema.generated.ts";
import type { Rx } from "../../tables/order-columns.ts";
import { checkFileRole, readPatientStudies, studyFiles, attachUploads } from "../files/attach-uploads.ts";
import type { FileRole } from "../files/attach-uploads.ts";
import { publishOrderMoved } from "../transition/apply-transition.ts";
import { refuseAsChanged, refuseIfStale } from "../transition/perform-action.ts";
import {
  addEvent,
  addFiles,
  insertOrder,
  updateOrder,
  findVisibleOrder,
  removeFiles,
  setFileRole,
} from "./order.store.ts";
import type { NewFile, Order } from "./order.store.ts";
import { partiesOf, findRefusal } from "../transition/guards.ts";
import { sendOrder } from "../transition/send-order.ts";
import { viewOrder } from "./order.view.ts";

type SaveInput = Parsed<typeof orderCalls.save>;
type Content = Pick<OrdersTable, "rx" | "case_type" | "due_date" | "patient_id" | "receiver_id"> &
  Partial<Pick<OrdersTable, "creator_id">>;

/** Creates or overwrites a draft, and sends it if that is requested; returns its id. */
export async function saveDraft(context: MemberContext, input: SaveInput): Promise<string> {
  const { db, principal, now } = context;
  await checkPatient(db, principal.iid, input.patientId);
  if (input.targetIid) await checkTarget(db, principal.iid, input.targetIid);
  if (input.responsibleId) await checkResponsible(db, principal.iid, input.responsibleId);
  // An assistant prepares an order for a dentist, who sends it.
  if (input.send && isAssistant(context)) refuse("orderActionNotAllowed");
  const order = input.id
    ? await overwriteDraft(context, input, input.id)
    : await createDraft(context, draftContent(input, context));
  await syncFiles(context, order, input);
  if (!input.send) {
    await publishOrderMoved(db, order, input.id ? "edit" : "create", principal.uid);
    return order.id;
  }
  const sent = await sendOrder(db, order, principal.uid, now);
  return sent ? sent.id : refuseAsChanged(context, order.id);
}

/** Creates a draft with the prescription and the files of an order that this institution sent. */
export async function copyOrder(context: MemberContext, id: string, remake: Remake = {}): Promise<string> {
  const { db, principal } = context;
  const source = await findVisibleOrder(db, principal.iid, id);
  if (!source || source.institution_id !== principal.iid) return refuse("notFound");
  const patientId = source.patient_id ?? refuse("notFound");
  await checkPatient(db, principal.iid, patientId);
  const held = await db
    .selectFrom("order_file")
    .selectAll()
    .where("institution_id", "=", principal.iid)
    .where("order_id", "=", id)
    .where("side", "=", "sender")
    .orderBy("place")
    .execute();
  const studies = await findExistingStudies(db, source);
  const content = {
    rx: { ...source.rx, studies },
    case_type: source.case_type,
    patient_id: patientId,
    receiver_id: source.receiver_id,
  };
  const order = await createDraft(
    context,
    { ...content, due_date: defaultDueDate(context) },
    { copied_from: id, ...remake },
  );
  await addFiles(
    db,
    order,
    held
      .filter(
        (file) =>
          file.role !== "answer" &&
          file.proposal_id === null &&
          (file.study_id === null || studies.includes(file.study_id)),
      )
      .map(toNewFile),
  );
  await publishOrderMoved(db, order, "create", principal.uid);
  return order.id;
}
const toNewFile = ({
  institution_id: _,
  order_id: __,
  place: ___,
  created_at: ____,
  proposal_id: _____,
  ...file
}: NewFile & Record<"institution_id" | "order_id" | "place" | "created_at", unknown>): NewFile => file;

async function findExistingStudies(db: Db, order: Order): Promise<string[]> {
  if (order.rx.studies.length === 0) return [];
  const rows = await db
    .selectFrom("study")
    .select("id")
    .where("institution_id", "=", order.institution_id)
    .where("patient_id", "=", order.patient_id)
    .where("id", "in", order.rx.studies)
    .where("deleted_at", "is", null)
    .execute();
  return rows.map((row) => row.id);
}

/** Another institution's patient is treated like one that does not exist. */
async function checkPatient(db: Db, iid: string, id: string): Promise<void> {
  const found = await db
    .selectFrom("patient")
    .select("id")
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!found) refuse("notFound");
}

async function checkTarget(db: Db, iid: string, target: string): Promise<void> {
  const found = await db.selectFrom("institution").select("type").where("id", "=", target).executeTakeFirst();
  if (found?.type !== "lab" || target === iid) refuse("institutionUnknown");
}

const isAssistant = ({ principal }: MemberContext): boolean => principal.role === "clinicAssistant";

/**
 * Returns the person who is responsible for a new order if nobody was named: its author. For an assistant it is the
 * dentist of the patient's newest order, else the dentist who has been here longest.
 */
async function findResponsible(context: MemberContext, patientId: string | null): Promise<string> {
  const { db, principal } = context;
  if (!isAssistant(context)) return principal.uid;
  const found = await db
    .selectFrom("membership as m")
    .leftJoin("orders as o", (join) =>
      join
        .onRef("o.institution_id", "=", "m.institution_id")
        .onRef("o.creator_id", "=", "m.user_id")
        .on("o.patient_id", "=", patientId),
    )
    .select("m.user_id")
    .where("m.institution_id", "=", principal.iid)
    .where("m.state", "=", "normal")
    .where("m.authority_id", "in", dentistIds)
    .orderBy("o.created_at", (order) => order.desc().nullsLast())
    .orderBy("m.authority_id", "desc")
    .orderBy("m.joined_at")
    .executeTakeFirst();
  return found?.user_id ?? principal.uid;
}
const dentistIds = dentistRoles.map((role) => roles[role].authorityId);

/** Only a current dentist of the institution can be responsible for an order, not a program or an assistant. */
async function checkResponsible(db: Db, iid: string, uid: string): Promise<void> {
  const member = await db
    .selectFrom("membership")
    .select("id")
    .where("institution_id", "=", iid)
    .where("user_id", "=", uid)
    .where("state", "=", "normal")
    .where("authority_id", "<>", roles.clinicAssistant.authorityId)
    .executeTakeFirst();
  if (!member) refuse("badInput", { responsibleId: "invalid" });
}

const defaultDueDate = ({ principal, now }: MemberContext): string =>
  addDays(localDayIn(principal.timeZone, now), orderRules.dueDays);

function draftContent(input: SaveInput, context: MemberContext): Content {
  const { patientId, targetIid, caseType, dueDate, responsibleId, id, studies, ...more } = input;
  const { uploads: _, version: __, send: ___, ...rest } = more;
  const rx: Rx = { ...rest, studies: [...new Set(studies)] };
  return {
    rx,
    case_type: caseType,
    patient_id: patientId,
    receiver_id: targetIid,
    due_date: dueDate ?? (id ? null : defaultDueDate(context)),
    ...(responsibleId && { creator_id: responsibleId }),
  };
}

type Remake = Partial<Pick<OrdersTable, "remake_of" | "remake_class" | "remake_bears">>;

/** Creates a remake: a copy of a completed order that records whose fault it is. */
export async function remakeOrder(context: MemberContext, input: Parsed<typeof forwardCalls.remake>): Promise<string> {
  const source = await findVisibleOrder(context.db, context.principal.iid, input.id);
  if (source?.institution_id === context.principal.iid && source.state !== "completed") refuse("orderNotRemade");
  return copyOrder(context, input.id, {
    remake_of: input.id,
    remake_class: input.class,
    remake_bears: input.bears,
  });
}

async function createDraft(
  context: MemberContext,
  content: Content,
  origin: Remake & { copied_from?: string } = {},
): Promise<Order> {
  const { db, principal, now } = context;
  const order = await insertOrder(
    db,
    {
      creator_id: content.creator_id ?? (await findResponsible(context, content.patient_id)),
      ...content,
      institution_id: principal.iid,
      made_by: principal.uid,
      state: "draft",
      turn: "nobody",
      turn_after: "nobody",
      step: "preparing",
      ...origin,
    },
    localDayIn(principal.timeZone, now),
  );
  addEvent(db, order, {
    action: "create",
    from: null,
    uid: principal.uid,
    side: "sender",
    text: null,
    revision: null,
    changed: null,
  });
  return order;
}

async function overwriteDraft(context: MemberContext, input: SaveInput, id: string): Promise<Order> {
  const { db, principal, now } = context;
  const order = (await findVisibleOrder(db, principal.iid, id)) ?? refuse("notFound");
  await refuseIfStale(context, order, input.version ?? refuse("badInput", { version: "required" }));
  const closed = findRefusal(order, "edit", partiesOf(order, principal), now);
  if (closed) return refuse(closed, await viewOrder(context, id));
  return (await updateOrder(db, order, ["draft"], draftContent(input, context))) ?? refuseAsChanged(context, id);
}

/**
 * Makes the order contain exactly the named studies and uploads. A file that it contains already is named by its own
 * id, which is that of its upload.
 */
async function syncFiles(context: MemberContext, order: Order, input: SaveInput): Promise<void> {
  const { db, principal } = context;
  const studies = await readPatientStudies(db, principal.iid, input.patientId, input.studies);
  const held = await db
    .selectFrom("order_file")
    .selectAll()
    .where("institution_id", "=", principal.iid)
    .where("order_id", "=", order.id)
    .execute();
  const kept = new Map(held.filter((file) => file.study_id === null).map((file) => [file.id, file]));
  const named = input.uploads.map((each) => ({ upload: each.upload, role: toSenderRole(each.role) }));
  const staying = new Set(named.map((each) => each.upload).filter((id) => kept.has(id)));
  await removeFiles(
    db,
    order,
    held.filter((file) => !staying.has(file.id)).map((file) => file.id),
  );
  for (const { upload, role } of named) await changeRole(db, order, kept.get(upload), role);
  await addFiles(
    db,
    order,
    await attachUploads(
      context,
      named.filter((each) => !staying.has(each.upload)),
      { side: "sender", revisionId: null },
    ),
  );
  await addFiles(db, order, await studyFiles(db, studies, order.rx, principal.uid));
}
async function changeRole(db: Db, order: Order, file: NewFile | undefined, role: FileRole): Promise<void> {
  if (!file || file.role === role) return;
  checkFileRole(role, file.content, file.name);
  await setFileRole(db, order, file.id, role);
}
const toSenderRole = (role: FileRole): FileRole => (role === "scheme" || role === "design" ? "document" : role);
