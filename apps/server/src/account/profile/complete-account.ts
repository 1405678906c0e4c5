import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { AuthenticatedContext } from "../../platform/http/request-context.ts";
import { audit } from "../../platform/audit/audit.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { publish, notifyClients } from "../../platform/events/events.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { requireKnownCountry } from "./countries.ts";
import { accountCompleted } from "../account.events.ts";
import type { Row } from "../../tables/row.ts";

/**
 * The values of `initStatus`: nothing is missing, or the kind of account that is still to be completed (a person's own,
 * a clinic's or a lab's).
 */
export const initStatus = { complete: 0, person: 1, clinic: 2, lab: 3 } as const;

interface CompletionInput {
  nation?: string | undefined;
  agree?: boolean | undefined;
}

/** Completes a personal account: the name, the country, and an address that receives email. */
export const completePersonalAccount = (
  context: AuthenticatedContext,
  input: CompletionInput & { email: string; userName: string },
) =>
  completeAccount(context, input, async () => {
    const { db, principal } = context;
    const bound = await db
      .selectFrom("contact")
      .select("value")
      .where("user_id", "=", principal.uid)
      .where("kind", "=", "email")
      .executeTakeFirst();
    if (bound?.value !== input.email.trim().toLowerCase()) refuse("emailNotBound", { email: "emailNotBound" });
    return input.userName;
  });

/**
 * Completes an account that was made for an institution: the person's name exists already, the institution's name may
 * be corrected.
 */
export const completeInstitutionAccount = (
  context: AuthenticatedContext,
  input: CompletionInput & { name?: string | undefined },
) =>
  completeAccount(context, input, async (status) => {
    if (status === initStatus.person) refuse("emailNotBound");
    return null;
  });

/** Somebody who registered with a phone number has told everything but an address that receives email. */
export const completeIfNothingMissing = (db: Db, uid: string) =>
  db
    .updateTable("users")
    .set({ init_status: initStatus.complete })
    .where("id", "=", uid)
    .where("init_status", "=", initStatus.person)
    .where("country", "is not", null)
    .where("terms_version", "is not", null)
    .execute();

const completeAccount = (
  { db, principal, address }: AuthenticatedContext,
  { nation, agree, name: institutionName }: CompletionInput & { name?: string | undefined },
  resolveName: (status: number) => Promise<string | null>,
): Promise<null> =>
  bypassTenantScope(db, async () => {
    if (nation !== undefined) requireKnownCountry(nation);
    const found = await sql<Row<"users", "country" | "init_status" | "terms_version">>`
      select country, init_status, terms_version from users where id = ${principal.uid} for update`.execute(db);
    const user = found.rows[0] ?? refuse("unknownSession");
    if (user.country !== null && nation !== undefined) refuse("countryFixed", { nation: "countryFixed" });
    const country = user.country ?? nation ?? refuse("badInput", { nation: "countryNeeded" });
    if (user.terms_version === null && !agree) refuse("badInput", { agree: "agreeNeeded" });
    const name = await resolveName(user.init_status);
    await db
      .updateTable("users")
      .set({
        country,
        init_status: initStatus.complete,
        ...(name !== null && { user_name: name }),
        ...(user.terms_version === null && { terms_version: accountRules.legalVersion, agreed_at: sql<string>`now()` }),
      })
      .where("id", "=", principal.uid)
      .execute();
    await publish(db, accountCompleted, {
      user: principal.uid,
      nation: country,
      institutionName: user.init_status === initStatus.person ? null : institutionName || null,
    });
    await notifyClients(db, { user: principal.uid }, "session", principal.uid);
    await audit(db, { institution_id: null, user_id: principal.uid, action: "account.complete", address });
    return null;
  });
