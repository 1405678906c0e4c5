import { sql } from "kysely";
import pg from "pg";
import { expect, it } from "vitest";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { openAuditChain } from "./audit-chain.ts";
import { dropExpiredAudit } from "./audit-retention.ts";
import { acceptAudit, anchorAudit, sealAudit } from "./audit-seal.ts";
import { verifyAudit } from "./audit-verify.ts";

/**
 * Makes a log of ten rows in 2020, of which the last was committed after the first of 2021, ten in 2021 and ten now, all
 * sealed in this order and anchored after each year.
 */
async function setup() {
  const { database, connection, folder } = await createTestDatabase();
  const chain = openAuditChain("a secret of this test", folder);
  const asSystem = (statement: string) => database.asSystem((db) => sql.raw(statement).execute(db));
  const owner = async (...statements: string[]) => {
    const client = new pg.Client(connection);
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const put = async (rows: number, at: string) => {
    await asSystem(
      `insert into audit (action, subject, at) select 'probe', n::text, ${at} from generate_series(1, ${rows}) n`,
    );
    await sealAudit(database, chain);
  };
  await asSystem("select arcada_add_partition('audit', '2020-06-01'), arcada_add_partition('audit', '2021-06-01')");
  await put(9, "'2020-12-31T23:59:00Z'");
  await put(1, "'2021-01-01T00:00:00Z'");
  await put(1, "'2020-12-31T23:59:59Z'");
  await anchorAudit(database, chain);
  await put(9, "'2021-06-01T00:00:00Z'");
  await put(10, "now()");
  await anchorAudit(database, chain);
  const years = async () =>
    (
      await database.asSystem((db) =>
        sql<{ year: string; rows: number }>`select to_char(at, 'YYYY') as year, count(*)::int as rows from audit
          where at < '2022-01-01' group by 1 order by 1`.execute(db),
      )
    ).rows;
  const yearsSince2020 = new Date().getUTCFullYear() - 2020;
  return { database, chain, asSystem, owner, put, years, verify: () => verifyAudit(database, chain), yearsSince2020 };
}

it("the year whose retention has ended is dropped, the next one stays, and the chain holds from the signed gaps on", async () => {
  const { database, chain, asSystem, years, verify, put, yearsSince2020 } = await setup();
  await expect(asSystem("delete from audit where at < '2021-01-01'")).rejects.toMatchObject({ code: "42501" });
  expect(await dropExpiredAudit(database, chain, yearsSince2020 - 1)).toBe(1);
  expect(await years()).toEqual([{ year: "2021", rows: 10 }]);
  expect(await verify()).toMatchObject({ rows: 30, broken: null, dropped: 10, compared: 3 });
  await put(1, "now()");
  expect(await anchorAudit(database, chain)).toMatchObject({ rows: 31 });
});

it("nothing is dropped from a log that contradicts its anchors", async () => {
  const { database, chain, owner, years, yearsSince2020 } = await setup();
  await owner("set session_replication_role = replica", "delete from audit where seq > 25");
  await expect(dropExpiredAudit(database, chain, yearsSince2020 - 1)).rejects.toThrow("cut");
  expect(await years()).toHaveLength(2);
});

it("a year stays while one of its rows has no seal", async () => {
  const { database, chain, asSystem, years, yearsSince2020 } = await setup();
  await asSystem("insert into audit (action, at) values ('probe', '2020-03-01')");
  expect(await dropExpiredAudit(database, chain, yearsSince2020 - 1)).toBe(0);
  expect(await years()).toHaveLength(2);
});

it("the years of the head stay, however old they are", async () => {
  const { database, chain, owner, verify } = await setup();
  await owner("set session_replication_role = replica", "delete from audit where seq > 20", "delete from audit_anchor");
  await acceptAudit(database, chain, "the newest rows were lost");
  expect(await dropExpiredAudit(database, chain, 1)).toBe(1);
  expect(await verify()).toMatchObject({ rows: 20, broken: null, dropped: 10 });
});

it("rows that somebody without the key declares dropped are missing", async () => {
  const { chain, owner, verify } = await setup();
  await owner(
    "set session_replication_role = replica",
    "set role arcada_system",
    `insert into audit_gap select 1, 9, hash, 'audit_2020', now(), '${chain.key.id}', 'made-up' from audit where seq = 9`,
    "reset role",
    "delete from audit where seq <= 9",
  );
  expect(await verify()).toMatchObject({ fault: "missing", broken: 1, dropped: 0 });
});

it("a second row of a number is found, also at the border between two readings", async () => {
  const { database, chain, owner } = await setup();
  await owner(
    "set session_replication_role = replica",
    "set role arcada_system",
    "insert into audit (action, at, seq, hash) select 'forged', now(), seq, hash from audit where seq = 24",
  );
  for (const atOnce of [1, 24, 10_000])
    expect(await verifyAudit(database, chain, { atOnce })).toMatchObject({ fault: "missing", broken: 25 });
});
