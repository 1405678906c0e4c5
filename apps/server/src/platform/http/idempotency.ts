import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Call } from "@arcada/contract/kernel/call";
import type { RawBuilder } from "kysely";
import { requireDurableReads } from "../database/database.ts";
import type { Database, Db } from "../database/database.ts";
import { Refused, refuse } from "./refuse.ts";
import type { MemberContext } from "./request-context.ts";

interface IdempotentRoute {
  call: Call;
  /** Runs when a repeated command receives the first answer. */
  onRepeat?: (answer: unknown, context: MemberContext) => Promise<void>;
}

/**
 * Runs a command with an `idempotency-key` once: the row is written first, so that a second request with the same key
 * waits for the first one's transaction and then reads its answer.
 */
export async function runIdempotently(
  { call, onRepeat }: IdempotentRoute,
  context: MemberContext,
  input: unknown,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const key = context.request.headers["idempotency-key"];
  if (!call.isIdempotent || typeof key !== "string" || key.length > 200 || !context.principal) return run();
  const { db, principal } = context;
  const fingerprint = createHash("sha256").update(JSON.stringify(input)).digest("hex");
  const first = await sql`insert into idempotency (user_id, key, call, fingerprint)
    values (${principal.uid}, ${key}, ${call.path}, ${fingerprint}) on conflict do nothing`.execute(db);
  if (first.numAffectedRows === 0n) {
    requireDurableReads(db);
    const known = await db
      .selectFrom("idempotency")
      .selectAll()
      .where("user_id", "=", principal.uid)
      .where("key", "=", key)
      .executeTakeFirstOrThrow();
    if (known.call !== call.path || known.fingerprint !== fingerprint) refuse("keyReused");
    await onRepeat?.(known.answer, context);
    return known.answer;
  }
  const data = await run().catch(async (error: unknown) => {
    // A refusal that keeps its writes is not stored as an answer: the command may be sent again.
    if (error instanceof Refused && error.keepsWrites)
      await sql`delete from idempotency where user_id = ${principal.uid} and key = ${key}`.execute(db);
    throw error;
  });
  await sql`update idempotency set answer = ${JSON.stringify(data)}::jsonb where user_id = ${principal.uid} and key = ${key}`.execute(
    db,
  );
  return data;
}

/**
 * Deletes kept responses of commands. They contain what they were about, patient data too, and after a day nobody
 * repeats the same command.
 */
export const deleteOldResponses = (database: Database) =>
  database.asSystem((db) => sql`delete from idempotency where at < now() - interval '1 day'`.execute(db));

/**
 * Deletes the kept responses to these users that contain one of these texts.
 * @param users a query of their ids
 */
export const deleteResponsesWith = (db: Db, users: RawBuilder<unknown>, texts: readonly string[]) =>
  sql`delete from idempotency where user_id in (${users})
    and answer::text like any(${texts.map((text) => `%${text}%`)}::text[])`.execute(db);
