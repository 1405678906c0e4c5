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
  /** Inserts a gap of the rows of 2021 that nobody with a key has signed. */
  const forgeGap = (keyId: string) =>
    owner(
      "set role arcada_system",
      `insert into audit_gap select 12, 20, hash, 'audit_2021', now(), '${keyId}', 'made-up' from audit where seq = 20`,
    );
  const delete2021 = () =>
    owner("set session_replication_role = replica", "delete from audit where seq between 12 and 20");
  const yearsSince2020 = new Date().getUTCFullYear() - 2020;
  const verify = () => verifyAudit(database, chain);
  return { database, chain, folder, asSystem, owner, put, years, forgeGap, delete2021, verify, yearsSince2020 };
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

it("rows under an unsigned gap of another key are missing, also before an acceptance under the same key", async () => {
  const { database, chain, forgeGap, delete2021, verify } = await setup();
  await acceptAudit(database, chain, "a backup was restored");
  await forgeGap("another key");
  await delete2021();
  expect(await verify()).toMatchObject({ fault: "missing", broken: 12, dropped: 0 });
});

it.each(["this", "another"])("an acceptance under the same key signs no gap of %s key", async (which) => {
  const { database, chain, forgeGap, delete2021, verify } = await setup();
  await forgeGap(which === "this" ? chain.key.id : "another key");
  await delete2021();
  await acceptAudit(database, chain, "a backup was restored");
  expect(await verify()).toMatchObject({ fault: "missing", broken: 12, dropped: 0 });
});

it("the gaps of an earlier key are signed again when the change of the key is accepted", async () => {
  const { database, chain, folder, yearsSince2020 } = await setup();
  await dropExpiredAudit(database, chain, yearsSince2020 - 1);
  const other = openAuditChain("another secret", folder);
  await acceptAudit(database, other, "a new key");
  expect(await verifyAudit(database, other)).toMatchObject({ rows: 30, broken: null, dropped: 10 });
});

it("the change of the key signs no gap whose rows are still there", async () => {
  const { database, chain, folder, forgeGap, delete2021 } = await setup();
  await forgeGap(chain.key.id);
  const other = openAuditChain("another secret", folder);
  await acceptAudit(database, other, "a new key");
  await delete2021();
  expect(await verifyAudit(database, other)).toMatchObject({ fault: "missing", broken: 12, dropped: 0 });
});

it("a signed gap behind the last row does not hide that the log was cut", async () => {
  const { database, chain, folder, asSystem, owner } = await setup();
  await owner(
    "set role arcada_system",
    `insert into audit_gap values (31, 1000, 'unknown', 'audit_2021', now(), '${chain.key.id}', 'made-up')`,
  );
  const other = openAuditChain("another secret", folder);
  await acceptAudit(database, other, "a new key");
  await asSystem("insert into audit (action) select 'probe' from generate_series(1, 4)");
  await sealAudit(database, other);
  await anchorAudit(database, other);
  await owner("set session_replication_role = replica", "delete from audit where seq > 30");
  expect(await verifyAudit(database, other)).toMatchObject({ fault: "cut", broken: 31 });
});

it("a row that somebody has moved into an expired year stays with it", async () => {
  const { database, chain, owner, years, yearsSince2020 } = await setup();
  await owner("set session_replication_role = replica", "update audit set at = '2020-05-05' where seq = 25");
  await expect(dropExpiredAudit(database, chain, yearsSince2020 - 1)).rejects.toMatchObject({
    fault: "altered",
    broken: 25,
  });
  expect(await years()).toEqual([
    { year: "2020", rows: 11 },
    { year: "2021", rows: 10 },
  ]);
});

it("a year stays if the row before one of its rows is missing", async () => {
  const { database, chain, owner, years, yearsSince2020 } = await setup();
  await owner("set session_replication_role = replica", "delete from audit where seq = 10");
  await expect(dropExpiredAudit(database, chain, yearsSince2020 - 1)).rejects.toMatchObject({
    fault: "missing",
    broken: 10,
  });
  expect(await years()).toHaveLength(2);
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
