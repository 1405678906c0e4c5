import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { secret } from "../runtime/services.ts";
import { findSentCode, passHumanCheck, register } from "@arcada/testing/fixtures/account-registration";
import { getTestServer } from "@arcada/testing/setup/test-server";

/** An attacker who holds SECRET_KEY and a copy of the whole row can try all codes in each of these forms. */
function derived(row: Record<string, unknown>): string | null {
  const words = [
    [],
    ...Object.values(row)
      .filter((value) => typeof value === "string")
      .map((value) => [value as string]),
  ];
  for (let code = 0; code < 1_000_000; code += 1) {
    const digits = String(code).padStart(6, "0");
    for (const more of code === Number(row["guess"]) ? words : [[]])
      for (const parts of [
        [...more, row["target"], row["purpose"], digits],
        [row["target"], row["purpose"], digits, ...more],
      ])
        if (createHmac("sha256", secret()).update(JSON.stringify(parts)).digest("hex") === row["code_hash"])
          return digits;
  }
  return null;
}

it("a code cannot be found from the key and the database", { timeout: 120_000 }, async () => {
  const env = await getTestServer();
  const account = `operator.${process.pid}@clinic.test`;
  await register(env, account);
  await env.running.database.asSystem((db) => sql`delete from verification`.execute(db));
  await env.ask("account.sendCode", { account, purpose: "reset", human: await passHumanCheck(env) });
  const code = await findSentCode(account);
  const { rows } = await env.running.database.asSystem((db) =>
    sql<{
      row: Record<string, unknown>;
    }>`select to_jsonb(v) as row from verification v where target = ${`email:${account}`}`.execute(db),
  );
  // The right code is among those that are tried with every other word of the row, too.
  expect(derived({ ...rows[0].row, guess: code })).toBeNull();
  // The database contains no private key, and the part is sealed again for each process.
  const keys = await env.running.database.asSystem((db) =>
    sql<{ key: string }>`select public_key as key from code_key`.execute(db),
  );
  expect(keys.rows.length).toBeGreaterThan(0);
  for (const { key } of keys.rows) expect(Buffer.from(key, "base64")).toHaveLength(44);
  const reset = { account, password: "an evening by the harbour", confirm: "an evening by the harbour" };
  expect((await env.ask("account.resetPassword", { ...reset, code })).code).toBe(200);
});
