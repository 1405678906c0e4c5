import { sql } from "kysely";
import { roles } from "@arcada/contract/kernel/roles";
import type { Database, Db } from "../apps/server/src/platform/database/database.ts";
import { demoAccounts } from "../apps/server/src/domain/demo-accounts.ts";
import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import { hashPassword } from "../apps/server/src/account/password.ts";

export const houses = {
  clinic: {
    name: "晨光口腔 Morninglight Dental",
    number: "10000001",
    type: "clinic",
    country: "CN",
    address: "上海市静安区南京西路 1266 号",
    contact_person: "林晓",
    contact_way: "021-5550 1266",
  },
  lab: {
    name: "匠心义齿 Artisan Dental Lab",
    number: "20000001",
    type: "lab",
    country: "CN",
    address: "深圳市南山区科技园 8 号",
    contact_person: "周宁",
    contact_way: "0755-5550 0808",
  },
  farLab: {
    name: "Northlight Dental Lab",
    number: "20000002",
    type: "lab",
    country: "GB",
    address: "14 Canal Street, Manchester",
    contact_person: "Grace Hill",
    contact_way: "+44 161 555 0142",
  },
} as const;

type Account = (typeof demoAccounts.accounts)[number];
type House = keyof typeof houses;
/** An organisation and who began it. */
interface Founded {
  id: string;
  founder: string;
}

/** One password, and so one hash for all: making it takes a fifth of a second. */
const hashed = (): Promise<string> => (hashing ??= hashPassword(demoAccounts.password));
let hashing: Promise<string> | undefined;

/** Creates the accounts and institutions, once: in one transaction, so that a killed start leaves none or all. */
export async function engageCast(database: Database): Promise<void> {
  if (await database.asSystem((db) => idOf(db, "clinic"))) return;
  const hash = await hashed();
  await database.asSystem(async (db) => {
    const clinic = await found(db, "clinic", hash);
    const lab = await found(db, "lab", hash);
    for (const one of ofHouse(null)) await hire(db, one, null, await person(db, one, hash));
    await relate(db, clinic, lab);
  });
}

/**
 * Creates a second lab, to which the first may forward the clinic's orders. Once, like the cast, and also where an
 * earlier version of the demo left a lab without members.
 */
export async function engageFarLab(database: Database): Promise<void> {
  if (await database.asSystem(hasFarLab)) return;
  const hash = await hashed();
  await database.asSystem(async (db) => {
    const [clinic, lab] = [await founderOf(db, "clinic"), await founderOf(db, "lab")];
    await relate(db, lab, await found(db, "farLab", hash));
    const terms = { [clinic.id]: { mayForward: true } };
    await sql`update relation set terms = ${JSON.stringify(terms)}::jsonb || terms
      where institution_id = ${clinic.id} and target_id = ${lab.id}`.execute(db);
  });
}

const hasFarLab = async (db: Db): Promise<boolean> => {
  const somebody = await db
    .selectFrom("membership")
    .innerJoin("institution", "institution.id", "membership.institution_id")
    .select("membership.id")
    .where("institution.number", "=", houses.farLab.number)
    .executeTakeFirst();
  return somebody !== undefined;
};

const ofHouse = (house: House | null): Account[] => demoAccounts.accounts.filter((one) => one.house === house);
const idOf = async (db: Db, house: House): Promise<string | undefined> =>
  (await db.selectFrom("institution").select("id").where("number", "=", houses[house].number).executeTakeFirst())?.id;
async function founderOf(db: Db, house: House): Promise<Founded> {
  const { id, created_by } = await db
    .selectFrom("institution")
    .select(["id", "created_by"])
    .where("number", "=", houses[house].number)
    .executeTakeFirstOrThrow();
  return { id, founder: created_by };
}

/** Creates the institution with its people; the first of them is its founder. */
async function found(db: Db, house: House, hash: string): Promise<Founded> {
  const people: [Account, string][] = [];
  for (const one of ofHouse(house)) people.push([one, await person(db, one, hash)]);
  const founder = people[0]![1];
  const id = (await idOf(db, house)) ?? newId();
  await db
    .insertInto("institution")
    .values({ id, created_by: founder, ...houses[house] })
    .onConflict((on) => on.column("id").doUpdateSet({ created_by: founder }))
    .execute();
  for (const [one, uid] of people) await hire(db, one, id, uid);
  return { id, founder };
}

const hire = (db: Db, { role }: Account, iid: string | null, uid: string) =>
  db
    .insertInto("membership")
    .values({
      id: newId(),
      institution_id: iid,
      user_id: uid,
      authority_id: roles[role].authorityId,
      state: "normal",
    })
    .execute();

/** Creates a relationship that one side requested and the other accepted, with the history that each side would see. */
async function relate(db: Db, one: Founded, other: Founded): Promise<void> {
  const relation = newId();
  await db
    .insertInto("relation")
    .values({
      id: relation,
      institution_id: one.id,
      target_id: other.id,
      state: "established",
      requested_by: one.founder,
      established_at: new Date().toISOString(),
      resent_at: null,
      decided_at: null,
      left_by: null,
      left_at: null,
      reason: null,
    })
    .execute();
  for (const [side, action, state] of [
    [one, "request", "requested"],
    [other, "accept", "established"],
  ] as const)
    await db
      .insertInto("relation_event")
      .values({
        relation_id: relation,
        id: newId(),
        institution_id: side.id,
        user_id: side.founder,
        action,
        to_state: state,
        reason: null,
      })
      .execute();
}

async function person(db: Db, { account, name, house }: Account, hash: string): Promise<string> {
  const id = newId();
  const { country } = house ? houses[house] : { country: "CN" };
  await db.insertInto("users").values({ id, user_name: name, nick_name: name, password_hash: hash, country }).execute();
  await db.insertInto("contact").values({ user_id: id, kind: "email", value: account, country_code: null }).execute();
  return id;
}
