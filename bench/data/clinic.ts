import type pg from "pg";
import { roles } from "@arcada/contract/kernel/roles";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import type { Database, Db } from "../../apps/server/src/platform/database/database.ts";
import { newDigits, newId, newSecret, secretHash } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import {
  formatPatientNumber,
  patientSearchColumns,
  toPatientColumns,
} from "../../apps/server/src/patient/patient-column-mapping.ts";
import { hashPassword } from "../../apps/server/src/account/password/password-hash.ts";

export interface Clinic extends Institution {
  account: string;
  password: string;
}

/** A clinic with this many patients and one manager, who is signed in. */
export async function createClinic(connection: pg.PoolConfig, patients: number, iid = newId()): Promise<Clinic> {
  const database = openDatabase(connection, 2);
  try {
    const clinic = {
      iid,
      uid: newId(),
      token: newSecret(),
      account: `bench.${newDigits(8)}@example.test`,
      password: "correct-horse-7-battery",
    };
    await createManager(database, clinic);
    await createPatients(database, clinic, patients);
    return clinic;
  } finally {
    await database.close();
  }
}

async function createManager(database: Database, { account, password, ...clinic }: Clinic): Promise<void> {
  const hash = await hashPassword(password);
  await database.asSystem(async (db) => {
    await createInstitution(db, clinic, { type: "clinic", name: "晨光口腔", manager: "林晓", hash });
    await db
      .insertInto("contact")
      .values({ user_id: clinic.uid, kind: "email", value: account, country_code: null })
      .execute();
  });
}

export interface Institution {
  iid: string;
  uid: string;
  token: string;
}
const managerRoles = { clinic: roles.clinicAdmin, lab: roles.factoryAdmin };

/** An organisation with one manager, who is signed in for a day. */
export async function createInstitution(
  db: Db,
  { iid, uid, token }: Institution,
  { type, name, manager, hash = null }: { type: "clinic" | "lab"; name: string; manager: string; hash?: string | null },
): Promise<void> {
  const { authorityId } = managerRoles[type];
  await db
    .insertInto("users")
    .values({ id: uid, user_name: manager, nick_name: manager, password_hash: hash, country: "CN" })
    .execute();
  await db
    .insertInto("institution")
    .values({ id: iid, number: newDigits(8), name, type, country: "CN", created_by: uid })
    .execute();
  await db
    .insertInto("membership")
    .values({ id: newId(), institution_id: iid, user_id: uid, authority_id: authorityId, state: "normal" })
    .execute();
  await db
    .insertInto("session")
    .values({
      id: newId(),
      user_id: uid,
      chain: newId(),
      token_hash: secretHash(token),
      kind: "api",
      institution_id: iid,
      authority_id: authorityId,
      expires_at: new Date(Date.now() + 24 * 3_600_000).toISOString(),
    })
    .execute();
}

const batch = 500;
const pick = <T>(from: readonly T[], place: number): T => from[place % from.length]!;
const surnames = [..."王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高"];
const given = [..."伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华玉萍红兰建国志文宇轩子涵"];
const firstNames = ["Mary", "James", "Aylin", "Omar", "Elena", "Jürgen", "Grace", "Noah", "Fatma", "Ivan", "Lucía"];
const lastNames = ["Smith", "Yılmaz", "Khan", "Petrova", "Müller", "Hill", "Garcia", "O'Brien", "Demir", "Novak"];

/** Every second name is Chinese; visits are some minutes apart. */
export const patientName = (place: number): string =>
  place % 2 === 0
    ? pick(surnames, place / 2) + pick(given, place * 7) + (place % 3 === 0 ? "" : pick(given, place * 3 + 1))
    : `${pick(firstNames, place)} ${pick(lastNames, Math.floor(place / 3))}`;

async function createPatients(database: Database, { iid, uid }: Clinic, count: number): Promise<void> {
  for (let from = 0; from < count; from += batch) {
    const rows = Array.from({ length: Math.min(batch, count - from) }, (_, place) =>
      patientRow(iid, uid, from + place),
    );
    await database.asSystem((db) => db.insertInto("patient").values(rows).execute());
  }
  await database.asSystem((db) =>
    db.insertInto("patient_counter").values({ institution_id: iid, last: count, living: count }).execute(),
  );
}

function patientRow(iid: string, uid: string, place: number) {
  const birthDate = `${1940 + (place % 80)}-${pick(["01", "04", "09", "12"], place)}-${String(10 + (place % 18))}`;
  const form = {
    name: patientName(place),
    sex: pick(["male", "female"] as const, place),
    birthDate,
    phone: String(13_000_000_000 + place * 7919),
  };
  const row = { ...toPatientColumns(form, null, "2026-01-01"), number: formatPatientNumber(place + 1) };
  const recent_visit_at = new Date(Date.UTC(2026, 0, 1) - place * 240_000).toISOString();
  return {
    ...row,
    ...patientSearchColumns(row),
    institution_id: iid,
    id: newId(),
    created_by: uid,
    deleted_at: null,
    recent_visit_at,
  };
}
