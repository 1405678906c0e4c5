import { sql } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import { dayIn } from "@arcada/contract/kernel/time-zone";
import type { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { tell, notifyClients } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { searchColumns } from "../platform/text/search-terms.ts";
import { checkStaff } from "./workorder.steps.ts";
import { addEvent, markRead, nextNumber, zoneOfClinic } from "./workorder.store.ts";
import { storedType } from "./workorder.ts";
import type { Asking } from "./workorder.view.ts";

type Wish = Parsed<typeof workorderCalls.create>;

/** Creates an order (W1); returns its id. */
export async function createOrder({ db, asker, now }: Asking, wish: Wish): Promise<string> {
  const isClinic = asker.role === "clinicAdmin";
  if (isClinic && wish.type === "installation") refuse("notAllowed");
  const clinic = await clinicOf(db, isClinic ? { institution: asker.iid! } : { id: wish.clinicId });
  const device = await deviceOf(db, wish, clinic, isClinic);
  const moved =
    wish.type === "moveMachine" ? await placeOf(db, wish, isClinic) : { to_clinic_id: null, to_address: null };
  const { assigneeId, alternateId } = isClinic ? {} : wish;
  await checkStaff(db, assigneeId, alternateId);
  const id = newId();
  const number = await nextNumber(db, dayIn(await zoneOfClinic(db, clinic.id), now));
  const order = { id, institution_id: clinic.institution_id };
  await db
    .insertInto("work_order")
    .values({
      ...order,
      ...device,
      ...moved,
      ...wordsOf({ number, clinic: clinic.name, ...device, contact: wish.contact, phone: wish.contactPhone }),
      number,
      type: storedType(wish.type),
      clinic_id: clinic.id,
      description: wish.description,
      contact: wish.contact,
      contact_phone: wish.contactPhone,
      alternate_contact: wish.alternateContact || null,
      alternate_phone: wish.alternatePhone || null,
      tracking_number: (!isClinic && wish.trackingNumber) || null,
      assignee_id: assigneeId ?? null,
      alternate_id: alternateId ?? null,
      reviewer_id: null,
      created_by: asker.uid,
      created_side: isClinic ? "clinic" : "service",
      started_at: null,
      submitted_at: null,
      finished_at: null,
      closed_at: null,
      outcome: null,
    })
    .execute();
  await addEvent(db, order, { uid: asker.uid, action: "create", to: "new", text: null, isInternal: false });
  if (assigneeId !== asker.uid) await markRead(db, id, asker.uid);
  await tell(db, {
    name: "workorderMoved",
    workorderId: id,
    number,
    action: "create",
    to: "new",
    by: asker.uid,
    institution: clinic.institution_id,
    assignee: assigneeId ?? null,
    before: null,
  });
  await notifyClients(db, { institutions: [clinic.institution_id], service: true }, "workorder", id);
  return id;
}

interface Clinic {
  id: string;
  institution_id: string | null;
  name: string;
}
async function clinicOf(db: Db, which: { institution: string } | { id: string | undefined }): Promise<Clinic> {
  if ("id" in which && !which.id) return refuse("badInput", { clinicId: "required" });
  const { rows } = await sql<Clinic>`select id, institution_id, name from clinic where ${
    "id" in which ? sql`id = ${which.id}` : sql`institution_id = ${which.institution}`
  }`.execute(db);
  return rows[0] ?? refuse("badInput", { clinicId: "invalid" });
}

interface Device {
  device_id: string | null;
  product: string;
  model: string;
  serial_number: string;
}
/**
 * Returns the device, which must be at this clinic; one that is to be installed may be anywhere, or not be registered
 * yet.
 */
async function deviceOf(db: Db, wish: Wish, clinic: Clinic, isClinic: boolean): Promise<Device> {
  if (wish.deviceId) {
    const { rows } = await sql<
      Device & { institution_id: string | null; clinic_id: string | null }
    >`select id as device_id,
      product, model, serial_number, institution_id, clinic_id from device where id = ${wish.deviceId}`.execute(db);
    const device = rows[0] ?? refuse("workorderDeviceForeign", { deviceId: "invalid" });
    const isTheirs = device.institution_id !== null && device.institution_id === clinic.institution_id;
    const standsThere = isTheirs || (!isClinic && device.clinic_id === clinic.id);
    const isFree = wish.type === "installation" && device.institution_id === null;
    if (!standsThere && !isFree) refuse("workorderDeviceForeign", { deviceId: "invalid" });
    const { device_id, product, model, serial_number } = device;
    return { device_id, product, model, serial_number };
  }
  if (wish.type !== "installation") return refuse("badInput", { deviceId: "required" });
  const { product, model, serialNumber } = wish;
  if (!product || !model || !serialNumber)
    return refuse("badInput", {
      ...(!product && { product: "required" }),
      ...(!model && { model: "required" }),
      ...(!serialNumber && { serialNumber: "required" }),
    });
  return { device_id: null, product, model, serial_number: serialNumber };
}

/** The destination of a device that moves: another clinic, which a clinic cannot know, or another address. */
async function placeOf(db: Db, wish: Wish, isClinic: boolean) {
  const to = isClinic ? undefined : wish.toClinicId;
  if (!to && !wish.toAddress) return refuse("badInput", { toAddress: "required" });
  if (to) await clinicOf(db, { id: to });
  return { to_clinic_id: to ?? null, to_address: wish.toAddress || null };
}

interface Words extends Device {
  number: string;
  clinic: string;
  contact: string;
  phone: string;
}
/** Returns the search columns of an order. */
export function wordsOf(order: Words): { haystack: string; grams: string[] } {
  const own = searchColumns({
    name: `${order.clinic} ${order.contact} ${order.product} ${order.model}`,
    number: order.number,
    phone: order.phone,
    entry_number: order.serial_number,
  });
  return { haystack: own.haystack, grams: own.grams };
}

interface Choices {
  clinics: { id: string; name: string; contact: string | null; phone: string | null; address: string | null }[];
  devices: { id: string; name: string | null; product: string; model: string; serialNumber: string }[];
}
const choicesMost = 20;
/** Clinics by name and number, and the devices of one; a clinic sees itself. */
export const choicesFor = (db: Db, iid: string | null, search: string, chosen: string | undefined): Promise<Choices> =>
  bypassTenantScope(db, async () => {
    const like = `%${search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    const clinics = await sql<Choices["clinics"][number]>`select id, name, leader as contact, phone, address from clinic
      where ${iid ? sql`institution_id = ${iid}` : sql`(lower(name) like ${like} or number like ${like}) or id = ${chosen ?? null}`}
      order by (id = ${chosen ?? null}) desc nulls last, sort_name, id limit ${choicesMost}`.execute(db);
    const devices = await sql<
      Choices["devices"][number]
    >`select d.id, d.name, d.product, d.model, d.serial_number as "serialNumber"
      from device d left join clinic c on c.institution_id = d.institution_id
      where ${iid ? sql`d.institution_id = ${iid}` : sql`${chosen ?? null}::uuid in (d.clinic_id, c.id)`}
      order by d.product, d.serial_number limit 200`.execute(db);
    return { clinics: clinics.rows, devices: devices.rows };
  });
