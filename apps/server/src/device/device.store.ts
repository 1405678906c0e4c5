import { sql } from "kysely";
import type { RawBuilder, Selectable } from "kysely";
import type { DeviceAction, DeviceState } from "@arcada/contract/device/device.lifecycle";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { LockCode } from "@arcada/contract/device/device.rules";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { DeviceTable } from "../tables/schema.generated.ts";
import type { DeviceSide } from "./device.allowed-steps.ts";
import { selectValue } from "../platform/database/select-value.ts";
import { searchTerms } from "../platform/text/search-terms.ts";

export interface DeviceRow extends Selectable<DeviceTable> {
  house_name: string | null;
  house_number: string | null;
  is_expired: boolean;
  /** For a clinic that had the device: the period. */
  had_from: string | null;
  had_until: string | null;
}
const lastEventAt = (iid: string | null, action: RawBuilder<unknown>) =>
  sql`(select max(e.at) from device_event e where e.device_id = d.id and e.institution_id = ${iid} and e.action ${action})`;
const deviceRows = (iid: string | null) => sql`select d.*, i.name as house_name, i.number as house_number,
    coalesce(d.code_expires_at <= now(), false) as is_expired,
    ${lastEventAt(iid, sql`= 'bind'`)} as had_from, ${lastEventAt(iid, sql`in ('unbind', 'forceUnbind')`)} as had_until
  from device d left join institution i on i.id = d.institution_id`;

export interface DeviceFilter {
  search: string;
  product?: string | undefined;
  state?: DeviceState | undefined;
  institution?: string | undefined;
  clinic?: string | undefined;
}
const containsPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** The clinics whose name, pinyin, number or place matches the text, for after-sales. */
function clinicsFoundBy(search: string): RawBuilder<unknown> {
  const { grams, patterns } = searchTerms(search);
  if (grams.length + patterns.length === 0) return sql`select null::uuid`;
  return sql`select c.id from clinic c where c.grams @> ${grams}::text[] and c.haystack like all (${patterns}::text[])`;
}

/** `iid`: a clinic's own devices and its former ones, which it sees as unbound; null: all. */
const matchesFilter = (iid: string | null, { search, product, state, institution, clinic }: DeviceFilter) => {
  const own = sql`d.institution_id is not distinct from ${iid}::uuid`;
  const seen = iid === null ? sql`d.state` : sql`case when ${own} then d.state else 'unbound' end`;
  const name =
    iid === null
      ? sql`coalesce(d.name, '') || ' ' || coalesce(i.name, '')`
      : sql`case when ${own} then d.name else '' end`;
  return sql.join(
    [
      iid === null
        ? sql`true`
        : sql`(${own} or d.id in (select device_id from device_event where institution_id = ${iid}))`,
      search === ""
        ? sql`true`
        : sql`(concat_ws(' ', d.serial_number, d.product, d.model, ${name}) ilike ${containsPattern(search)}
            ${iid === null ? sql`or d.clinic_id in (${clinicsFoundBy(search)})` : sql``})`,
      product === undefined ? sql`true` : sql`d.product = ${product}`,
      state === undefined ? sql`true` : sql`${seen} = ${state}`,
      institution === undefined ? sql`true` : sql`d.institution_id = ${institution}`,
      clinic === undefined ? sql`true` : sql`d.clinic_id = ${clinic}`,
    ],
    sql` and `,
  );
};

export async function listDevices(
  db: Db,
  iid: string | null,
  filter: DeviceFilter,
  { before, most }: { before: string | undefined; most: number },
): Promise<{ rows: DeviceRow[]; total: number }> {
  const where = matchesFilter(iid, filter);
  const total = await selectValue(
    db,
    sql<number>`(select count(*)::int from device d left join institution i on i.id = d.institution_id where ${where})`,
  );
  const page = sql`${where} ${before === undefined ? sql`` : sql`and d.id < ${before}`}`;
  return { rows: await newestDevices(db, iid, page, most), total };
}

/** Returns the newest devices that the list would find for a text. */
export const searchDevices = (db: Db, iid: string | null, text: string, most: number): Promise<DeviceRow[]> =>
  newestDevices(db, iid, matchesFilter(iid, { search: text }), most);

const newestDevices = async (
  db: Db,
  iid: string | null,
  where: RawBuilder<unknown>,
  most: number,
): Promise<DeviceRow[]> =>
  (await sql<DeviceRow>`${deviceRows(iid)} where ${where} order by d.id desc limit ${most}`.execute(db)).rows;

export const findDevice = async (db: Db, iid: string | null, id: string): Promise<DeviceRow | undefined> =>
  (await sql<DeviceRow>`${deviceRows(iid)} where d.id = ${id} and ${matchesFilter(iid, { search: "" })}`.execute(db))
    .rows[0];

/** Locks the device until the transaction ends. */
export const lockDevice = (db: Db, id: string) =>
  db.selectFrom("device").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
/** Serial numbers repeat across products. Lock every match; the activation code decides which device is meant. */
export const lockBySerial = (db: Db, serial: string) =>
  db
    .selectFrom("device")
    .selectAll()
    .select(sql<boolean>`coalesce(code_expires_at <= now(), false)`.as("is_expired"))
    .where(sql<boolean>`lower(serial_number) = lower(${serial.trim()})`)
    .orderBy("id")
    .forUpdate()
    .execute();

export interface NewDevice {
  id: string;
  product: string;
  serialNumber: string;
  model: string;
  firmware: string | null;
  /** Null: no activation code yet. */
  codeHash: string | null;
}
/** E1. Returns the number of new devices. */
export async function insertDevices(db: Db, uid: string, made: readonly NewDevice[]): Promise<number> {
  const column = <K extends keyof NewDevice>(name: K): NewDevice[K][] => made.map((one) => one[name]);
  const inserted =
    await sql`insert into device (id, product, serial_number, model, firmware, code_hash, code_expires_at, created_by)
    select m.id, m.product, m.serial, m.model, m.firmware, m.hash, case when m.hash is not null then ${codeExpiry} end, ${uid}
    from unnest(${column("id")}::uuid[], ${column("product")}::text[], ${column("serialNumber")}::text[], ${column("model")}::text[],
      ${column("firmware")}::text[], ${column("codeHash")}::text[]) as m (id, product, serial, model, firmware, hash)
    on conflict do nothing`.execute(db);
  await sql`insert into device_event (id, device_id, user_id, side, action, to_state)
    select gen_random_uuid(), d.id, ${uid}, 'service', 'register', 'unbound' from device d
    where d.id = any(${column("id")}::uuid[])`.execute(db);
  return Number(inserted.numAffectedRows);
}
const codeExpiry = sql`now() + make_interval(days => ${deviceRules.codeDays}::int)`;

/** Returns those of the given devices that are registered, as `product` and lower-case serial number. */
export async function findRegistered(
  db: Db,
  wanted: readonly { product: string; serialNumber: string }[],
): Promise<Set<string>> {
  const { rows } = await sql<{
    product: string;
    serial: string;
  }>`select d.product, lower(d.serial_number) as serial from device d
    join unnest(${wanted.map(({ product }) => product)}::text[], ${wanted.map(({ serialNumber }) => serialNumber)}::text[]) as w (product, serial)
      on d.product = w.product and lower(d.serial_number) = lower(w.serial)`.execute(db);
  return new Set(rows.map(({ product, serial }) => serialKey(product, serial)));
}
export const serialKey = (product: string, serial: string): string => `${product}\n${serial.toLowerCase()}`;

export const setCode = (db: Db, id: string, hash: string) =>
  sql`update device set code_hash = ${hash}, code_expires_at = ${codeExpiry}, code_used_at = null,
    version = version + 1 where id = ${id}`.execute(db);

/** Serializes the codes of one account, so that wrong ones are counted one after another. */
export const lockAttempts = (db: Db, uid: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`arcada device tries ${uid}`}, 0))`.execute(db);
/** Refuses a user who recently typed too many wrong codes: the more there were, the longer the wait. */
export async function requireAttemptsLeft(db: Db, uid: string): Promise<void> {
  const rows = await db
    .selectFrom("device_try")
    .select(sql<number>`extract(epoch from now() - at) / 60`.as("minutes"))
    .where("user_id", "=", uid)
    .where(sql<boolean>`at > now() - interval '1 day'`)
    .execute();
  for (const { minutes, maxAttempts: attempts } of deviceRules.tryWindows.toReversed())
    if (rows.filter((row) => row.minutes < minutes).length >= attempts)
      refuse("deviceTooManyTries", { minutes: String(minutes) });
}
export async function countAttempt(db: Db, uid: string): Promise<void> {
  await sql`delete from device_try where user_id = ${uid} and at <= now() - interval '1 day'`.execute(db);
  await db.insertInto("device_try").values({ user_id: uid }).execute();
}

export const listDeviceKinds = (db: Db): Promise<{ product: string; models: string[] }[]> =>
  db
    .selectFrom("device")
    .select(["product", sql<string[]>`array_agg(distinct model order by model)`.as("models")])
    .groupBy("product")
    .orderBy("product")
    .execute();

export interface NewDeviceEvent {
  device: string;
  iid: string | null;
  uid: string;
  side: DeviceSide;
  action: DeviceAction;
  to: DeviceState;
  code?: LockCode | null;
  reason?: string | null;
  workOrder?: string | null;
  consent?: string | null;
}
export const addEvent = (db: Db, event: NewDeviceEvent) =>
  db
    .insertInto("device_event")
    .values({
      id: newId(),
      device_id: event.device,
      institution_id: event.iid,
      user_id: event.uid,
      side: event.side,
      action: event.action,
      to_state: event.to,
      code: event.code ?? null,
      reason: event.reason ?? null,
      work_order_id: event.workOrder ?? null,
      consent_id: event.consent ?? null,
    })
    .execute();

export interface DeviceEventRow {
  id: string;
  at: string;
  action: DeviceAction;
  to_state: DeviceState;
  side: DeviceSide;
  institution_id: string | null;
  house: string | null;
  who: string | null;
  code: LockCode | null;
  reason: string | null;
  work_order_id: string | null;
  consent: { id: string; name: string; sha256: string } | null;
}
/** Returns the events, newest first; for a clinic (`iid`) those from the time in which it had the device. */
export const listEvents = async (db: Db, id: string, iid: string | null): Promise<DeviceEventRow[]> =>
  (
    await sql<DeviceEventRow>`select e.id, e.at, e.action, e.to_state, e.side, e.institution_id, i.name as house, e.code, e.reason,
        e.work_order_id, coalesce(nullif(u.nick_name, ''), u.user_name) as who,
        case when c.sha256 is not null then jsonb_build_object('id', c.id, 'name', c.name, 'sha256', c.sha256) end as consent
      from device_event e left join institution i on i.id = e.institution_id left join users u on u.id = e.user_id
        left join device_consent c on c.id = e.consent_id
      where e.device_id = ${id} ${iid === null ? sql`` : sql`and e.institution_id = ${iid}`} order by e.seq desc limit 200`.execute(
      db,
    )
  ).rows;

/** A gateway reports every minute while it runs and reaches this instance. */
const silentAfter = "15 minutes";
/** A device that has reported nothing for longer was probably taken out of service. */
const forgottenAfter = "14 days";

/** The objects that wait in bound devices and gateways, and how many of these have fallen silent. */
export const countReports = (db: Db): Promise<{ waiting: number; silent: number }> =>
  db
    .selectFrom("device")
    .select([
      sql<number>`coalesce(sum(waiting) filter (where said_at > now() - ${silentAfter}::interval), 0)::int`.as(
        "waiting",
      ),
      sql<number>`count(*) filter (where said_at <= now() - ${silentAfter}::interval)::int`.as("silent"),
    ])
    .where("state", "=", "bound")
    .where("said_at", ">", sql<string>`now() - ${forgottenAfter}::interval`)
    .executeTakeFirstOrThrow();
