import { sql } from "kysely";
import type { Selectable } from "kysely";
import { institutionCalls, institutionRules } from "@arcada/contract/institution/institution.calls";
import { roles } from "@arcada/contract/kernel/roles";
import type { Db } from "../kernel/db.ts";
import { beyondWall } from "../kernel/db.ts";
import { tell } from "../kernel/events.ts";
import { newDigits, newId } from "../kernel/ids.ts";
import { refuse } from "../kernel/refuse.ts";
import { routes } from "../kernel/serve.ts";
import type { InstitutionTable } from "../tables/institution.ts";
import { audit } from "../kernel/audit.ts";

/** Number on the wire of a normal membership. */
const normal = 2;

export const institutionRoutes = routes(institutionCalls, {
  create: async (input, context) => {
    const { db, asker } = context;
    const id = newId();
    const number = await freeNumber(db);
    const { contactPerson, contactWay, ...same } = input;
    await db
      .insertInto("institution")
      .values({
        ...same,
        id,
        number,
        contact_person: contactPerson ?? null,
        contact_way: contactWay ?? null,
        created_by: asker.uid,
      })
      .execute();
    const authorityId = roles[input.type === "clinic" ? "clinicAdmin" : "factoryAdmin"].authorityId;
    await beyondWall(db, () =>
      db
        .insertInto("membership")
        .values({ id: newId(), institution_id: id, user_id: asker.uid, authority_id: authorityId, state: "normal" })
        .execute(),
    );
    const { token } = await context.move({ iid: id, authorityId });
    context.afterCommit.push(async () => void context.reply.header("new-token", token));
    await beyondWall(db, () =>
      audit(db, {
        institution_id: id,
        user_id: asker.uid,
        action: "institution.create",
        subject: id,
        address: context.address,
      }),
    );
    await tell(db, { name: "institutionMade", institution: id, by: asker.uid });
    return shown(await read(db, id));
  },

  switch: async (input, context) => {
    const { db, asker } = context;
    const held = await db
      .selectFrom("membership")
      .select("authority_id")
      .where("user_id", "=", asker.uid)
      .where("institution_id", "=", input.iid)
      .where("state", "=", "normal")
      .executeTakeFirst();
    return context.move({ iid: input.iid, authorityId: held?.authority_id ?? refuse("notFound") });
  },

  search: async (input, { db }) => {
    const rows = await db
      .selectFrom("institution")
      .select(["id", "name", "number", "type", "country", "address"])
      .where((where) =>
        where.or([
          where("number", "=", input.text),
          where(sql`lower(name)`, "like", `%${escaped(input.text.toLowerCase())}%`),
        ]),
      )
      .$if(input.type !== undefined, (query) => query.where("type", "=", input.type!))
      .orderBy("name")
      .limit(institutionRules.searchMost)
      .execute();
    return rows;
  },

  detail: async (_, { db, asker }) => shown(await read(db, asker.iid)),

  update: async (input, context) => {
    const { db, asker } = context;
    const { contactPerson, contactWay, hidePatientNames, ...same } = input;
    const change = {
      ...same,
      ...(contactPerson !== undefined && { contact_person: contactPerson }),
      ...(contactWay !== undefined && { contact_way: contactWay }),
      ...(hidePatientNames !== undefined && { hide_patient_names: hidePatientNames }),
    };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length > 0)
      await db.updateTable("institution").set(given).where("id", "=", asker.iid).execute();
    await audit(db, {
      institution_id: asker.iid,
      user_id: asker.uid,
      action: "institution.update",
      subject: asker.iid,
      detail: { fields: Object.keys(given) },
    });
    return shown(await read(db, asker.iid));
  },

  mine: async (input, { db, asker }) => {
    const rows = await db
      .selectFrom("membership")
      .innerJoin("institution", "institution.id", "membership.institution_id")
      .select([
        "institution.id as iid",
        "institution.name",
        "institution.number",
        "institution.type",
        "membership.authority_id as authorityId",
      ])
      .where("membership.user_id", "=", asker.uid)
      .where("membership.state", "=", "normal")
      .orderBy("membership.joined_at")
      .execute();
    const list =
      input.status === undefined || input.status === normal ? rows.map((row) => ({ ...row, status: normal })) : [];
    const from = (input.page - 1) * input.pageSize;
    return { list: list.slice(from, from + input.pageSize), total: list.length, next: null };
  },
});

const read = (db: Db, id: string) =>
  db.selectFrom("institution").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const escaped = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

const shown = (row: Selectable<InstitutionTable>) => ({
  id: row.id,
  name: row.name,
  number: row.number,
  type: row.type,
  country: row.country,
  address: row.address,
  contactPerson: row.contact_person,
  contactWay: row.contact_way,
  longitude: row.longitude,
  latitude: row.latitude,
  hidePatientNames: row.hide_patient_names,
});

/** Eight digits that no organisation has; the table's own rule decides when two draw the same at once. */
async function freeNumber(db: Db): Promise<string> {
  for (;;) {
    const number = `${1 + Math.floor(Math.random() * 9)}${newDigits(institutionRules.numberDigits - 1)}`;
    const taken = await db.selectFrom("institution").select("id").where("number", "=", number).executeTakeFirst();
    if (!taken) return number;
  }
}
