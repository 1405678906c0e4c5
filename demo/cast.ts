import { roles } from "@arcada/contract/kernel/roles";
import type { Role } from "@arcada/contract/kernel/roles";
import type { Database, Db } from "../apps/server/src/kernel/db.ts";
import { demoAccounts } from "../apps/server/src/kernel/demo.ts";
import { newId } from "../apps/server/src/kernel/ids.ts";
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

const houseOf = (role: Role): keyof typeof houses | null =>
  roles[role].side === "clinic" ? "clinic" : roles[role].side === "lab" ? "lab" : null;

/** Makes the accounts and organisations, once: in one transaction, so that a start that is killed leaves none or all. */
export async function engageCast(database: Database): Promise<void> {
  const known = await database.asSystem((db) =>
    db.selectFrom("institution").select("id").where("number", "=", houses.clinic.number).executeTakeFirst(),
  );
  if (known) return;
  const hash = await hashPassword(demoAccounts.password);
  await database.asSystem(async (db) => {
    const people = new Map<string, string>();
    for (const { account, name, role } of demoAccounts.accounts)
      people.set(role, await person(db, account, name, hash));
    const founder = {
      clinic: people.get("clinicAdmin")!,
      lab: people.get("factoryAdmin")!,
      farLab: people.get("operator")!,
    };
    const ids = { clinic: newId(), lab: newId(), farLab: newId() };
    for (const key of ["clinic", "lab", "farLab"] as const)
      await db
        .insertInto("institution")
        .values({ id: ids[key], created_by: founder[key], ...houses[key] })
        .execute();
    for (const { role } of demoAccounts.accounts) {
      const house = houseOf(role);
      await db
        .insertInto("membership")
        .values({
          id: newId(),
          institution_id: house && ids[house],
          user_id: people.get(role)!,
          authority_id: roles[role].authorityId,
          state: "normal",
        })
        .execute();
    }
    await relate(db, { clinic: ids.clinic, lab: ids.lab }, founder);
  });
}

/** The clinic asked and the lab accepted: what each side would read in the relationship's history. */
async function relate(
  db: Db,
  ids: { clinic: string; lab: string },
  founder: { clinic: string; lab: string },
): Promise<void> {
  const relation = newId();
  await db
    .insertInto("relation")
    .values({
      id: relation,
      institution_id: ids.clinic,
      target_id: ids.lab,
      state: "established",
      requested_by: founder.clinic,
      established_at: new Date().toISOString(),
      resent_at: null,
      decided_at: null,
      left_by: null,
      left_at: null,
      reason: null,
    })
    .execute();
  for (const [side, user, action, state] of [
    [ids.clinic, founder.clinic, "request", "requested"],
    [ids.lab, founder.lab, "accept", "established"],
  ] as const)
    await db
      .insertInto("relation_event")
      .values({
        relation_id: relation,
        id: newId(),
        institution_id: side,
        user_id: user,
        action,
        to_state: state,
        reason: null,
      })
      .execute();
}

async function person(db: Db, account: string, name: string, hash: string): Promise<string> {
  const id = newId();
  await db
    .insertInto("users")
    .values({ id, user_name: name, nick_name: name, password_hash: hash, country: "CN" })
    .execute();
  await db.insertInto("contact").values({ user_id: id, kind: "email", value: account, country_code: null }).execute();
  return id;
}
