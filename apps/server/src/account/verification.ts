import { sql } from "kysely";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { Db } from "../kernel/db.ts";
import { keyedHash, newDigits, newId } from "../kernel/ids.ts";
import { refuseAndKeep } from "../kernel/refuse.ts";

/** Makes a code for one purpose at one destination; only the newest counts. */
export async function newCode(db: Db, key: string, target: string, purpose: string): Promise<string> {
  // Two requests at once must not both find that none was sent: the second waits here for the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`code ${target}`}, 0))`.execute(db);
  const sent = await sql<{ recent: number | null; day: number }>`select
      extract(epoch from now() - max(created_at))::int as recent, count(*)::int as day
    from verification where target = ${target} and created_at > now() - interval '1 day'`.execute(db);
  const { recent = null, day = 0 } = sent.rows[0] ?? {};
  if (recent !== null && recent < accountRules.codeEvery)
    refuseAndKeep("codeTooSoon", { seconds: String(accountRules.codeEvery - recent) });
  if (day >= accountRules.codesADay) refuseAndKeep("codeTooMany");
  const code = newDigits(accountRules.codeDigits);
  await sql`insert into verification (id, target, purpose, code_hash, expires_at)
    values (${newId()}, ${target}, ${purpose}, ${keyedHash(key, target, purpose, code)}, now() + make_interval(secs => ${accountRules.codeSeconds}))`.execute(
    db,
  );
  return code;
}

/** Uses a code up. Counting the try and reading the code are one statement: guessing in parallel gains nothing. */
export async function demandCode(db: Db, key: string, target: string, purpose: string, code: string): Promise<void> {
  const tried = await sql<{ id: string; code_hash: string }>`update verification set tries = tries + 1
    where id = (select id from verification where target = ${target} and purpose = ${purpose} order by created_at desc limit 1)
      and used_at is null and expires_at > now() and tries < ${accountRules.codeTries}
    returning id, code_hash`.execute(db);
  const row = tried.rows[0];
  if (!row || row.code_hash !== keyedHash(key, target, purpose, code))
    refuseAndKeep("codeWrong", { code: "codeWrong" });
  await db
    .updateTable("verification")
    .set({ used_at: sql`now()` })
    .where("id", "=", row.id)
    .execute();
}
