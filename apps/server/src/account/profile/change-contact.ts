import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { ContactKind } from "@arcada/contract/account/contacts.calls";
import type { AuthenticatedContext } from "../../platform/http/request-context.ts";
import { audit } from "../../platform/audit/audit.ts";
import { bypassTenantScope } from "../../platform/database/database.ts";
import type { Db } from "../../platform/database/database.ts";
import { notifyClients } from "../../platform/events/events.ts";
import { queueEmail } from "../../platform/mail/email-queue.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { parseLanguage } from "../../platform/text/texts.ts";
import { completeIfNothingMissing } from "./complete-account.ts";
import { channelOf } from "../contact-channel.ts";
import { maskContact } from "../mask-contact.ts";
import { targetKey, findUserByTarget } from "../account.store.ts";
import { issueTicket, redeemTicket } from "../ticket.writes.ts";
import type { ContactTarget } from "../account.store.ts";
import { isRecentlyProven } from "../factor/factor-proof.ts";
import { requireCode } from "../sign-in/verification-code.ts";

/** Binds a contact if the code is right. A contact that replaces another one needs a ticket of the replaced one. */
export const bindContact = (
  context: AuthenticatedContext,
  target: ContactTarget,
  input: { code: string; ticket?: string | undefined },
) =>
  bypassTenantScope(context.db, async () => {
    const { db, principal } = context;
    await requireRecentProof(context);
    await requireCode(context, targetKey(target), "bind", input.code);
    const bound = await lockContacts(db, principal.uid);
    const old = bound.find(({ kind }) => kind === target.kind);
    if (old) await requireContactTicket(db, principal.uid, old, input.ticket);
    if (await findUserByTarget(db, target)) refuse("accountTaken", { account: "accountTaken" });
    await saveContact(db, principal.uid, target);
    if (target.kind === "email") await completeIfNothingMissing(db, principal.uid);
    // Notify the owner at the old contact: someone else may have made this change.
    const recipient = old ?? bound[0];
    if (recipient) await emailOwner(context, recipient, old ? "contactChanged" : "contactAdded", target);
    await auditContactChange(context, "account.bindContact", target.kind);
  });

/** Trades the code that was sent to a bound contact for the ticket that changing it requires. */
export const verifyBoundContact = (context: AuthenticatedContext, input: { kind: ContactKind; code: string }) =>
  bypassTenantScope(context.db, async () => {
    const { db, principal } = context;
    const bound = (await lockContacts(db, principal.uid)).find(({ kind }) => kind === input.kind) ?? refuse("notFound");
    await requireCode(context, targetKey(bound), "original", input.code);
    return issueTicket(db, "original", ticketTarget(principal.uid, bound), {}, accountRules.ticketSeconds);
  });

export const unbindContact = (context: AuthenticatedContext, input: { kind: ContactKind; ticket: string }) =>
  bypassTenantScope(context.db, async () => {
    const { db, principal } = context;
    await requireRecentProof(context);
    const bound = await lockContacts(db, principal.uid);
    const removed = bound.find(({ kind }) => kind === input.kind) ?? refuse("notFound");
    if (bound.length < 2) refuse("contactLast");
    await requireContactTicket(db, principal.uid, removed, input.ticket);
    await db.deleteFrom("contact").where("user_id", "=", principal.uid).where("kind", "=", input.kind).execute();
    await emailOwner(context, removed, "contactRemoved", removed);
    await auditContactChange(context, "account.unbindContact", input.kind);
  });

/** A contact can reset the password, so an open session alone must not be enough to bind, move or remove one. */
async function requireRecentProof({ db, principal }: AuthenticatedContext): Promise<void> {
  if (!(await isRecentlyProven(db, principal.sessionId))) refuse("proofNeeded");
}

/** Locks the user: two removals at once would leave no contact. */
async function lockContacts(db: Db, uid: string): Promise<ContactTarget[]> {
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
const ticketTarget = (uid: string, contact: ContactTarget): string => `${uid} ${targetKey(contact)}`;
async function requireContactTicket(
  db: Db,
  uid: string,
  contact: ContactTarget,
  ticket: string | undefined,
): Promise<void> {
  const redeemed = ticket ? await redeemTicket(db, "original", ticket) : undefined;
  if (redeemed?.target !== ticketTarget(uid, contact)) refuse("ticketSpent");
}

async function saveContact(db: Db, uid: string, target: ContactTarget): Promise<void> {
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

type ContactEmail = "contactChanged" | "contactAdded" | "contactRemoved";

async function emailOwner(
  context: AuthenticatedContext,
  to: ContactTarget,
  name: ContactEmail,
  about: ContactTarget,
): Promise<void> {
  const { db, principal } = context;
  const user = await db
    .selectFrom("users")
    .select("language")
    .where("id", "=", principal.uid)
    .executeTakeFirstOrThrow();
  const language = parseLanguage(user.language);
  const values = { contact: maskContact(about) };
  await queueEmail(db, { to: to.value, channel: channelOf(to), language, name, values });
}

async function auditContactChange(
  { db, principal, address }: AuthenticatedContext,
  action: string,
  kind: ContactKind,
): Promise<void> {
  await notifyClients(db, { user: principal.uid }, "session", principal.uid);
  await audit(db, { institution_id: null, user_id: principal.uid, action, detail: { kind }, address });
}
