import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { Context } from "../../platform/http/request-context.ts";
import { readCookie, setCookie } from "../../platform/http/cookies.ts";
import { decryptPart, encryptPart } from "../../platform/security/verification-code-key.ts";
import type { Db } from "../../platform/database/database.ts";
import { keyedHash, newDigits, newId, newSecret, secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { refuseAndKeep } from "../../platform/http/refuse.ts";
import { secret } from "../../platform/runtime/services.ts";
import { isKnownDevice } from "./known-browsers.ts";
import { limitedAddress } from "../../platform/security/address-for-limits.ts";
import { codeCookieName, deviceCookieName, isBrowser } from "../session/cookie-names.ts";
import { difficultyFor } from "./human-check.ts";
import type { Row } from "../../tables/row.ts";
import { sendEmail } from "../../platform/mail/email-queue.ts";
import { countTextMessage } from "../../platform/mail/message-limits.ts";
import { channelOf } from "../contact-channel.ts";
import type { ContactTarget } from "../account.store.ts";

type CodeContext = Pick<Context, "db" | "request" | "config" | "address">;

/**
 * These figures count the codes sent to one destination within a day: by this requester, and by all browsers that the
 * account does not know.
 */
interface SentCodes {
  requester: string;
  recent: number | null;
  mine: number;
  strangers: number;
}

/**
 * Counts the codes that were sent to `target`, and keeps others from sending one meanwhile. A browser from which `uid`
 * has signed in is counted by itself, all others by their network, so that nobody uses up another's codes. Resets are
 * counted separately.
 */
export async function countSentCodes(context: CodeContext, target: string, purpose: string, uid: string | undefined) {
  const { db, request, config, address } = context;
  // Two parallel requests must not both find that no code was sent: the second waits here for the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`code ${target}`}, 0))`.execute(db);
  const device = readCookie(request, deviceCookieName(config, request));
  const isKnown = uid !== undefined && (await isKnownDevice(db, uid, device));
  const requester = isKnown ? `${knownDevicePrefix}${secretHash(device ?? "")}` : limitedAddress(address);
  const hasPurpose = sql`(purpose = 'reset') = ${purpose === "reset"}`;
  const counted = await db
    .selectFrom("verification")
    .select([
      sql<number | null>`extract(epoch from now() - max(created_at) filter (where asker = ${requester}))::int`.as(
        "recent",
      ),
      sql<number>`count(*) filter (where asker = ${requester} and ${hasPurpose})::int`.as("mine"),
      sql<number>`count(*) filter (where asker not like ${`${knownDevicePrefix}%`} and ${hasPurpose})::int`.as(
        "strangers",
      ),
    ])
    .where("target", "=", target)
    .where(sql<boolean>`created_at > now() - interval '1 day'`)
    .executeTakeFirstOrThrow();
  return { requester, ...counted };
}
const knownDevicePrefix = "device:";

/**
 * Returns the proof-of-work level for the next code: only unknown browsers pay for the codes that unknown browsers have
 * requested.
 */
export const difficultyForCode = ({ requester, strangers }: SentCodes): number =>
  requester.startsWith(knownDevicePrefix) ? 0 : difficultyFor(strangers);

/** Codes for these purposes are sent only to addresses without an account. */
const unboundPurposes: readonly string[] = ["register", "bind"];

/** Makes a code for one purpose at one destination; for each browser only the newest counts. */
export async function createCode(
  context: CodeContext,
  target: string,
  purpose: string,
  sent: SentCodes,
): Promise<string> {
  const { requester, recent, mine, strangers } = sent;
  if (recent !== null && recent < accountRules.codeEvery)
    refuseAndKeep("codeTooSoon", { seconds: String(accountRules.codeEvery - recent) });
  const isCrowded = !requester.startsWith(knownDevicePrefix) && strangers >= accountRules.crowdedCodes;
  if (unboundPurposes.includes(purpose) && strangers >= accountRules.codesToNobody) refuseAndKeep("codeTooMany");
  if (mine >= (isCrowded ? accountRules.codesInCrowd : accountRules.maxCodesPerDay)) refuseAndKeep("codeTooMany");
  const code = newDigits(isCrowded ? accountRules.crowdedDigits : accountRules.codeDigits);
  const id = newId();
  const secretPart = randomBytes(32);
  const sealed = await encryptPart(context.db, id, secretPart);
  await sql`insert into verification (id, target, purpose, asker, browser, code_hash, sealed, expires_at)
    values (${id}, ${target}, ${purpose}, ${requester}, ${browserHash(context)}, ${hashCode(secretPart, target, purpose, code)},
      ${JSON.stringify(sealed)}, now() + make_interval(secs => ${accountRules.codeSeconds}))`.execute(context.db);
  return code;
}

/**
 * Uses a code up. Counting the attempt and reading the code are one statement, so that guessing in parallel gains
 * nothing. A browser can try only the code that it requested, and clients without cookies share theirs: other users
 * neither use up an owner's attempts nor replace the owner's code by their own.
 */
export async function requireCode(context: CodeContext, target: string, purpose: string, code: string): Promise<void> {
  const { db } = context;
  const attempt = await sql<
    Row<"verification", "id" | "code_hash" | "sealed">
  >`update verification set tries = tries + 1
    where id = (select id from verification where target = ${target} and purpose = ${purpose}
        and browser is not distinct from ${browserHash(context)} order by created_at desc limit 1)
      and used_at is null and expires_at > now() and tries < ${accountRules.codeTries}
    returning id, code_hash, sealed`.execute(db);
  const row = attempt.rows[0];
  const secretPart = row ? decryptPart(row.id, row.sealed) : null;
  if (!row || !secretPart || row.code_hash !== hashCode(secretPart, target, purpose, code))
    refuseAndKeep("codeWrong", { code: "codeWrong" });
  await markUsed(db, row.id);
}

const markUsed = (db: Db, id: string) =>
  db
    .updateTable("verification")
    .set({ used_at: sql`now()` })
    .where("id", "=", id)
    .execute();

const hashCode = (secretPart: Buffer, ...of: string[]): string =>
  keyedHash(secret(), secretPart.toString("hex"), ...of);

const browserHash = ({ request, config }: CodeContext): string | null => {
  const browser = readCookie(request, codeCookieName(config, request));
  return browser ? secretHash(browser) : null;
};

/** Sets the cookie of a browser before it requests its first code. */
export function setCodeCookie({ request, reply, config }: Pick<Context, "request" | "reply" | "config">): void {
  const name = codeCookieName(config, request);
  if (isBrowser(request) && !readCookie(request, name))
    setCookie(reply, config, request, name, newSecret(), accountRules.codeBrowserSeconds);
}

/** Refuses a code that would exceed the daily limits of text messages; the solved human check stays spent. */
export async function countCodeMessage(db: Db, target: ContactTarget): Promise<void> {
  const full = await countTextMessage(db, target.value);
  if (full) refuseAndKeep(full === "number" ? "codeTooMany" : "textsFull");
}

/** Sends the email after the commit. The call fails if the email could neither be sent nor be kept for later. */
export function sendCodeEmail(context: Context, target: ContactTarget, code: string): void {
  const { database, config, language, now } = context;
  const until = new Date(now.getTime() + accountRules.codeSeconds * 1000).toISOString();
  context.afterCommit.push(() =>
    sendEmail(database, config, {
      to: target.value,
      language,
      name: "code",
      values: { code, minutes: accountRules.codeSeconds / 60 },
      channel: channelOf(target),
      until,
    }),
  );
}
