import { sql } from "kysely";
import { expect, it } from "vitest";
import { createClinician, createTestDatabase } from "@arcada/testing/setup/test-database";
import { deleteSpentSecrets } from "../../account/delete-spent-secrets.ts";
import { deleteOldResponses } from "./idempotency.ts";

it("forgets answers, addresses and spent secrets after a day, and none before", async () => {
  const { database } = await createTestDatabase();
  const { uid } = await createClinician(database);
  await database.asSystem(async (db) => {
    for (const age of ["23 hours", "25 hours"]) {
      const at = sql`now() - ${age}::interval`;
      await sql`insert into idempotency (user_id, key, call, fingerprint, at) values (${uid}, ${age}, 'x', 'x', ${at})`.execute(
        db,
      );
      await sql`insert into login_failure (target, address, at) values (${age}, 'x', ${at})`.execute(db);
      await sql`insert into verification (id, target, purpose, code_hash, created_at, expires_at)
        values (gen_random_uuid(), ${age}, 'x', 'x', ${at}, now())`.execute(db);
      await sql`insert into ticket (hash, kind, target, expires_at) values (${age}, 'x', 'x', ${at})`.execute(db);
    }
  });
  await deleteOldResponses(database);
  await deleteSpentSecrets(database);
  const left = await database.asSystem((db) =>
    sql<{ age: string }>`select key as age from idempotency union all select target from login_failure
      union all select target from verification union all select hash from ticket`.execute(db),
  );
  expect(left.rows.map(({ age }) => age)).toEqual(Array.from({ length: 4 }, () => "23 hours"));
});
