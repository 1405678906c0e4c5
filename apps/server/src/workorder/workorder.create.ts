import { sql } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import { localDayIn } from "@arcada/contract/kernel/time-zone";
import type { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { searchColumns } from "../platform/text/search-terms.ts";
import { requireStaff } from "./apply-workorder-step.ts";
import { addEvent, markRead, nextOrderNumber, findClinicZone } from "./workorder.store.ts";
import { toStoredType } from "./workorder.allowed-steps.ts";
import type { OrderContext } from "./workorder.view.ts";
import { workorderTransitioned } from "./workorder.events.ts";
import type { Column, Row } from "../tables/row.ts";

type CreateInput = Parsed<typeof workorderCalls.create>;

/** Creates an order (W1); returns its id. */
export async function createOrder({ db, principal, now }: OrderContext, input: CreateInput): Promise<string> {
  const isClinic = principal.role === "clinicAdmin";
  if (isClinic && input.type === "installation") refuse("notAllowed");
  const clinic = await requireClinic(db, isClinic ? { institution: principal.iid! } : { id: input.clinicId });
  const device = await requireDevice(db, input, clinic, isClinic);
  const moved =
    input.type === "moveMachine"
      ? await requireDestination(db, input, isClinic)
      : { to_clinic_id: null, to_address: null };
  const { assigneeId, alternateId } = isClinic ? {} : input;
  await requireStaff(db, assigneeId, alternateId);
  const id = newId();
  const number = await nextOrderNumber(db, localDayIn(await findClinicZone(db, clinic.id), now));
  const order = { id, institution_id: clinic.institution_id };
  await db
    .insertInto("work_order")
    .values({
      ...order,
      ...device,
      ...moved,
      ...buildSearchColumns({
        number,
        clinic: clinic.name,
        ...device,
        contact: input.contact,
        phone: input.contactPhone,
      }),
      number,
      type: toStoredType(input.type),
      clinic_id: clinic.id,
      description: input.description,
      contact: input.contact,
      contact_phone: input.contactPhone,
      alternate_contact: input.alternateContact || null,
      alternate_phone: input.alternatePhone || null,
      tracking_number: (!isClinic && input.trackingNumber) || null,
      assignee_id: assigneeId ?? null,
      alternate_id: alternateId ?? null,
      planned_at: null,
      recalled_at: null,
      reviewer_id: null,
      created_by: principal.uid,
      created_side: isClinic ? "clinic" : "service",
      started_at: null,
      submitted_at: null,
      finished_at: null,
      closed_at: null,
      outcome: null,
    })
    .execute();
  await addEvent(db, order, { uid: principal.uid, action: "create", to: "new", text: null, isInternal: false });
  if (assigneeId !== principal.uid) await markRead(db, id, principal.uid);
  await publish(db, workorderTransitioned, {
    workorderId: id,
    number,
    action: "create",
    to: "new",
    by: principal.uid,
    institution: clinic.institution_id,
    assignee: assigneeId ?? null,
    before: null,
  });
  await notifyClients(db, { institutions: [clinic.institution_id], service: true }, "workorder", id);
  return id;
}

type OrderClinic = Row<"clinic", "id" | "institution_id" | "name">;
async function requireClinic(
  db: Db,
  which: { institution: string } | { id: string | undefined },
): Promise<OrderClinic> {
  if ("id" in which && !which.id) return refuse("badInput", { clinicId: "required" });
  const { rows } = await sql<OrderClinic>`select id, institution_id, name from clinic where ${
    "id" in which ? sql`id = ${which.id}` : sql`institution_id = ${which.institution}`
  }`.execute(db);
  return rows[0] ?? refuse("badInput", { clinicId: "invalid" });
}

type OrderDevice = Row<"device", "product" | "model" | "serial_number"> & { device_id: Column<"device", "id"> | null };
/**
 * Returns the device, which must be at this clinic; one that is to be installed may be anywhere, or not be registered
 * yet.
 */
async function requireDevice(db: Db, input: CreateInput, clinic: OrderClinic, isClinic: boolean): Promise<OrderDevice> {
  if (input.deviceId) {
    const { rows } = await sql<
      Row<"device", "product" | "model" | "serial_number" | "institution_id" | "clinic_id"> & {
        device_id: Column<"device", "id">;
      }
    >`select id as device_id,
      product, model, serial_number, institution_id, clinic_id from device where id = ${input.deviceId}`.execute(db);
    const device = rows[0] ?? refuse("workorderDeviceForeign", { deviceId: "invalid" });
    const isTheirs = device.institution_id !== null && device.institution_id === clinic.institution_id;
    const standsThere = isTheirs || (!isClinic && device.clinic_id === clinic.id);
    const isFree = input.type === "installation" && device.institution_id === null;
    if (!standsThere && !isFree) refuse("workorderDeviceForeign", { deviceId: "invalid" });
    const { device_id, product, model, serial_number } = device;
    return { device_id, product, model, serial_number };
  }
  if (input.type !== "installation") return refuse("badInput", { deviceId: "required" });
  const { product, model, serialNumber } = input;
  if (!product || !model || !serialNumber)
    return refuse("badInput", {
      ...(!product && { product: "required" }),
      ...(!model && { model: "required" }),
      ...(!serialNumber && { serialNumber: "required" }),
    });
  return { device_id: null, product, model, serial_number: serialNumber };
}

/** The destination of a device that moves: another clinic, which a clinic cannot know, or another address. */
async function requireDestination(db: Db, input: CreateInput, isClinic: boolean) {
  const to = isClinic ? undefined : input.toClinicId;
  if (!to && !input.toAddress) return refuse("badInput", { toAddress: "required" });
  if (to) await requireClinic(db, { id: to });
  return { to_clinic_id: to ?? null, to_address: input.toAddress || null };
}

interface Words extends OrderDevice {
  number: string;
  clinic: string;
  contact: string;
  phone: string;
}
/** Returns the search columns of an order. */
export function buildSearchColumns(order: Words): { haystack: string; grams: string[] } {
  const own = searchColumns({
    name: `${order.clinic} ${order.contact} ${order.product} ${order.model}`,
    numbers: [order.number, order.phone, order.serial_number],
  });
  return { haystack: own.haystack, grams: own.grams };
}

type ClinicChoice = Row<"clinic", "id" | "name" | "phone" | "address"> & { contact: Column<"clinic", "leader"> };
type DeviceChoice = Row<"device", "id" | "name" | "product" | "model"> & {
  serialNumber: Column<"device", "serial_number">;
};
interface OrderChoices {
  clinics: ClinicChoice[];
  devices: DeviceChoice[];
}
const maxChoices = 20;
/** Clinics by name and number, and the devices of one; a clinic sees itself. */
export const listChoices = (
  db: Db,
  iid: string | null,
  search: string,
  chosen: string | undefined,
): Promise<OrderChoices> =>
  bypassTenantScope(db, async () => {
    const like = `%${search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    const clinics = await sql<ClinicChoice>`select id, name, leader as contact, phone, address from clinic
      where ${iid ? sql`institution_id = ${iid}` : sql`(lower(name) like ${like} or number like ${like}) or id = ${chosen ?? null}`}
      order by (id = ${chosen ?? null}) desc nulls last, sort_name, id limit ${maxChoices}`.execute(db);
    const devices = await sql<DeviceChoice>`select d.id, d.name, d.product, d.model, d.serial_number as "serialNumber"
      from device d left join clinic c on c.institution_id = d.institution_id
      where ${iid ? sql`d.institution_id = ${iid}` : sql`${chosen ?? null}::uuid in (d.clinic_id, c.id)`}
      order by d.product, d.serial_number limit 200`.execute(db);
    return { clinics: clinics.rows, devices: devices.rows };
  });
