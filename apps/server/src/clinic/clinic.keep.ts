import { sql } from "kysely";
import type { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { AskedContext } from "../kernel/asker.ts";
import type { Db } from "../kernel/db.ts";
import { tell, tellTabs } from "../kernel/events.ts";
import { newDigits, newId } from "../kernel/ids.ts";
import { refuse } from "../kernel/refuse.ts";
import { isHeld, writeClinic } from "./clinic.store.ts";
import type { ClinicColumns } from "./clinic.store.ts";
import { wordsOf } from "./clinic.words.ts";
import { isDivision } from "./divisions.ts";

type Fields = Parsed<typeof clinicCalls.create>;

/** The record of a clinic without an account; answers its id. */
export async function makeClinic(context: AskedContext, input: Fields): Promise<string> {
  const { db } = context;
  const id = newId();
  context.subject = id;
  const values = { ...columnsOf(input), number: await freeNumber(db) };
  await db
    .insertInto("clinic")
    .values({ ...values, id, institution_id: null, ...wordsOf(values) })
    .execute();
  await tellService(db, id);
  return id;
}

export async function changeClinic({ db }: AskedContext, input: Parsed<typeof clinicCalls.update>): Promise<void> {
  const now = await clinicOf(db, input.id);
  // An organisation is called as it calls itself.
  const own = now.institution_id === null ? {} : { name: now.name, country: now.country };
  const values = columnsOf({ ...input, ...own });
  await writeClinic(db, input, { ...values, ...wordsOf({ ...values, number: now.number }) });
  await tellService(db, input.id);
}

/** Open tabs of those who look after clinics. */
const tellService = (db: Db, id: string): Promise<void> => tellTabs(db, { service: true }, "clinic", id);

export async function removeClinic(db: Db, { id, version }: { id: string; version: number }): Promise<void> {
  const now = await clinicOf(db, id);
  if (now.version !== version) refuse("clinicChanged");
  if (now.institution_id !== null) refuse("clinicHasAccount");
  if (await isHeld(db, id)) refuse("clinicInUse");
  await db.deleteFrom("clinic").where("id", "=", id).execute();
  await tellService(db, id);
}

/** The account's record takes over what hangs on the other one, and what it does not say itself; answers its id. */
export async function linkClinic(context: AskedContext, input: Parsed<typeof clinicCalls.link>): Promise<string> {
  const { db } = context;
  const from = await clinicOf(db, input.id);
  if (from.version !== input.version) refuse("clinicChanged");
  if (from.institution_id !== null) refuse("clinicHasAccount");
  const to = await db
    .selectFrom("clinic")
    .selectAll()
    .where("number", "=", input.number)
    .where("institution_id", "is not", null)
    .forUpdate()
    .executeTakeFirst();
  if (!to) return refuse("badInput", { number: "clinicUnknown" });
  await tell(db, { name: "clinicsJoined", from: from.id, to: to.id, institution: to.institution_id! });
  const values = { ...filled(to, from), set_up_at: from.set_up_at < to.set_up_at ? from.set_up_at : to.set_up_at };
  await writeClinic(db, to, { ...values, ...wordsOf({ ...to, ...values }) });
  await db.deleteFrom("clinic").where("id", "=", from.id).execute();
  await tellService(db, to.id);
  context.detail["into"] = to.id;
  context.detail["number"] = to.number;
  return to.id;
}

/** Where a device stands. Whose it is its activation code decides (E2): one that another clinic bound stays there. */
export async function bindDevice(
  { db, asker, detail }: AskedContext,
  { id, deviceId }: { id: string; deviceId: string },
): Promise<void> {
  const clinic = await clinicOf(db, id);
  const device = await db
    .selectFrom("device")
    .select(["institution_id", "product", "serial_number"])
    .where("id", "=", deviceId)
    .forUpdate()
    .executeTakeFirst();
  if (!device) return refuse("notFound");
  if (device.institution_id !== null && device.institution_id !== clinic.institution_id) refuse("deviceElsewhere");
  await tell(db, { name: "deviceStands", deviceId, clinicId: id, by: asker.uid });
  await tellService(db, id);
  detail["device"] = `${device.product} ${device.serial_number}`;
}

const clinicOf = async (db: Db, id: string): Promise<ClinicColumns> =>
  (await db.selectFrom("clinic").selectAll().where("id", "=", id).forUpdate().executeTakeFirst()) ?? refuse("notFound");

function columnsOf(input: Fields) {
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

const carried = [
  "address",
  "leader",
  "phone_area",
  "phone",
  "alternate_name",
  "alternate_phone",
] as const satisfies (keyof ClinicColumns)[];
/** What one record says and the other does not; a place and a pair of coordinates go together. */
function filled(to: ClinicColumns, from: ClinicColumns): Partial<ClinicColumns> {
  const lines = Object.fromEntries(carried.map((column) => [column, to[column] ?? from[column]]));
  return {
    ...lines,
    ...(to.province === null && to.country === from.country && { province: from.province, city: from.city }),
    ...(to.longitude === null && { longitude: from.longitude, latitude: from.latitude }),
  };
}

/** Unlike those of organisations these begin with a letter. */
async function freeNumber(db: Db): Promise<string> {
  for (;;) {
    const number = `S${newDigits(7)}`;
    const { rows } = await sql`select from clinic where number = ${number}`.execute(db);
    if (rows.length === 0) return number;
  }
}
