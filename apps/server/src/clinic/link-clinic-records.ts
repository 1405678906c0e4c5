import { sql } from "kysely";
import type { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { publish } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { ClinicWords } from "../tables/clinic-columns.ts";
import { lockClinic, findFreeNumber, notifyServiceClients } from "./change-clinic.ts";
import { lockLink, insertLink, endLink, listReturningRows, updateClinicRow } from "./clinic.store.ts";
import type { ClinicColumns } from "./clinic.store.ts";
import { buildSearchColumns } from "./clinic.search-columns.ts";
import { clinicsMerged, clinicsSeparated } from "./clinic.events.ts";

/**
 * Joins two records: the account's record takes over everything that refers to the other one, and the values that it
 * does not have. Returns its id.
 */
export async function linkClinic(
  context: AuthenticatedContext,
  input: Parsed<typeof clinicCalls.link>,
): Promise<string> {
  const { db, principal } = context;
  const from = await lockClinic(db, input.id);
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
  const values = missingValues(to, from);
  await insertLink(db, { clinic: to.id, from, before: valuesBefore(to, values), by: principal.uid });
  await publish(db, clinicsMerged, { from: from.id, to: to.id, institution: to.institution_id! });
  await updateClinicRow(db, to, { ...values, ...buildSearchColumns({ ...to, ...values }) });
  await db.deleteFrom("clinic").where("id", "=", from.id).execute();
  await notifyServiceClients(db, to.id);
  context.detail["into"] = to.id;
  context.detail["number"] = to.number;
  return to.id;
}

/**
 * Undoes a join: the other record exists again, with everything that came from it and does not belong to the account by
 * now. Returns its id.
 */
export async function unlinkClinic(
  context: AuthenticatedContext,
  input: Parsed<typeof clinicCalls.unlink>,
): Promise<string> {
  const { db, principal } = context;
  const from = await lockClinic(db, input.id);
  if (from.version !== input.version) refuse("clinicChanged");
  const join = (await lockLink(db, input.joinId, from.id)) ?? refuse("clinicParted");
  const { id, ...record } = join.record;
  const { rows } = await sql`select from clinic where number = ${record.number}`.execute(db);
  const words = rows.length === 0 ? record : { ...record, number: await findFreeNumber(db) };
  await db
    .insertInto("clinic")
    .values({ ...words, id, institution_id: null, ...buildSearchColumns(words) })
    .execute();
  const back = await listReturningRows(db, join);
  await publish(db, clinicsSeparated, { from: from.id, to: id, institution: from.institution_id!, ...back });
  const values = valuesToRestore(from, join);
  await updateClinicRow(db, from, { ...values, ...buildSearchColumns({ ...from, ...values }) });
  await endLink(db, join.id, principal.uid);
  await notifyServiceClients(db, from.id);
  await notifyServiceClients(db, id);
  context.subject = id;
  context.detail["outOf"] = from.id;
  context.detail["number"] = from.number;
  return id;
}

/**
 * The columns of a line are copied together or not at all: half a coordinate is useless, and an area code belongs to
 * its number.
 */
const columnGroups = [
  ["address"],
  ["leader"],
  ["phone", "phone_area"],
  ["alternate_name"],
  ["alternate_phone"],
  ["province", "city"],
  ["longitude", "latitude"],
] as const satisfies (keyof ClinicWords)[][];

/** Returns the values of `from` that are missing in `to`. */
function missingValues(to: ClinicColumns, from: ClinicColumns): Partial<ClinicWords> {
  const missing = columnGroups.filter(
    ([first]) => to[first] === null && (first !== "province" || to.country === from.country),
  );
  return {
    ...pickColumns(from, missing.flat()),
    ...(from.set_up_at < to.set_up_at && { set_up_at: from.set_up_at }),
  };
}
const valuesBefore = (to: ClinicColumns, values: Partial<ClinicWords>): Partial<ClinicWords> =>
  pickColumns(to, Object.keys(values) as (keyof ClinicWords)[]);

/** Restores the values from before the join, except those that were changed since. */
function valuesToRestore(
  now: ClinicColumns,
  { record, before }: { record: ClinicWords; before: Partial<ClinicWords> },
) {
  const unchanged = [...columnGroups, ["set_up_at"] as const].filter((line) =>
    line.every((column) => column in before && now[column] === record[column]),
  );
  return pickColumns(before, unchanged.flat());
}

const pickColumns = (words: Partial<ClinicWords>, columns: readonly (keyof ClinicWords)[]): Partial<ClinicWords> =>
  Object.fromEntries(columns.map((column) => [column, words[column]]));
