import { sql } from "kysely";
import type { Selectable } from "kysely";
import {
  institutionCalls,
  institutionRules,
  logoRules,
  type LogoWarning,
  type LogoPosition,
} from "@arcada/contract/institution/institution.calls";
import type { AuthenticatedContext, ActiveMembership } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import type { Database, Db } from "../platform/database/database.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { createFileUrl } from "../platform/storage/file-url.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { files, secret } from "../platform/runtime/services.ts";
import { isZoneInDatabase, resolveZone } from "../domain/institution-time-zone.ts";
import type { InstitutionTable } from "../tables/schema.generated.ts";
import { createInstitution, managerRoleId, openInstitutionAccount } from "./create-institution.ts";
import { listOwnInstitutions } from "./own-institutions.store.ts";
import { redrawImage } from "../platform/storage/image-copy.ts";
import { checkLogoVisibility } from "./logo-visibility.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";
import { selectValue } from "../platform/database/select-value.ts";

export const institutionRoutes = routes(institutionCalls, {
  create: {
    handle: async (input, context) => {
      const { db, principal } = context;
      await requireCreationsLeft(db, principal.uid);
      const { contactPerson, contactWay, timeZone, ...same } = input;
      await requireKnownZone(db, timeZone);
      const values = {
        ...same,
        contact_person: contactPerson ?? null,
        contact_way: contactWay ?? null,
        time_zone: timeZone ?? null,
      };
      const id = await createInstitution(context, values, { manager: principal.uid, by: principal.uid });
      await switchSession(context, { iid: id, authorityId: managerRoleId(input.type) });
      return toInstitution(await readInstitution(db, id));
    },
    // The first response may have been lost together with the token that it contained.
    onRepeat: (answer, context) => switchSession(context, { iid: answer.id, authorityId: managerRoleId(answer.type) }),
  },

  openAccount: (input, context) => openInstitutionAccount(context, input),

  switch: async (input, context) => {
    const { db, principal } = context;
    const held = await db
      .selectFrom("membership")
      .select("authority_id")
      .where("user_id", "=", principal.uid)
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
          where(sql`lower(name)`, "like", `%${escapeLike(input.text.toLowerCase())}%`),
        ]),
      )
      .$if(input.type !== undefined, (query) => query.where("type", "=", input.type!))
      .orderBy("name")
      .limit(institutionRules.maxSearchResults)
      .execute();
    return rows;
  },

  detail: async (_, { db, principal }) => toInstitution(await readInstitution(db, principal.iid)),

  update: async (input, context) => {
    const { db, principal } = context;
    const {
      contactPerson,
      contactWay,
      hidePatientNames,
      autoAcceptRelations,
      sharePhones,
      requireFactor,
      launchCreatesPatients,
      receiptDays,
      retentionYears,
      timeZone,
      ...same
    } = input;
    await requireKnownZone(db, timeZone);
    const change = {
      ...same,
      ...(contactPerson !== undefined && { contact_person: contactPerson }),
      ...(contactWay !== undefined && { contact_way: contactWay }),
      ...(hidePatientNames !== undefined && { hide_patient_names: hidePatientNames }),
      ...(autoAcceptRelations !== undefined && { auto_accept_relations: autoAcceptRelations }),
      ...(sharePhones !== undefined && { share_phones: sharePhones }),
      ...(requireFactor !== undefined && { require_factor: requireFactor }),
      ...(launchCreatesPatients !== undefined && { launch_creates_patients: launchCreatesPatients }),
      ...(receiptDays !== undefined && { receipt_days: receiptDays }),
      ...(retentionYears !== undefined && { retention_years: retentionYears }),
      ...(timeZone !== undefined && { time_zone: timeZone }),
    };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    if (requireFactor && !(await hasSecondFactor(db, principal.uid)))
      refuse("factorOwnFirst", { requireFactor: "factorOwnFirst" });
    if (Object.keys(given).length > 0)
      await db.updateTable("institution").set(given).where("id", "=", principal.iid).execute();
    await audit(db, {
      institution_id: principal.iid,
      user_id: principal.uid,
      action: "institution.update",
      subject: principal.iid,
      detail: { fields: Object.keys(given) },
      address: context.address,
      request_id: context.requestId,
    });
    await notifyClients(db, { institutions: [principal.iid] }, "institution", principal.iid);
    return toInstitution(await readInstitution(db, principal.iid));
  },

  setLogo: {
    // An image that takes seconds to read must not hold a database connection in the meantime.
    prepare: async (input, { principal }) => {
      if (input.image !== null) decodedLogos.set(input, await readLogo(principal.uid, input.place, input.image));
    },
    handle: async (input, context) => {
      const { db, principal } = context;
      const { place: membership } = input;
      const logo = decodedLogos.get(input) ?? null;
      const old = await listLogos(db, principal.iid);
      const sha256 = logo && (await files().put("converted", principal.iid, logo.png)).sha256;
      await db
        .updateTable("institution")
        .set(membership === "cover" ? { logo_cover: sha256 } : { logo_inside: sha256 })
        .where("id", "=", principal.iid)
        .execute();
      context.subject = principal.iid;
      context.detail = { place: membership };
      context.afterCommit.push(() => removeUnusedLogos(context.database, principal.iid, old[`logo_${membership}`]));
      await notifyClients(db, { institutions: [principal.iid] }, "institution", principal.iid);
      return { institution: toInstitution(await readInstitution(db, principal.iid)), advice: logo?.advice ?? [] };
    },
  },

  mine: (input, { db, principal }) => listOwnInstitutions(db, principal.uid, input),
});

/**
 * Re-encodes an uploaded image as a PNG, so that nothing but its pixels is kept. The format is recognised by the bytes.
 * Refuses logoTooLarge, pictureTooLarge, pictureBusy, logoUnreadable, logoNotWhite, logoWhite.
 */
async function readLogo(
  person: string,
  place: LogoPosition,
  base64: string,
): Promise<{ png: Uint8Array; advice: LogoWarning[] }> {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > logoRules.bytes) refuse("logoTooLarge", { image: "logoTooLarge" });
  const size = { width: logoRules.width * logoRules.scale, height: logoRules.height * logoRules.scale };
  const task = { source: { bytes }, ...size, as: "png", kinds: ["jpeg", "png"], withPixels: true } as const;
  const reencoded = await redrawImage(person, task, { unreadable: "logoUnreadable", field: "image" });
  const { refusal, advice } = checkLogoVisibility(place, {
    data: reencoded.pixels!,
    width: reencoded.width,
    height: reencoded.height,
  });
  if (refusal) refuse(refusal, { image: refusal });
  return { png: reencoded.bytes, advice };
}

async function requireKnownZone(db: Db, zone: string | undefined): Promise<void> {
  if (zone !== undefined && !(await isZoneInDatabase(db, zone))) refuse("badInput", { timeZone: "zoneUnknown" });
}

/** Two concurrent calls for the last free one wait for each other. Refuses institutionTooMany. */
async function requireCreationsLeft(db: Db, uid: string): Promise<void> {
  const { maxFoundedPerDay: day, maxFoundedInTotal: all } = institutionRules;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`arcada founding ${uid}`}, 0))`.execute(db);
  const { today, ever } = await bypassTenantScope(db, () =>
    db
      .selectFrom("institution")
      .select([
        sql<number>`count(*)::int`.as("ever"),
        sql<number>`(count(*) filter (where created_at > now() - interval '1 day'))::int`.as("today"),
      ])
      .where("created_by", "=", uid)
      .executeTakeFirstOrThrow(),
  );
  if (today >= day || ever >= all) refuse("institutionTooMany", { day, all });
}

const decodedLogos = new WeakMap<object, Awaited<ReturnType<typeof readLogo>>>();

const readInstitution = (db: Db, id: string) =>
  db.selectFrom("institution").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

const toInstitution = (row: Selectable<InstitutionTable>) => ({
  ...pickColumns(
    row,
    "id",
    "name",
    "number",
    "type",
    "country",
    "address",
    "contact_person",
    "contact_way",
    "longitude",
    "latitude",
    "hide_patient_names",
    "receipt_days",
    "retention_years",
    "auto_accept_relations",
    "share_phones",
    "require_factor",
    "launch_creates_patients",
  ),
  timeZone: resolveZone(row),
  reportLogo: { cover: logoUrl(row.id, row.logo_cover), inside: logoUrl(row.id, row.logo_inside) },
});
/** Locks the row until the transaction ends: a new logo must not race with the removal of the same image. */
const listLogos = (db: Db, iid: string) =>
  db
    .selectFrom("institution")
    .select(["logo_cover", "logo_inside"])
    .where("id", "=", iid)
    .forUpdate()
    .executeTakeFirstOrThrow();
const removeUnusedLogos = (database: Database, iid: string, sha256: string | null): Promise<void> =>
  database.asSystem(async (db) => {
    const { logo_cover, logo_inside } = await listLogos(db, iid);
    if (sha256 && sha256 !== logo_cover && sha256 !== logo_inside) await files().remove("converted", iid, sha256);
  });
const hasSecondFactor = (db: Db, uid: string): Promise<boolean> =>
  bypassTenantScope(db, () => selectValue(db, sql<boolean>`arcada_two_steps(${uid})`));

const logoUrl = (iid: string, sha256: string | null): string | null =>
  sha256 && createFileUrl(secret(), { area: "converted", iid, sha256, name: "logo.png", type: "image/png" });

/**
 * The session continues in that institution; its new token is sent in the response header, once everything is
 * committed.
 */
async function switchSession(context: AuthenticatedContext, membership: ActiveMembership): Promise<void> {
  const { token } = await context.move(membership);
  context.afterCommit.push(async () => void context.reply.header("new-token", token));
}
