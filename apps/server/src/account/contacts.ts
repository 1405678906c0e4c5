import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { ContactKind } from "@arcada/contract/account/profile.calls";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import { notifyClients } from "../platform/events/events.ts";
import { queueEmail } from "../platform/mail/email.ts";
import { refuse } from "../platform/http/refuse.ts";
import { languageOf } from "../platform/text/texts.ts";
import { shortened } from "./account.ts";
import { issueTicket, redeemTicket, targetKey, userByTarget } from "./account.store.ts";
import type { Target } from "./account.store.ts";
import { isFresh } from "./factor/factor.ts";
import { demandCode } from "./verification.ts";

/** Binds a contact whose code is right. A contact that replaces another needs the ticket of that one. */
export const bindContact = (
  context: AuthenticatedContext,
  target: Target,
  given: { code: string; ticket?: string | undefined },
) =>
  bypassTenantScope(context.db, async () => {
    const { db, asker } = context;
    await demandFresh(context);
    await demandCode(context, targetKey(target), "bind", given.code);
    const bound = await contactsOf(db, asker.uid);
    const old = bound.find(({ kind }) => kind === target.kind);
    if (old) await demandTicket(db, asker.uid, old, given.ticket);
    if (await userByTarget(db, target)) refuse("accountTaken", { account: "accountTaken" });
    await write(db, asker.uid, target);
    // Notify the owner at the old contact: someone else may have made this change.
    const told = old ?? bound[0];
    if (told) await tellOwner(context, told, old ? "contactChanged" : "contactAdded", target);
    await noteChange(context, "account.bindContact", target.kind);
  });

/** Trades the code that was sent to a bound contact for the ticket that changing it requires. */
export const checkOriginal = (context: AuthenticatedContext, given: { kind: ContactKind; code: string }) =>
  bypassTenantScope(context.db, async () => {
    const { db, asker } = context;
    const bound = (await contactsOf(db, asker.uid)).find(({ kind }) => kind === given.kind) ?? refuse("notFound");
    await demandCode(context, targetKey(bound), "original", given.code);
    return issueTicket(db, "original", ticketTarget(asker.uid, bound), {}, accountRules.ticketSeconds);
  });

export const unbindContact = (context: AuthenticatedContext, given: { kind: ContactKind; ticket: string }) =>
  bypassTenantScope(context.db, async () => {
    const { db, asker } = context;
    await demandFresh(context);
    const bound = await contactsOf(db, asker.uid);
    const gone = bound.find(({ kind }) => kind === given.kind) ?? refuse("notFound");
    if (bound.length < 2) refuse("contactLast");
    await demandTicket(db, asker.uid, gone, given.ticket);
    await db.deleteFrom("contact").where("user_id", "=", asker.uid).where("kind", "=", given.kind).execute();
    await tellOwner(context, gone, "contactRemoved", gone);
    await noteChange(context, "account.unbindContact", given.kind);
  });

/** A contact can reset the password, so an open session alone must not be enough to bind, move or remove one. */
async function demandFresh({ db, asker }: AuthenticatedContext): Promise<void> {
  if (!(await isFresh(db, asker.sessionId))) refuse("proofNeeded");
}

/** Locks the user: two removals at once would leave no contact. */
async function contactsOf(db: Db, uid: string): Promise<Target[]> {
  await sql`select id from users where id = ${uid} for update`.execute(db);
  const rows = await db
    .selectFrom("contact")
    .select(["kind", "value", "country_code"])
    .where("user_id", "=", uid)
    .execute();
  return rows.map(({ kind, value, country_code }) => ({ kind, value, countryCode: country_code }));
}

// A ticket is bound to this exact contact: someone who once read the email at an older address gains nothing at its
// replacement.
const ticketTarget = (uid: string, contact: Target): string => `${uid} ${targetKey(contact)}`;
async function demandTicket(db: Db, uid: string, contact: Target, ticket: string | undefined): Promise<void> {
  const redeemed = ticket ? await redeemTicket(db, "original", ticket) : undefined;
  if (redeemed?.target !== ticketTarget(uid, contact)) refuse("ticketSpent");
}

async function write(db: Db, uid: string, target: Target): Promise<void> {
  try {
    await sql`insert into contact (user_id, kind, value, country_code) values (${uid}, ${target.kind}, ${target.value}, ${target.countryCode})
      on conflict (user_id, kind) do update set value = excluded.value, country_code = excluded.country_code, verified_at = clock_timestamp()`.execute(
      db,
    );
  } catch (error) {
    // Someone else has bound it since it was checked.
    if ((error as { code?: string }).code === "23505") refuse("accountTaken", { account: "accountTaken" });
    throw error;
  }
}

type LetterName = "contactChanged" | "contactAdded" | "contactRemoved";

async function tellOwner(context: AuthenticatedContext, to: Target, name: LetterName, about: Target): Promise<void> {
  const { db, asker } = context;
  const user = await db.selectFrom("users").select("language").where("id", "=", asker.uid).executeTakeFirstOrThrow();
  const language = languageOf(user.language);
  const values = { contact: shortened(about) };
  await queueEmail(db, { to: to.value, channel: to.kind === "email" ? "email" : "sms", language, name, values });
}

/** Notifies the owner of a new password: it ends every other session, and the owner learns the reason here. */
export const tellPassword = (db: Db, uid: string) =>
  bypassTenantScope(db, async () => {
    const user = await db
      .selectFrom("users")
      .innerJoin("contact", "contact.user_id", "users.id")
      .select(["users.language", "contact.kind", "contact.value"])
      .where("users.id", "=", uid)
      .orderBy("contact.kind")
      .executeTakeFirst();
    if (!user) return;
    const channel = user.kind === "email" ? "email" : "sms";
    await queueEmail(db, { to: user.value, channel, language: languageOf(user.language), name: "passwordChanged" });
  });

async function noteChange(
  { db, asker, address }: AuthenticatedContext,
  action: string,
  kind: ContactKind,
): Promise<void> {
  await notifyClients(db, { user: asker.uid }, "session", asker.uid);
  await audit(db, { institution_id: null, user_id: asker.uid, action, detail: { kind }, address });
}
