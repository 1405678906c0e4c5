import { sql } from "kysely";
import { deviceRules } from "@arcada/contract/device/device.rules";
import type { DeviceAction, DeviceState } from "@arcada/contract/device/device.lifecycle";
import type { Database, Db } from "../apps/server/src/platform/database/database.ts";
import { newId, newSecret, secretHash } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { demoAccounts } from "../apps/server/src/domain/demo-accounts.ts";
import { demoInstitutions } from "./create-institutions.ts";
import { demoClinics } from "./after-sales-clinics.ts";

interface DemoDevice {
  id: string;
  product: string;
  model: string;
  serial_number: string;
  firmware: string;
  software_version: string | null;
  name: string | null;
  state: DeviceState;
  /** The number of the clinic that owns the device. */
  institution: string | null;
  lock?: string;
}
const idOf = (place: number): string => `0199a000-0000-7000-8000-00000000d00${place}`;

/** Devices in every state: of the cast's clinic, of another, and two that nobody has bound. */
export const demoDevices: readonly DemoDevice[] = [
  {
    id: idOf(1),
    product: "Aurora CBCT",
    model: "A1",
    serial_number: "AU-25-00117",
    firmware: "4.2.1",
    software_version: "2.3.0",
    name: "CBCT · 2 号诊室",
    state: "bound",
    institution: demoInstitutions.clinic.number,
  },
  {
    id: idOf(2),
    product: "Corvus Scan",
    model: "CS-3",
    serial_number: "CV-24-03406",
    firmware: "1.9.0",
    software_version: "5.1.2",
    name: "口扫 · 1 号诊室",
    state: "locked",
    institution: demoInstitutions.clinic.number,
    lock: "手柄遗失，正在查找",
  },
  {
    id: idOf(3),
    product: "Aurora CBCT",
    model: "A1",
    serial_number: "AU-25-00142",
    firmware: "4.2.1",
    software_version: "2.4.0",
    name: "CBCT",
    state: "bound",
    institution: demoClinics.registered.number,
  },
  {
    id: idOf(4),
    product: "Lumen Pano",
    model: "LP-2",
    serial_number: "LP-23-00881",
    firmware: "3.0.4",
    software_version: null,
    name: null,
    state: "unbound",
    institution: null,
  },
  {
    id: idOf(5),
    product: "Corvus Scan",
    model: "CS-3",
    serial_number: "CV-26-00012",
    firmware: "2.0.0",
    software_version: null,
    name: null,
    state: "unbound",
    institution: null,
  },
];

/** Runs once. The keys of the devices are unknown: to send, create a new activation code and bind a device again. */
export const seedDevices = (database: Database): Promise<void> =>
  database.asSystem(async (db) => {
    const known = await db.selectFrom("device").select("id").where("id", "=", demoDevices[0]!.id).executeTakeFirst();
    if (known) return;
    const people = { service: await findUserId(db, "afterSalesAdmin"), clinic: await findUserId(db, "clinicAdmin") };
    for (const device of demoDevices) await seedDevice(db, device, people);
  });

type People = Record<"service" | "clinic", string>;
async function seedDevice(db: Db, { institution, lock, ...device }: DemoDevice, people: People): Promise<void> {
  const iid = institution === null ? null : await findInstitutionId(db, institution);
  const key = institution === null ? null : { id: newId(), hash: secretHash(newSecret()) };
  if (key)
    await db
      .insertInto("users")
      .values({ id: key.id, nick_name: device.name ?? device.product })
      .execute();
  await sql`insert into device (id, product, model, serial_number, firmware, software_version, name, state, institution_id, clinic_id,
      key_id, key_hash, key_begins, bound_at, seen_at, locked_at, lock_side, lock_code, lock_reason, created_by, created_at)
    values (${device.id}, ${device.product}, ${device.model}, ${device.serial_number}, ${device.firmware}, ${device.software_version},
      ${device.name}, ${device.state}, ${iid}, coalesce((select id from clinic where institution_id = ${iid}),
        ${device.id === demoDevices[3]!.id ? demoClinics.far.id : null}::uuid),
      ${key?.id ?? null}, ${key?.hash ?? null}, ${key && `${deviceRules.keyPrefix}demo0`}, ${key && sql`now() - interval '200 days'`},
      ${key && sql`now() - interval '2 hours'`}, ${lock ? sql`now() - interval '3 days'` : null}, ${lock ? "clinic" : null},
      ${lock ? "loss" : null}, ${lock ?? null}, ${people.service}, now() - interval '240 days')`.execute(db);
  const insertEvent = async (action: DeviceAction, to: DeviceState, days: number, reason: string | null = null) => {
    const side = action === "register" ? "service" : "clinic";
    await sql`insert into device_event (id, device_id, institution_id, user_id, side, at, action, to_state, code, reason)
      values (${newId()}, ${device.id}, ${side === "clinic" ? iid : null}, ${people[side]}, ${side},
        now() - make_interval(days => ${days}::int), ${action}, ${to}, ${action === "lock" ? "loss" : null}, ${reason})`.execute(
      db,
    );
  };
  await insertEvent("register", "unbound", 240);
  if (iid) await insertEvent("bind", "bound", 200);
  if (lock) await insertEvent("lock", "locked", 3, lock);
}

const findInstitutionId = async (db: Db, number: string): Promise<string> =>
  (await db.selectFrom("institution").select("id").where("number", "=", number).executeTakeFirstOrThrow()).id;

const findUserId = async (db: Db, role: (typeof demoAccounts.accounts)[number]["role"]): Promise<string> =>
  (
    await db
      .selectFrom("contact")
      .select("user_id")
      .where("value", "=", demoAccounts.accounts.find((one) => one.role === role)!.account)
      .executeTakeFirstOrThrow()
  ).user_id;
