import { sql } from "kysely";
import type { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import type { Db } from "../platform/database/database.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { newDigits, newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { isReferenced, updateClinicRow } from "./clinic.store.ts";
import type { ClinicColumns } from "./clinic.store.ts";
import { buildSearchColumns } from "./clinic.search-columns.ts";
import { isDivision } from "./administrative-divisions.ts";
import { deviceInstalled } from "./clinic.events.ts";

type ClinicFields = Parsed<typeof clinicCalls.create>;

/** Makes the record of a clinic without an account; returns its id. */
export async function createClinic(context: AuthenticatedContext, input: ClinicFields): Promise<string> {
  const { db } = context;
  const id = newId();
  context.subject = id;
  const values = { ...toClinicColumns(input), number: await findFreeNumber(db) };
  await db
    .insertInto("clinic")
    .values({ ...values, id, institution_id: null, ...buildSearchColumns(values) })
    .execute();
  await notifyServiceClients(db, id);
  return id;
}

export async function updateClinic(
  { db }: AuthenticatedContext,
  input: Parsed<typeof clinicCalls.update>,
): Promise<void> {
  const current = await lockClinic(db, input.id);
  // An institution chooses its own name.
  const own = current.institution_id === null ? {} : { name: current.name, country: current.country };
  const values = toClinicColumns({ ...input, ...own });
  await updateClinicRow(db, input, { ...values, ...buildSearchColumns({ ...values, number: current.number }) });
  await notifyServiceClients(db, input.id);
}

/** Notifies the open clients of users who look after clinics. */
export const notifyServiceClients = (db: Db, id: string): Promise<void> =>
  notifyClients(db, { service: true }, "clinic", id);

export async function removeClinic(db: Db, { id, version }: { id: string; version: number }): Promise<void> {
  const current = await lockClinic(db, id);
  if (current.version !== version) refuse("clinicChanged");
  if (current.institution_id !== null) refuse("clinicHasAccount");
  if (await isReferenced(db, id)) refuse("clinicInUse");
  await db.deleteFrom("clinic").where("id", "=", id).execute();
  await notifyServiceClients(db, id);
}

/**
 * Sets the clinic at which a device is installed. The activation code decides who owns the device (E2): one that
 * another clinic has bound stays there.
 */
export async function installDevice(
  { db, principal, detail }: AuthenticatedContext,
  { id, deviceId }: { id: string; deviceId: string },
): Promise<void> {
  const clinic = await lockClinic(db, id);
  const device = await db
    .selectFrom("device")
    .select(["institution_id", "product", "serial_number"])
    .where("id", "=", deviceId)
    .forUpdate()
    .executeTakeFirst();
  if (!device) return refuse("notFound");
  if (device.institution_id !== null && device.institution_id !== clinic.institution_id) refuse("deviceElsewhere");
  await publish(db, deviceInstalled, { deviceId, clinicId: id, by: principal.uid });
  await notifyServiceClients(db, id);
  detail["device"] = `${device.product} ${device.serial_number}`;
}

export const lockClinic = async (db: Db, id: string): Promise<ClinicColumns> =>
  (await db.selectFrom("clinic").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()) ?? refuse("notFound");

function toClinicColumns(input: ClinicFields) {
  const wrong = {
    ...(!isDivision(input.country, input.province || null) && { province: "divisionUnknown" }),
    ...(!isDivision(input.country, input.city || null, input.province || null) && { city: "divisionUnknown" }),
  };
  if (Object.keys(wrong).length > 0) refuse("badInput", wrong);
  return {
    name: input.name,
    country: input.country,
    province: input.province || null,
    city: input.city || null,
    address: input.address || null,
    leader: input.leader || null,
    phone_area: input.phoneArea || null,
    phone: input.phone || null,
    alternate_name: input.alternateName || null,
    alternate_phone: input.alternatePhone || null,
    longitude: input.longitude,
    latitude: input.latitude,
    ...(input.setUpAt !== undefined && { set_up_at: input.setUpAt }),
  };
}

/** Returns an unused number. Unlike those of institutions it begins with a letter. */
export async function findFreeNumber(db: Db): Promise<string> {
  for (;;) {
    const number = `S${newDigits(7)}`;
    const { rows } = await sql`select from clinic where number = ${number}`.execute(db);
    if (rows.length === 0) return number;
  }
}
