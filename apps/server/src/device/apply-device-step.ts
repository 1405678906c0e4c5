import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Parsed } from "@arcada/contract/kernel/call";
import type { deviceCalls } from "@arcada/contract/device/device.calls";
import { deviceLifecycle } from "@arcada/contract/device/device.lifecycle";
import type { DeviceStep } from "@arcada/contract/device/device.lifecycle";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { MemberContext } from "../platform/http/request-context.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import { uploadParts } from "../platform/runtime/services.ts";
import { isOpen, sideOf } from "./device.allowed-steps.ts";
import { publishDeviceTransition } from "./device.notify.ts";
import { findDevice, lockDevice } from "./device.store.ts";
import type { Row } from "../tables/row.ts";

type StepInput = Parsed<typeof deviceCalls.step>;
type LockedDevice = NonNullable<Awaited<ReturnType<typeof lockDevice>>>;
/** Findings of a step's guard that the device's history records. */
interface GuardFindings {
  workOrder?: string;
  consent?: string;
}

/** E3 to E6. */
export async function applyDeviceStep(context: MemberContext, input: StepInput): Promise<void> {
  const { db, principal, address } = context;
  if (!(await findDevice(db, principal.iid, input.id))) refuse("notFound");
  const device = (await lockDevice(db, input.id)) ?? refuse("notFound");
  if (device.version !== input.version) refuse("deviceChanged");
  if (!isOpen(device, input.action, principal)) refuse("deviceActionNotAllowed");
  const findings = await guards[input.action](context, device, input);
  const to = deviceLifecycle.steps[input.action].to[0]!;
  // Row-level security forbids writing a row that the writer would not see, and an unbound device belongs to no
  // institution.
  await bypassTenantScope(db, () =>
    sql`update device set state = ${to}, version = version + 1, ${buildChange(input, sideOf(principal))} where id = ${device.id}`.execute(
      db,
    ),
  );
  await publishDeviceTransition(db, {
    device,
    action: input.action,
    to,
    by: { ...principal, address },
    code: input.action === "lock" ? requireLockCode(context, input) : null,
    reason: input.reason || null,
    workOrder: findings.workOrder ?? null,
    consent: findings.consent ?? null,
  });
}

type Guard = (context: MemberContext, device: LockedDevice, input: StepInput) => Promise<GuardFindings>;
const guards: Record<DeviceStep, Guard> = {
  lock: async (context, _, input) => {
    if (!input.reason) refuse("deviceReasonMissing", { reason: "required" });
    if (context.principal.role === "afterSalesAdmin" && !input.code)
      refuse("deviceReasonMissing", { code: "chooseOne" });
    return {};
  },
  unlock: async () => ({}),
  unbind: async ({ db, principal }, device, input) => {
    requireSerial(device, input);
    const workOrder =
      sideOf(principal) === "service" ? ((await findMoveOrder(db, device.id)) ?? refuse("deviceNeedsOrder")) : null;
    if (await isUploading(db, device)) refuse("deviceUploading");
    return workOrder ? { workOrder } : {};
  },
  forceUnbind: async ({ db }, device, input) => {
    requireSerial(device, input);
    const consent = input.consent === undefined ? null : await requireConsent(db, device.id, input.consent);
    if (consent) return { consent };
    if (!(await isLongLocked(db, device.id))) refuse("deviceNeedsConsent", { days: String(deviceRules.forceDays) });
    return {};
  },
};

function requireSerial(device: LockedDevice, { serialNumber }: StepInput): void {
  if (!isSameSerial(device.serial_number, serialNumber ?? ""))
    refuse("deviceSerialDiffers", { serialNumber: "deviceSerialDiffers" });
}

const requireLockCode = ({ principal }: MemberContext, { code }: StepInput) =>
  sideOf(principal) === "clinic" ? "loss" : (code ?? null);

function buildChange(input: StepInput, side: "clinic" | "service"): RawBuilder<unknown> {
  const unlocked = sql`locked_at = null, lock_side = null, lock_code = null, lock_reason = null`;
  if (input.action === "unlock") return unlocked;
  if (input.action === "lock")
    return sql`locked_at = now(), lock_side = ${side}, lock_code = ${side === "clinic" ? "loss" : (input.code ?? null)}, lock_reason = ${input.reason}`;
  return sql`${unlocked}, institution_id = null, clinic_id = null, name = null, unbound_at = now(), key_id = null,
    key_hash = null, key_begins = null, waiting = null, said_at = null`;
}

/** The open work order of a move. */
async function findMoveOrder(db: Db, device: string): Promise<string | undefined> {
  const { rows } = await sql<
    Row<"work_order", "id">
  >`select id from work_order where device_id = ${device} and type = 'move_machine'
    and state not in ('finished', 'closed') order by id desc limit 1`.execute(db);
  return rows[0]?.id;
}

/** Returns true if the device has an unfinished upload that was begun, or received bytes, within `uploadMinutes`. */
const isUploading = (db: Db, device: LockedDevice): Promise<boolean> =>
  bypassTenantScope(db, async () => {
    const rows = await db
      .selectFrom("upload")
      .select([
        "id",
        sql<boolean>`created_at > now() - make_interval(mins => ${deviceRules.uploadMinutes}::int)`.as("young"),
      ])
      .where("institution_id", "=", device.institution_id)
      .where("user_id", "=", device.key_id)
      .where("state", "<>", "finished")
      .execute();
    if (rows.some(({ young }) => young)) return true;
    const since = Date.now() - deviceRules.uploadMinutes * 60_000;
    for (const { id } of rows) if (((await uploadParts().touchedAt(id)) ?? 0) > since) return true;
    return false;
  });

const isLongLocked = async (db: Db, device: string): Promise<boolean> =>
  (
    await sql`select from device where id = ${device} and locked_at <= now() - make_interval(days => ${deviceRules.forceDays}::int)`.execute(
      db,
    )
  ).rows.length > 0;

const requireConsent = async (db: Db, device: string, id: string): Promise<string> =>
  (
    await sql<
      Row<"device_consent", "id">
    >`select id from device_consent where id = ${id} and device_id = ${device} and sha256 is not null`.execute(db)
  ).rows[0]?.id ?? refuse("notFound");

const isSameSerial = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();
