import { sql } from "kysely";
import { expect, it } from "vitest";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { openAuditChain } from "./audit-chain.ts";
import { anchorAudit, sealAudit } from "./audit-seal.ts";
import { verifyAudit } from "./audit-verify.ts";

const rows = process.env.ARCADA_PROOF === "full" ? 1_000_000 : 10_000;
const atOnce = 10_000;

it(
  `T-21: one changed, removed or added row among ${rows} of the audit log is found`,
  { timeout: 600_000 },
  async () => {
    const { database, folder } = await createTestDatabase();
    const chain = openAuditChain("a secret of this test", folder);
    // In batches: a statement may last half a minute.
    for (let from = 0; from < rows; from += atOnce)
      await database.asSystem((db) =>
        sql`insert into audit (user_id, action, subject, detail)
          select gen_random_uuid(), 'patient.read', n::text, jsonb_build_object('n', n)
          from generate_series(${from + 1}::int, ${from + atOnce}::int) n`.execute(db),
      );
    while ((await sealAudit(database, chain)) > 0);
    await anchorAudit(database, chain);
    const began = performance.now();
    expect(await verifyAudit(database, chain)).toMatchObject({ rows, broken: null, compared: 2 });
    console.info(`T-21: ${rows} rows verified in ${Math.round(performance.now() - began)} ms`);
    const victim = Math.floor(rows / 3);
    const attacks = [
      sql`update audit set subject = 'somebody else' where seq = ${victim}`,
      sql`update audit set at = at + interval '1 hour' where seq = ${victim}`,
      sql`update audit set detail = '{"n": 0}' where seq = ${victim}`,
      sql`delete from audit where seq = ${victim}`,
    ];
    for (const attack of attacks) {
      const found = await database
        .asSystem(async (db) => {
          // As the owner of the database, whom no trigger holds up.
          await sql`set local role none`.execute(db);
          await sql`set local session_replication_role = replica`.execute(db);
          await attack.execute(db);
          // Looked at from inside, and taken back: the next attack begins with a whole chain.
          throw Object.assign(new Error("back"), {
            found: await verifyAudit({ ...database, asSystem: (work) => work(db) }, chain),
          });
        })
        .catch((error: { found: { broken: number | null } }) => error.found);
      expect(found.broken).toBe(victim);
    }
  },
);
