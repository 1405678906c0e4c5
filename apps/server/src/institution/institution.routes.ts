import { sql } from "kysely";
import type { Selectable } from "kysely";
import { institutionCalls, institutionRules } from "@arcada/contract/institution/institution.calls";
import type { AuthenticatedContext, ActiveMembership } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { fileUrl } from "../platform/storage/file-url.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { files, secret } from "../platform/runtime/services.ts";
import { databaseKnowsZone, zoneOf } from "../domain/institution-time-zone.ts";
import type { InstitutionTable } from "../tables/institution.ts";
import { found, managerOf, openOrganisation } from "./founding.ts";
import { readLogo } from "./logo.ts";
import { institutionsOf } from "./mine.ts";

export const institutionRoutes = routes(institutionCalls, {
  create: {
    first: async (input, context) => {
      const { db, asker } = context;
      await needFewFounded(db, asker.uid);
      const { contactPerson, contactWay, timeZone, ...same } = input;
      await needKnownZone(db, timeZone);
      const values = {
        ...same,
        contact_person: contactPerson ?? null,
        contact_way: contactWay ?? null,
        time_zone: timeZone ?? null,
      };
      const id = await found(context, values, { manager: asker.uid, by: asker.uid });
      await goOnIn(context, { iid: id, authorityId: managerOf(input.type) });
      return shown(await read(db, id));
    },
    // The first response may have been lost together with the token that it contained.
    again: (answer, context) => goOnIn(context, { iid: answer.id, authorityId: managerOf(answer.type) }),
  },

  openAccount: (input, context) => openOrganisation(context, input),

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
      .where("stub", "=", false)
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
    const {
      contactPerson,
      contactWay,
      hidePatientNames,
      autoAcceptRelations,
      sharePhones,
      requireFactor,
      receiptDays,
      retentionYears,
      timeZone,
      ...same
    } = input;
    await needKnownZone(db, timeZone);
    const change = {
      ...same,
      ...(contactPerson !== undefined && { contact_person: contactPerson }),
      ...(contactWay !== undefined && { contact_way: contactWay }),
      ...(hidePatientNames !== undefined && { hide_patient_names: hidePatientNames }),
      ...(autoAcceptRelations !== undefined && { auto_accept_relations: autoAcceptRelations }),
      ...(sharePhones !== undefined && { share_phones: sharePhones }),
      ...(requireFactor !== undefined && { require_factor: requireFactor }),
      ...(receiptDays !== undefined && { receipt_days: receiptDays }),
      ...(retentionYears !== undefined && { retention_years: retentionYears }),
      ...(timeZone !== undefined && { time_zone: timeZone }),
    };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    if (requireFactor && !(await hasSecondStep(db, asker.uid)))
      refuse("factorOwnFirst", { requireFactor: "factorOwnFirst" });
    if (Object.keys(given).length > 0)
      await db.updateTable("institution").set(given).where("id", "=", asker.iid).execute();
    await audit(db, {
      institution_id: asker.iid,
      user_id: asker.uid,
      action: "institution.update",
      subject: asker.iid,
      detail: { fields: Object.keys(given) },
      address: context.address,
      request_id: context.requestId,
    });
    await notifyClients(db, { institutions: [asker.iid] }, "institution", asker.iid);
    return shown(await read(db, asker.iid));
  },

  setLogo: {
    // An image that takes seconds to read must not hold a database connection in the meantime.
    before: async (input, { asker }) => {
      if (input.image !== null) logos.set(input, await readLogo(asker.uid, input.place, input.image));
    },
    within: async (input, context) => {
      const { db, asker } = context;
      const { place } = input;
      const logo = logos.get(input) ?? null;
      const old = await logosOf(db, asker.iid);
      const sha256 = logo && (await files().put("converted", asker.iid, logo.png)).sha256;
      await db
        .updateTable("institution")
        .set(place === "cover" ? { logo_cover: sha256 } : { logo_inside: sha256 })
        .where("id", "=", asker.iid)
        .execute();
      context.subject = asker.iid;
      context.detail = { place };
      context.afterCommit.push(() => removeUnused(context.database, asker.iid, old[`logo_${place}`]));
      await notifyClients(db, { institutions: [asker.iid] }, "institution", asker.iid);
      return { institution: shown(await read(db, asker.iid)), advice: logo?.advice ?? [] };
    },
  },

  mine: (input, { db, asker }) => institutionsOf(db, asker.uid, input),
});

async function needKnownZone(db: Db, zone: string | undefined): Promise<void> {
  if (zone !== undefined && !(await databaseKnowsZone(db, zone))) refuse("badInput", { timeZone: "zoneUnknown" });
}

/** Two concurrent calls for the last free one wait for each other. Refuses institutionTooMany. */
async function needFewFounded(db: Db, uid: string): Promise<void> {
  const { foundedADay: day, foundedInAll: all } = institutionRules;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`arcada founding ${uid}`}, 0))`.execute(db);
  const { rows } = await bypassTenantScope(db, () =>
    sql<{ today: number; ever: number }>`select count(*)::int as ever,
        (count(*) filter (where created_at > now() - interval '1 day'))::int as today
      from institution where created_by = ${uid}`.execute(db),
  );
  const { today, ever } = rows[0]!;
  if (today >= day || ever >= all) refuse("institutionTooMany", { day, all });
}

const logos = new WeakMap<object, Awaited<ReturnType<typeof readLogo>>>();

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
  receiptDays: row.receipt_days,
  retentionYears: row.retention_years,
  timeZone: zoneOf(row),
  autoAcceptRelations: row.auto_accept_relations,
  sharePhones: row.share_phones,
  requireFactor: row.require_factor,
  reportLogo: { cover: logoUrl(row.id, row.logo_cover), inside: logoUrl(row.id, row.logo_inside) },
});
/** Locks the row until the transaction ends: a new logo must not race with the removal of the same image. */
const logosOf = (db: Db, iid: string) =>
  db
    .selectFrom("institution")
    .select(["logo_cover", "logo_inside"])
    .where("id", "=", iid)
    .forUpdate()
    .executeTakeFirstOrThrow();
const removeUnused = (database: Database, iid: string, sha256: string | null): Promise<void> =>
  database.asSystem(async (db) => {
    const { logo_cover, logo_inside } = await logosOf(db, iid);
    if (sha256 && sha256 !== logo_cover && sha256 !== logo_inside) await files().remove("converted", iid, sha256);
  });
async function hasSecondStep(db: Db, uid: string): Promise<boolean> {
  const found = await bypassTenantScope(db, () =>
    sql<{ has: boolean }>`select arcada_two_steps(${uid}) as has`.execute(db),
  );
  return found.rows[0]!.has;
}

const logoUrl = (iid: string, sha256: string | null): string | null =>
  sha256 && fileUrl(secret(), { area: "converted", iid, sha256, name: "logo.png", type: "image/png" });

/**
 * The session continues in that institution; its new token is sent in the response header, once everything is
 * committed.
 */
async function goOnIn(context: AuthenticatedContext, place: ActiveMembership): Promise<void> {
  const { token } = await context.move(place);
  context.afterCommit.push(async () => void context.reply.header("new-token", token));
}
