import { sql } from "kysely";
import { roles } from "@arcada/contract/kernel/roles";
import type { Database, Db } from "../apps/server/src/platform/database/database.ts";
import { demoAccounts } from "../apps/server/src/domain/demo-accounts.ts";
import { newId } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { hashPassword } from "../apps/server/src/account/password/password-hash.ts";

export const demoInstitutions = {
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
type InstitutionKey = keyof typeof demoInstitutions;
/** An organisation and who began it. */
interface CreatedInstitution {
  id: string;
  founder: string;
}

/** All accounts share one password, and so one hash: computing it takes a fifth of a second. */
const hashDemoPassword = (): Promise<string> => (passwordHash ??= hashPassword(demoAccounts.password));
let passwordHash: Promise<string> | undefined;

/** Creates the accounts and institutions, once: in one transaction, so that a killed start leaves none or all. */
export async function createCast(database: Database): Promise<void> {
  if (await database.asSystem((db) => findInstitutionId(db, "clinic"))) return;
  const hash = await hashDemoPassword();
  await database.asSystem(async (db) => {
    const clinic = await createInstitution(db, "clinic", hash);
    const lab = await createInstitution(db, "lab", hash);
    for (const one of accountsOf(null)) await insertMembership(db, one, null, await insertUser(db, one, hash));
    await insertRelation(db, clinic, lab);
  });
}

/**
 * Creates a second lab, to which the first may forward the clinic's orders. Once, like the cast, and also where an
 * earlier version of the demo left a lab without members.
 */
export async function createSecondLab(database: Database): Promise<void> {
  if (await database.asSystem(hasSecondLab)) return;
  const hash = await hashDemoPassword();
  await database.asSystem(async (db) => {
    const [clinic, lab] = [await findFounder(db, "clinic"), await findFounder(db, "lab")];
    await insertRelation(db, lab, await createInstitution(db, "farLab", hash));
    const terms = { [clinic.id]: { mayForward: true } };
    await sql`update relation set terms = ${JSON.stringify(terms)}::jsonb || terms
      where institution_id = ${clinic.id} and target_id = ${lab.id}`.execute(db);
  });
}

const hasSecondLab = async (db: Db): Promise<boolean> => {
  const somebody = await db
    .selectFrom("membership")
    .innerJoin("institution", "institution.id", "membership.institution_id")
    .select("membership.id")
    .where("institution.number", "=", demoInstitutions.farLab.number)
    .executeTakeFirst();
  return somebody !== undefined;
};

const accountsOf = (institution: InstitutionKey | null): Account[] =>
  demoAccounts.accounts.filter((one) => one.house === institution);
const findInstitutionId = async (db: Db, institution: InstitutionKey): Promise<string | undefined> =>
  (
    await db
      .selectFrom("institution")
      .select("id")
      .where("number", "=", demoInstitutions[institution].number)
      .executeTakeFirst()
  )?.id;
async function findFounder(db: Db, institution: InstitutionKey): Promise<CreatedInstitution> {
  const { id, created_by } = await db
    .selectFrom("institution")
    .select(["id", "created_by"])
    .where("number", "=", demoInstitutions[institution].number)
    .executeTakeFirstOrThrow();
  return { id, founder: created_by };
}

/** Creates the institution with its people; the first of them is its founder. */
async function createInstitution(db: Db, institution: InstitutionKey, hash: string): Promise<CreatedInstitution> {
  const people: [Account, string][] = [];
  for (const one of accountsOf(institution)) people.push([one, await insertUser(db, one, hash)]);
  const founder = people[0]![1];
  const id = (await findInstitutionId(db, institution)) ?? newId();
  await db
    .insertInto("institution")
    // They have worked for a while and are past their first steps.
    .values({ id, created_by: founder, first_steps_hidden: true, ...demoInstitutions[institution] })
    .onConflict((on) => on.column("id").doUpdateSet({ created_by: founder }))
    .execute();
  for (const [one, uid] of people) await insertMembership(db, one, id, uid);
  return { id, founder };
}

const insertMembership = (db: Db, { role }: Account, iid: string | null, uid: string) =>
  db
    .insertInto("membership")
    .values({
      id: newId(),
      institution_id: iid,
      user_id: uid,
      authority_id: roles[role].authorityId,
      state: "normal",
      ...(role === "clinicMember" && { licence: "110441900000123" }),
    })
    .execute();

/** Creates a relationship that one side requested and the other accepted, with the history that each side would see. */
async function insertRelation(db: Db, one: CreatedInstitution, other: CreatedInstitution): Promise<void> {
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

async function insertUser(db: Db, { account, name, house: institution }: Account, hash: string): Promise<string> {
  const id = newId();
  const { country } = institution ? demoInstitutions[institution] : { country: "CN" };
  await db.insertInto("users").values({ id, user_name: name, nick_name: name, password_hash: hash, country }).execute();
  await db.insertInto("contact").values({ user_id: id, kind: "email", value: account, country_code: null }).execute();
  return id;
}
