import { mkdirSync, rmSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { roles } from "@arcada/contract/kernel/roles";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { openAuditChain } from "../platform/audit/audit-chain.ts";
import { anchorAudit, sealAudit } from "../platform/audit/audit-seal.ts";
import { readConfig } from "../platform/runtime/config.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { openJobs } from "../platform/jobs/jobs.ts";
import { provideServices } from "../platform/runtime/services.ts";
import { checkAudit } from "./audit-check.jobs.ts";
import { emailAuditHead, auditSealer } from "./audit.sealer.ts";
import { listAuditChecks } from "./audit.store.ts";
import { acceptAuditLog, verifyAuditLog } from "./audit.cli.ts";
import { present } from "@arcada/testing/require-present";

const SECRET_KEY = "a secret of this test, long enough for all";

async function setup() {
  const { database, connection, folder } = await createTestDatabase();
  const chain = openAuditChain(SECRET_KEY, folder);
  const jobs = await openJobs(connection, { isWorker: false });
  provideServices({ jobs });
  onTestFinished(() => jobs.stop(0));
  const put = (rows: number) =>
    database.asSystem((db) =>
      sql`insert into audit (action) select 'probe' from generate_series(1, ${rows}::int)`.execute(db),
    );
  await put(20);
  await sealAudit(database, chain);
  const head = present(await anchorAudit(database, chain));
  const asOwner = (statement: string) =>
    database.asSystem(async (db) => {
      await sql`set local role none`.execute(db);
      await sql`set local session_replication_role = replica`.execute(db);
      await sql.raw(statement).execute(db);
    });
  const says = async (...given: string[]) => {
    const lines: string[] = [];
    const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => lines.push(String(text)) > 0);
    const config = readConfig({ DATA_DIR: folder, SECRET_KEY });
    const code = await (given[0] === "accept" ? acceptAuditLog : verifyAuditLog)(
      database,
      given.slice(1),
      config,
    ).finally(() => spy.mockRestore());
    return `${code} ${lines.join("")}`;
  };
  return { database, connection, chain, put, head, asOwner, says };
}
afterAll(() => vi.restoreAllMocks());

it("`audit verify` states the fault in one sentence, exits with 1 and seals nothing", async () => {
  const { database, put, head, asOwner, says } = await setup();
  expect(await says("verify")).toMatch(/^0 The audit trail holds: 20 rows, compared with 2 anchors\.\n$/);
  await put(3);
  await asOwner("delete from audit where seq > 10");
  expect(await says("verify")).toMatch(/^1 The audit trail was cut: an anchor of \S+ knows 20 rows, the table has 10 /);
  const { rows } = await database.asSystem((db) =>
    sql<{ n: number }>`select count(*)::int as n from audit where seq is null`.execute(db),
  );
  expect(rows[0].n).toBe(3);
  expect(await says("accept", "backup", "of", "Monday")).toMatch(/^0 The audit trail goes on behind row 10\./);
  expect(await says("verify")).toMatch(/^0 The audit trail holds: 10 rows[^]*behind row 10: backup of Monday/);
  expect(await says("verify", "--head", `${head.rows}:${head.hash}`)).toMatch(
    /^1 The audit trail was cut: the head that was given knows 20 rows/,
  );
});

it("`audit verify` does not call rows sound that nothing outside the table confirms", async () => {
  const { chain, head, asOwner, says } = await setup();
  rmSync(chain.file.path);
  await asOwner("delete from audit_anchor");
  expect(await says("verify")).toMatch(/^1 The 20 rows of the audit trail fit each other, but there is no anchor/);
  expect(await says("verify", "--head", `${head.rows}:${head.hash}`)).toMatch(/^0 The audit trail holds: 20 rows/);
});

it("the check reports a row that was moved into an expired year behind its back, and the year stays", async () => {
  const { database, chain, put, asOwner } = await setup();
  await database.asSystem(async (db) => {
    await sql`select arcada_add_partition('audit', '2020-06-01')`.execute(db);
    await sql`insert into audit (action, at) values ('probe', '2020-06-01')`.execute(db);
  });
  await put(1);
  await sealAudit(database, chain);
  let isMoved = false;
  const watched: typeof database = {
    ...database,
    asSystem: async (work) => {
      const [check] = await database.asSystem(listAuditChecks);
      // The verification has found the log intact, and retention is about to begin.
      if (check?.finished_at && !isMoved) {
        isMoved = true;
        await asOwner("update audit set at = '2020-06-02' where seq = 5");
      }
      return database.asSystem(work);
    },
  };
  vi.spyOn(console, "error").mockImplementation(() => {});
  await checkAudit(watched, chain, 1);
  vi.restoreAllMocks();
  const [check] = await database.asSystem(listAuditChecks);
  expect(check).toMatchObject({ rows: 4, broken: 5, fault: "altered" });
  const { rows } = await database.asSystem((db) =>
    sql<{ n: number }>`select count(*)::int as n from audit where at < '2021-01-01'`.execute(db),
  );
  expect(rows[0].n).toBe(2);
});

it("the head is mailed to every operator once a day, with any number of sending processes", async () => {
  const { database, connection, chain, head } = await setup();
  const email = `${newId()}@example.test`;
  await database.asSystem(async (db) => {
    const id = newId();
    await db.insertInto("users").values({ id, nick_name: "operator", language: "en" }).execute();
    await db.insertInto("contact").values({ user_id: id, kind: "email", value: email, country_code: null }).execute();
    const authority_id = roles.operator.authorityId;
    const place = { id: newId(), institution_id: null, user_id: id, authority_id, state: "normal" } as const;
    await db.insertInto("membership").values(place).execute();
  });
  const sent = await Promise.all([
    emailAuditHead(database, chain),
    emailAuditHead(database, chain),
    emailAuditHead(database, chain),
  ]);
  expect(sent.toSorted()).toEqual([0, 0, 1]);
  expect(await emailAuditHead(database, chain)).toBe(0);
  const { default: pg } = await import("pg");
  const owner = new pg.Client(connection);
  await owner.connect();
  const { rows } = await owner.query<{ data: object }>("select data from pgboss.job where name = 'letter'");
  await owner.end();
  expect(rows).toMatchObject([
    { data: { to: email, name: "auditHead", values: { rows: 20, head: `20:${head.hash}` } } },
  ]);
});

it("the head and the end of sealing are logged at any LOG_LEVEL", async () => {
  const { database, chain, put, head, asOwner } = await setup();
  const lines: string[] = [];
  for (const level of ["info", "error"] as const)
    vi.spyOn(console, level).mockImplementation((text: string) => void lines.push(text));
  const keeper = auditSealer(database, chain);
  await keeper.anchor();
  await keeper.anchor();
  await asOwner("delete from audit where seq > 10");
  await put(1);
  await expect(keeper.seal()).rejects.toThrow("not sealed any further");
  await expect(keeper.seal()).rejects.toThrow("not sealed any further");
  vi.restoreAllMocks();
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: "info", about: "audit trail", head: `20:${head.hash}` },
    { level: "error", about: "audit trail", message: "the audit trail is not sealed any further: cut" },
  ]);
});

it("an error is logged when the anchors cannot be read, and nothing is sealed", async () => {
  const { database, chain, put } = await setup();
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  rmSync(chain.file.path);
  mkdirSync(chain.file.path);
  await put(1);
  await expect(auditSealer(database, chain).seal()).rejects.toThrow("EISDIR");
  expect(said.mock.calls.join()).toMatch(/audit trail.*EISDIR/);
  vi.restoreAllMocks();
});
