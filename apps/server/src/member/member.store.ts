import { sql } from "kysely";
import { managerRoles, roles } from "@arcada/contract/kernel/roles";
import { memberRules } from "@arcada/contract/member/member.lifecycle";
import type { UpdateObject } from "kysely";
import { pageSizes } from "@arcada/contract/kernel/fields";
import { asPrepared } from "../platform/database/prepared-statements.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import type { AdmissionTable, Tables } from "../tables/schema.generated.ts";
import { emailsOfUser } from "./member-records.store.ts";
import type { MemberRecord } from "./member-records.store.ts";

export interface Colleague {
  id: string;
  name: string;
  authority_id: number;
  phone: string | null;
  email: string | null;
}

/** Returns the members of an institution without the data that decisions need: a search reads them at every pause. */
export const listMemberNames = (db: Db, iid: string): Promise<Colleague[]> =>
  bypassTenantScope(db, async () => {
    const members = db
      .selectFrom("membership as m")
      .innerJoin("users as u", "u.id", "m.user_id")
      .leftJoin("contact as phone", (join) =>
        join.onRef("phone.user_id", "=", "m.user_id").on("phone.kind", "=", "phone"),
      )
      .leftJoin("contact as email", (join) =>
        join.onRef("email.user_id", "=", "m.user_id").on("email.kind", "=", "email"),
      )
      .select(["m.id", "u.nick_name as name", "m.authority_id", "phone.value as phone", "email.value as email"])
      .where("m.institution_id", "=", iid)
      .where("m.state", "=", "normal")
      .orderBy("m.id")
      .limit(pageSizes.max);
    return (await db.executeQuery(asPrepared(members.compile()))).rows;
  });

type NewAdmission = Pick<AdmissionTable, "institution_id" | "kind" | "user_id" | "email" | "authority_id"> & {
  name: string;
  remark: string | null;
  secret_hash: string | null;
  by: string;
};
/** Undefined if the same one is open already. */
export const insertAdmission = (db: Db, { by, ...row }: NewAdmission): Promise<string | undefined> =>
  bypassTenantScope(db, async () => {
    const isInvitation = row.kind === "invitation";
    const made = await db
      .insertInto("admission")
      .values({
        ...row,
        id: newId(),
        state: isInvitation ? "awaiting_confirmation" : "not_reviewed",
        inviter_id: isInvitation ? by : null,
        operator_id: by,
        sent: isInvitation ? 1 : 0,
        sent_at: isInvitation ? sql<string>`now()` : null,
        expires_at: isInvitation ? invitationExpiry : null,
        ended_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    return made?.id;
  });
export const invitationExpiry = sql<string>`now() + make_interval(days => ${memberRules.invitationDays})`;

type RecordVersion = Pick<MemberRecord, "id" | "kind" | "state" | "version">;
type RecordChange = UpdateObject<Tables, "admission", "admission"> | UpdateObject<Tables, "membership", "membership">;
/** Applies one step to the version that was read; returns false if another change came first. */
export const updateRecord = (db: Db, row: RecordVersion, change: RecordChange, by: string | null): Promise<boolean> =>
  bypassTenantScope(db, async () => {
    const moved = await db
      .updateTable(row.kind === "member" ? ("membership" as "admission") : "admission")
      .set({
        ...(change as UpdateObject<Tables, "admission", "admission">),
        version: row.version + 1,
        ...(by && { operator_id: by }),
      })
      .where("id", "=", row.id)
      .where("version", "=", row.version)
      .where("state", "=", row.state as AdmissionTable["state"])
      .executeTakeFirst();
    return moved.numUpdatedRows === 1n;
  });

export const insertMembership = (
  db: Db,
  row: { iid: string; uid: string; authorityId: number; by: string },
): Promise<string | undefined> =>
  bypassTenantScope(db, async () => {
    const made = await db
      .insertInto("membership")
      .values({
        id: newId(),
        institution_id: row.iid,
        user_id: row.uid,
        authority_id: row.authorityId,
        state: "normal",
        operator_id: row.by,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    return made?.id;
  });

export const findInstitution = (db: Db, which: { iid?: string | undefined; number?: string | undefined }) =>
  db
    .selectFrom("institution")
    .select(["id", "name", "number", "type"])
    .$if(which.iid !== undefined, (query) => query.where("id", "=", which.iid!))
    .$if(which.iid === undefined, (query) => query.where("number", "=", which.number ?? ""))
    .executeTakeFirst();

const managerIds = managerRoles.map((role) => roles[role].authorityId);
/** Returns the users of an institution: managers first, and within each group the longest members first. */
export const listColleagues = (db: Db, iid: string) =>
  bypassTenantScope(db, () =>
    db
      .selectFrom("membership")
      .select(["user_id", "authority_id"])
      .where("institution_id", "=", iid)
      .where("state", "=", "normal")
      .orderBy(sql`authority_id = any(${managerIds}::int[])`, "desc")
      .orderBy("joined_at")
      .execute(),
  );

/**
 * Counts of one day: the invitations that an institution has sent, in all and to one address; or the applications that
 * a user has made.
 */
export const countSentToday = (db: Db, of: { iid: string; email: string } | { uid: string }) =>
  bypassTenantScope(db, () =>
    "uid" in of
      ? db
          .selectFrom("admission")
          .select([sql<number>`count(*)::int`.as("all"), sql<number>`0`.as("one")])
          .where("kind", "=", "application")
          .where("user_id", "=", of.uid)
          .where(sql<boolean>`created_at > now() - interval '1 day'`)
          .executeTakeFirstOrThrow()
      : db
          .selectFrom("admission")
          .select([
            sql<number>`coalesce(sum(sent), 0)::int`.as("all"),
            sql<number>`coalesce(sum(sent) filter (where email = ${of.email}), 0)::int`.as("one"),
          ])
          .where("institution_id", "=", of.iid)
          .where(sql<boolean>`sent_at > now() - interval '1 day'`)
          .executeTakeFirstOrThrow(),
  );

/** True while a refusal of this user's application is younger than a day. */
export const wasRejectedRecently = (db: Db, iid: string, uid: string): Promise<boolean> =>
  bypassTenantScope(db, async () => {
    const found =
      await sql`select 1 from admission where institution_id = ${iid} and user_id = ${uid} and kind = 'application'
      and state = 'rejected' and ended_at > now() - make_interval(hours => ${memberRules.applyAgainHours})`.execute(db);
    return found.rows.length > 0;
  });

/** Returns the user who has a verified e-mail address. */
export const findUserByEmail = (db: Db, email: string): Promise<string | undefined> =>
  bypassTenantScope(db, async () => {
    const found = await db
      .selectFrom("contact")
      .select("user_id")
      .where("kind", "=", "email")
      .where("value", "=", email)
      .executeTakeFirst();
    return found?.user_id;
  });

/** Ends other open records between an institution and a user who has just become a member. */
export const cancelOpenAdmissions = (db: Db, iid: string, uid: string, by: string) =>
  bypassTenantScope(db, () =>
    sql`update admission set state = 'cancelled', ended_at = now(), operator_id = ${by}, version = version + 1
      where institution_id = ${iid} and ended_at is null and (user_id = ${uid} or email in ${emailsOfUser(uid)})`.execute(
      db,
    ),
  );
