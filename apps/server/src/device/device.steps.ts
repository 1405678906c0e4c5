import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { deviceCalls } from "@arcada/contract/device/device.calls";
import { deviceCycle } from "@arcada/contract/device/device.cycle";
import type { DeviceStep } from "@arcada/contract/device/device.cycle";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { parts } from "../platform/runtime/services.ts";
import { isOpen, isSameSerial, sideOf } from "./device.ts";
import { spread } from "./device.spread.ts";
import { deviceById, holdDevice } from "./device.store.ts";

type Wish = Parsed<typeof deviceCalls.step>;
type Held = NonNullable<Awaited<ReturnType<typeof holdDevice>>>;
/** Findings of a step's guard that the device's history records. */
interface Proof {
  workOrder?: string;
  consent?: string;
}

/** E3 to E6. */
export async function takeStep(context: MemberContext, wish: Wish): Promise<void> {
  const { db, asker, address } = context;
  if (!(await deviceById(db, asker.iid, wish.id))) refuse("notFound");
  const device = (await holdDevice(db, wish.id)) ?? refuse("notFound");
  if (device.version !== wish.version) refuse("deviceChanged");
  if (!isOpen(device, wish.action, asker)) refuse("deviceActionNotAllowed");
  const proof = await guards[wish.action](context, device, wish);
  const to = deviceCycle.steps[wish.action].to[0]!;
  // Row-level security forbids writing a row that the writer would not see, and an unbound device belongs to no
  // institution.
  await bypassTenantScope(db, () =>
    sql`update device set state = ${to}, version = version + 1, ${changeOf(wish, sideOf(asker))} where id = ${device.id}`.execute(
      db,
    ),
  );
  await spread(db, {
    device,
    action: wish.action,
    to,
    by: { ...asker, address },
    code: wish.action === "lock" ? lockCode(context, wish) : null,
    reason: wish.reason || null,
    workOrder: proof.workOrder ?? null,
    consent: proof.consent ?? null,
  });
}

type Guard = (context: MemberContext, device: Held, wish: Wish) => Promise<Proof>;
const guards: Record<DeviceStep, Guard> = {
  lock: async (context, _, wish) => {
    if (!wish.reason) refuse("deviceReasonMissing", { reason: "required" });
    if (context.asker.role === "afterSalesAdmin" && !wish.code) refuse("deviceReasonMissing", { code: "chooseOne" });
    return {};
  },
  unlock: async () => ({}),
  unbind: async ({ db, asker }, device, wish) => {
    demandSerial(device, wish);
    const workOrder =
      sideOf(asker) === "service" ? ((await moveOrder(db, device.id)) ?? refuse("deviceNeedsOrder")) : null;
    if (await isUploading(db, device)) refuse("deviceUploading");
    return workOrder ? { workOrder } : {};
  },
  forceUnbind: async ({ db }, device, wish) => {
    demandSerial(device, wish);
    const consent = wish.consent === undefined ? null : await consentOf(db, device.id, wish.consent);
    if (consent) return { consent };
    if (!(await isLockedLong(db, device.id))) refuse("deviceNeedsConsent", { days: String(deviceRules.forceDays) });
    return {};
  },
};

function demandSerial(device: Held, { serialNumber }: Wish): void {
  if (!isSameSerial(device.serial_number, serialNumber ?? ""))
    refuse("deviceSerialDiffers", { serialNumber: "deviceSerialDiffers" });
}

const lockCode = ({ asker }: MemberContext, { code }: Wish) => (sideOf(asker) === "clinic" ? "loss" : (code ?? null));

function changeOf(wish: Wish, side: "clinic" | "service"): RawBuilder<unknown> {
  const unlocked = sql`locked_at = null, lock_side = null, lock_code = null, lock_reason = null`;
  if (wish.action === "unlock") return unlocked;
  if (wish.action === "lock")
    return sql`locked_at = now(), lock_side = ${side}, lock_code = ${side === "clinic" ? "loss" : (wish.code ?? null)}, lock_reason = ${wish.reason}`;
  return sql`${unlocked}, institution_id = null, clinic_id = null, name = null, unbound_at = now(), key_id = null,
    key_hash = null, key_begins = null, waiting = null, said_at = null`;
}

/** The open work order of a move. */
async function moveOrder(db: Db, device: string): Promise<string | undefined> {
  const { rows } = await sql<{
    id: string;
  }>`select id from work_order where device_id = ${device} and type = 'move_machine'
    and state not in ('finished', 'closed') order by id desc limit 1`.execute(db);
  return rows[0]?.id;
}

/** Returns true if the device has an unfinished upload that was begun, or received bytes, within `uploadMinutes`. */
const isUploading = (db: Db, device: Held): Promise<boolean> =>
  bypassTenantScope(db, async () => {
    const { rows } = await sql<{ id: string; young: boolean }>`select id,
        created_at > now() - make_interval(mins => ${deviceRules.uploadMinutes}::int) as young
      from upload where institution_id = ${device.institution_id} and user_id = ${device.key_id} and state <> 'finished'`.execute(
      db,
    );
    if (rows.some(({ young }) => young)) return true;
    const since = Date.now() - deviceRules.uploadMinutes * 60_000;
    for (const { id } of rows) if (((await parts().touchedAt(id)) ?? 0) > since) return true;
    return false;
  });

const isLockedLong = async (db: Db, device: string): Promise<boolean> =>
  (
    await sql`select from device where id = ${device} and locked_at <= now() - make_interval(days => ${deviceRules.forceDays}::int)`.execute(
      db,
    )
  ).rows.length > 0;

const consentOf = async (db: Db, device: string, id: string): Promise<string> =>
  (
    await sql<{
      id: string;
    }>`select id from device_consent where id = ${id} and device_id = ${device} and sha256 is not null`.execute(db)
  ).rows[0]?.id ?? refuse("notFound");
