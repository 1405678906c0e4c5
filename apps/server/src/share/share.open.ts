import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { shareRules } from "@arcada/contract/share/share.rules";
import type { Context } from "../platform/http/request-context.ts";
import { audit } from "../platform/audit/audit.ts";
import { decryptPart, encryptPart } from "../platform/security/verification-code-key.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { newDigits, secretHash } from "../platform/runtime/ids-and-secrets.ts";
import { queueEmail } from "../platform/mail/email-queue.ts";
import { countEmail, requireChannel } from "../platform/mail/message-limits.ts";
import { refuse, refuseAndKeep } from "../platform/http/refuse.ts";
import { secret } from "../platform/runtime/services.ts";
import { hashAddress, hashCode, hashFactor } from "./share-secrets.ts";
import { lockBySecret, transitionShare, insertEvent, type NewShareEvent, type ShareRow } from "./share.store.ts";
import { beginGuestSession } from "./guest-session.ts";
import { shareTransitioned } from "./share.events.ts";

type OpenableShare = ShareRow & { institution: string };

/** Returns the link of a secret. A link that never existed, was cancelled or has expired gives the same refusal. */
export async function requireOpenShare({ db, now }: Context, given: string): Promise<OpenableShare> {
  const found = await lockBySecret(db, secretHash(given));
  if (!found || Date.parse(found.expires_at) <= now.getTime()) return refuse("shareGone");
  if (found.state === "locked") return refuse("shareLocked");
  return found.state === "active" ? found : refuse("shareGone");
}

export async function openShare(context: Context, given: string, factorAnswer: string): Promise<string> {
  const { db, request, address, requestId } = context;
  const found = await requireOpenShare(context, given);
  if (found.factor !== "none") await requireFactor(context, found, factorAnswer);
  const isFirst = found.opens === 0;
  await sql`update share set opens = opens + 1, last_open_at = now(), code_hash = null
    where institution_id = ${found.institution_id} and id = ${found.id}`.execute(db);
  await insertEvent(db, found, toShareEvent(context, found, "open"));
  await audit(db, {
    institution_id: found.institution_id,
    user_id: null,
    action: "study.sharedOpen",
    subject: found.thing_id,
    detail: { share: found.id },
    address,
    request_id: requestId,
  });
  if (isFirst) await notifyCreator(context, found, "open");
  await notifyClients(db, { institutions: [found.institution_id, found.house_id] }, "share", found.id);
  return beginGuestSession(db, found, { config: context.config, request, reply: context.reply });
}

/** Answers to one link wait for each other at its row lock, so that concurrent ones are counted too. */
async function requireFactor(context: Context, found: OpenableShare, factorAnswer: string): Promise<void> {
  const { now } = context;
  const window = now.getTime() - shareRules.waitMinutes * 60_000;
  const late = found.failed_at.map((at) => new Date(at).getTime()).filter((at) => at > window);
  if (late.length >= shareRules.waitAfter)
    refuse("shareFactorWait", { minutes: Math.ceil((Math.min(...late) - window) / 60_000) });
  // The visitor has not entered anything yet.
  if (factorAnswer === "") refuse("shareFactorWrong");
  if (isFactorCorrect(found, factorAnswer, now)) return;
  await countFailure(context, found, late);
  refuseAndKeep("shareFactorWrong");
}

function isFactorCorrect(found: OpenableShare, factorAnswer: string, now: Date): boolean {
  if (found.factor !== "email") return hashFactor(secret(), found.id, found.factor, factorAnswer) === found.factor_hash;
  const isGood = found.code_until !== null && Date.parse(found.code_until) > now.getTime();
  if (!isGood || found.code_tries >= shareRules.waitAfter) return false;
  const part = decryptPart(found.id, found.code_sealed);
  return part !== null && hashCode(secret(), found.id, part, factorAnswer) === found.code_hash;
}

async function countFailure(context: Context, found: OpenableShare, late: readonly number[]): Promise<void> {
  const { db, now } = context;
  const times = [...late, now.getTime()].map((at) => new Date(at).toISOString());
  await sql`update share set failures = failures + 1, failed_at = ${times}::timestamptz[], code_tries = code_tries + 1
    where institution_id = ${found.institution_id} and id = ${found.id}`.execute(db);
  await insertEvent(db, found, toShareEvent(context, found, "wrong"));
  if (found.failures + 1 < shareRules.lockAfter) return;
  await transitionShare(db, found, "locked");
  await insertEvent(db, found, { what: "lock" });
  await notifyCreator(context, found, "lock");
  await notifyClients(db, { institutions: [found.institution_id, found.house_id] }, "share", found.id);
}

/** Sends a new code, which invalidates the one before it. */
export async function sendShareCode(context: Context, given: string): Promise<void> {
  const { db, now, language } = context;
  requireChannel("email");
  const found = await requireOpenShare(context, given);
  if (found.factor !== "email" || found.email === null) return refuse("shareGone");
  const today = found.codes_at.map((at) => new Date(at).getTime()).filter((at) => at > now.getTime() - 86_400_000);
  const isLately = today.some((at) => at > now.getTime() - shareRules.codeAgainSeconds * 1000);
  if (isLately || today.length >= shareRules.maxCodesPerDay) refuse("shareCodeLately");
  await countEmail(db, found.email);
  const code = newDigits(6);
  const until = new Date(now.getTime() + shareRules.codeMinutes * 60_000).toISOString();
  const times = [...today, now.getTime()].map((at) => new Date(at).toISOString());
  const part = randomBytes(32);
  const sealed = JSON.stringify(await encryptPart(db, found.id, part));
  await sql`update share set code_hash = ${hashCode(secret(), found.id, part, code)}, code_sealed = ${sealed},
      code_until = ${until}, code_tries = 0, codes_at = ${times}::timestamptz[]
    where institution_id = ${found.institution_id} and id = ${found.id}`.execute(db);
  await insertEvent(db, found, toShareEvent(context, found, "code"));
  const values = { code, minutes: shareRules.codeMinutes, institution: found.institution };
  await queueEmail(db, { to: found.email, language, name: "shareCode", values, until });
}

const toShareEvent = ({ address, request }: Context, { id }: ShareRow, what: NewShareEvent["what"]): NewShareEvent => ({
  what,
  address: hashAddress(secret(), id, address),
  agent: String(request.headers["user-agent"] ?? "").slice(0, 200),
});

const notifyCreator = ({ db }: Context, found: OpenableShare, action: "open" | "lock") =>
  publish(db, shareTransitioned, { action, label: found.label, institution: found.house_id, user: found.created_by });
