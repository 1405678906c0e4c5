import { appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { AnchorFile, anchorFileName, createAnchor } from "./audit-anchors.ts";
import { openAuditChain, computeUnkeyedSeal } from "./audit-chain.ts";
import type { SealableRow } from "./audit-chain.ts";
import { deriveAuditKey } from "./audit-key.ts";
import { acceptAudit, anchorAudit, sealAudit } from "./audit-seal.ts";
import { verifyAudit } from "./audit-verify.ts";
import { present } from "@arcada/testing/require-present";

const secret = "a secret of this test";
const put = (rows: number, at = "now()") =>
  `insert into audit (action, subject, at) select 'probe', n::text, ${at} from generate_series(1, ${rows}) n`;

/** Makes an audit log of 100 sealed and anchored rows, and an attacker who owns the database. */
async function setup() {
  const { database, connection, folder } = await createTestDatabase();
  const chain = openAuditChain(secret, folder);
  const owner = async (...statements: string[]) => {
    const client = new pg.Client(connection);
    await client.connect();
    await client.query("set session_replication_role = replica");
    for (const statement of statements) await client.query(statement).finally(() => {});
    await client.end();
  };
  const asSystem = (statement: string) => database.asSystem((db) => sql.raw(statement).execute(db));
  const seal = () => sealAudit(database, chain);
  const anchor = () => anchorAudit(database, chain);
  await asSystem(put(100));
  await seal();
  const head = present(await anchor());
  const file = path.join(folder, anchorFileName);
  return { database, chain, folder, file, owner, asSystem, seal, anchor, head, verify: verifyAudit };
}
type World = Awaited<ReturnType<typeof setup>>;

const changed = "update audit set subject = 'other' where seq = 40";
const nulled = "update audit set seq = null, hash = null, late_at = null where seq >= 40";
const attacks: [string, (env: World) => Promise<unknown>, object][] = [
  ["the last ten rows cut off", ({ owner }) => owner("delete from audit where seq > 90"), { fault: "cut", broken: 91 }],
  ["all rows deleted", ({ owner }) => owner("delete from audit"), { fault: "cut", broken: 1 }],
  [
    "a row in the middle deleted",
    ({ owner }) => owner("delete from audit where seq = 40"),
    { fault: "missing", broken: 40 },
  ],
  ["a row changed", ({ owner }) => owner(changed), { fault: "altered", broken: 40 }],
  [
    "a row changed and the seals behind it taken off",
    ({ owner }) => owner(changed, nulled),
    { fault: "cut", broken: 40 },
  ],
  [
    "the same, with all anchors of the database deleted",
    ({ owner }) => owner(changed, nulled, "delete from audit_anchor"),
    { fault: "cut", broken: 40 },
  ],
  [
    "the same, with the beginning deleted as well",
    ({ owner }) => owner(changed, nulled, "delete from audit_epoch", "delete from audit_anchor"),
    { fault: "startMissing" },
  ],
  [
    "a made-up epoch that hides changed rows",
    ({ owner, head }) =>
      owner(changed, `insert into audit_epoch values (30, '${head.hash}', now(), 'made-up', null, 'made-up')`),
    { fault: "otherKey" },
  ],
  [
    "a made-up epoch before a genuine one",
    async ({ owner, database, chain }) => {
      await acceptAudit(database, chain, "a new key");
      await owner(changed, "insert into audit_epoch values (30, 'x', now(), 'made-up', null, 'made-up')");
    },
    { fault: "startMissing" },
  ],
  [
    "an anchor file with a forged line",
    async ({ file, chain, head }) =>
      appendFileSync(
        file,
        `${JSON.stringify({ ...createAnchor(deriveAuditKey("guess"), head, head.at), key: chain.key.id })}\n`,
      ),
    { fault: "anchorForged", broken: 101 },
  ],
];

describe("an audit log that the owner of the database has changed", () => {
  it.each(attacks)("is found: %s", async (_, attack, found) => {
    const env = await setup();
    await attack(env);
    expect(await verifyAudit(env.database, env.chain)).toMatchObject(found);
    // After a restart, with rows that came since.
    await env.asSystem(put(5));
    const again = openAuditChain(secret, env.folder);
    await sealAudit(env.database, again).catch(() => {});
    await anchorAudit(env.database, again).catch(() => {});
    expect((await verifyAudit(env.database, again)).fault).not.toBeNull();
  });

  it("is not sealed again over rows that an anchor knows", async () => {
    const { owner, seal, anchor } = await setup();
    await owner(changed, nulled);
    await expect(seal()).rejects.toMatchObject({ fault: "cut" });
    await expect(anchor()).rejects.toMatchObject({ fault: "cut" });
  });

  it("is found by a head from an email if every anchor of this machine is deleted", async () => {
    const { owner, database, chain, file, seal, anchor, head } = await setup();
    await owner(changed, nulled, "delete from audit_epoch", "delete from audit_anchor");
    rmSync(file);
    expect(await verifyAudit(database, chain, { heads: [head] })).toMatchObject({ fault: "altered" });
    await owner("update audit set seq = null, hash = null", "delete from audit_epoch");
    await seal();
    await anchor();
    // Nothing that is left on this machine knows better: the rows even were sealed in time.
    expect(await verifyAudit(database, chain)).toMatchObject({ fault: null, rows: 100 });
    expect(await verifyAudit(database, chain, { heads: [head] })).toMatchObject({ fault: "resealed", broken: 100 });
  });
});

describe("the sealer", () => {
  it("seals rows that waited while nothing ran, and verification reports how many", async () => {
    const { database, chain, asSystem, seal } = await setup();
    await asSystem(put(7, "now() - interval '1 hour'"));
    await asSystem(put(3));
    expect(await verifyAudit(database, chain)).toMatchObject({ rows: 100, fault: null, unsealed: { rows: 10 } });
    await seal();
    expect(await verifyAudit(database, chain)).toMatchObject({
      rows: 110,
      fault: null,
      unsealed: { rows: 0 },
      late: { rows: 7, first: 101, last: 107 },
    });
  });

  it("includes the time of a late seal in the seal", async () => {
    const { database, chain, asSystem, owner, seal } = await setup();
    await asSystem(put(1, "now() - interval '1 hour'"));
    await seal();
    await owner("update audit set late_at = null where seq = 101");
    expect(await verifyAudit(database, chain)).toMatchObject({ fault: "altered", broken: 101 });
  });

  it("lets only the owner of the database change a sealed row", async () => {
    const { asSystem } = await setup();
    await expect(asSystem(changed)).rejects.toMatchObject({ code: "23001" });
    await expect(asSystem("delete from audit where seq = 40")).rejects.toMatchObject({ code: "42501" });
  });

  it("stops under another SECRET_KEY until that is accepted, and reports which rows the earlier key sealed", async () => {
    const { database, folder, asSystem } = await setup();
    const other = openAuditChain("another secret", folder);
    await asSystem(put(2));
    await expect(sealAudit(database, other)).rejects.toMatchObject({ fault: "otherKey" });
    expect(await verifyAudit(database, other)).toMatchObject({ fault: "otherKey" });
    await acceptAudit(database, other, "a new key");
    await sealAudit(database, other);
    expect(await verifyAudit(database, other)).toMatchObject({
      fault: null,
      rows: 102,
      otherKey: 100,
      accepted: [{ rows: 100, reason: "a new key" }],
    });
  });
});

describe("a database that was restored from a backup", () => {
  it("is missing rows that an anchor knows, and continues when that is accepted", async () => {
    const { database, chain, owner, asSystem, seal, anchor, head } = await setup();
    await owner("delete from audit where seq > 60", "delete from audit_anchor");
    expect(await verifyAudit(database, chain)).toMatchObject({ fault: "cut", broken: 61, anchor: { rows: 100 } });
    await asSystem(put(5));
    await expect(seal()).rejects.toMatchObject({ fault: "cut" });
    await acceptAudit(database, chain, "backup of Monday");
    await seal();
    await anchor();
    expect(await verifyAudit(database, chain)).toMatchObject({
      fault: null,
      rows: 65,
      accepted: [{ rows: 60, reason: "backup of Monday" }],
    });
    expect(await verifyAudit(database, chain, { heads: [head] })).toMatchObject({ fault: "cut" });
  });
});

describe("an audit log of an earlier version", () => {
  it("can still be verified, and is protected where the keyed seals begin", async () => {
    const { database, chain, owner, asSystem, seal, anchor } = await setup();
    await owner("delete from audit_epoch", "delete from audit_anchor", "alter table audit drop constraint audit_keyed");
    rmSync(chain.file.path);
    await database.asSystem(async (db) => {
      await sql`set local role none`.execute(db);
      await sql`set local session_replication_role = replica`.execute(db);
      const { rows } = await sql<SealableRow & { seq: number }>`select * from audit order by seq`.execute(db);
      let before = "0".repeat(64);
      for (const row of rows) {
        before = computeUnkeyedSeal(before, row.seq, row);
        await sql`update audit set hash = ${before} where seq = ${row.seq}`.execute(db);
      }
    });
    expect(await verifyAudit(database, chain)).toMatchObject({ rows: 100, fault: null, compared: 0 });
    await asSystem(put(10));
    await seal();
    await anchor();
    expect(await verifyAudit(database, chain)).toMatchObject({ rows: 110, fault: null });
    await owner("update audit set hash = 'x' || substr(hash, 2) where seq = 100");
    expect(await verifyAudit(database, chain)).toMatchObject({ fault: "altered", broken: 100 });
  });

  it("cannot be continued by a program of that version", async () => {
    const { asSystem } = await setup();
    await asSystem(put(1));
    await expect(
      asSystem(`update audit set seq = 101, hash = '${"a".repeat(64)}' where seq is null`),
    ).rejects.toMatchObject({ code: "23514" });
  });
});

describe("the file of anchors", () => {
  it("keeps its newest lines when it has grown large, and survives a truncated line", async () => {
    const { folder } = await setup();
    const key = deriveAuditKey(secret);
    const file = new AnchorFile(folder, key);
    const line = (rows: number) =>
      `${JSON.stringify(createAnchor(key, { rows, hash: "h".repeat(43) }, "2026-01-01"))}\n`;
    writeFileSync(file.path, Array.from({ length: 4000 }, (_, at) => line(at + 1)).join(""));
    await file.append(createAnchor(key, { rows: 4001, hash: "h" }, "2026-01-02"));
    expect(await file.known()).toMatchObject({ anchors: { length: 1000 }, forged: 0 });
    appendFileSync(file.path, '{"rows":40');
    await file.append(createAnchor(key, { rows: 4002, hash: "h" }, "2026-01-03"));
    expect(await file.known()).toMatchObject({ forged: 0 });
    expect((await file.known()).anchors.at(-1)?.rows).toBe(4002);
  });

  it("does not block two processes that write the same head", async () => {
    const { folder, database, asSystem, seal, file } = await setup();
    const second = openAuditChain(secret, folder);
    await asSystem(put(1));
    await seal();
    await anchorAudit(database, second);
    await anchorAudit(database, openAuditChain(secret, folder));
    const copy = `${file}.copy`;
    copyFileSync(file, copy);
    expect(readFileSync(copy, "utf8").split("\n")).toHaveLength(3);
  });
});
