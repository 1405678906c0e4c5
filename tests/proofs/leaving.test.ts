import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveTables, leftOut } from "../../apps/server/src/leaving/archive-tables.ts";
import { namesHouses, namesPeople } from "../../apps/server/src/leaving/archive-named.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { goodPassword, solved } from "../human.ts";
import { planted } from "../planted.ts";
import type { Planted } from "../planted.ts";
import { world } from "../world.ts";
import type { Person, TestServer, World } from "../world.ts";
import { flipped, remade, swapping } from "./archives.ts";
import { Elsewhere, exported, manifestOf } from "./elsewhere.ts";
import { address, liveSomeWeeks, telephone } from "./weeks.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-leaving-"));
const elsewhere = new Elsewhere();
afterAll(async () => {
  await elsewhere.remove();
  rmSync(folder, { recursive: true, force: true });
});

let home: World;
let things: Planted;
let there: TestServer;
let operator: Person;
let archive: Buffer;
let relationId: string;

beforeAll(async () => {
  home = await world({ clinic: { hidePatientNames: true } });
  things = await planted(home);
  await liveSomeWeeks(home, things);
  relationId = (await home.clinic.gets("relation.list", {}))[0]!.id;
  archive = await exported(home.clinic);
  await elsewhere.start();
  ({ there, operator } = elsewhere);
}, 180_000);

describe("an organisation that leaves", () => {
  it("names in its archive every table that has organisations in it, with its people, partners and files", async () => {
    const { rows } = await home.server.running.database.asSystem((db) =>
      sql<{
        table: string;
        column: string;
        target: string;
      }>`select c.conrelid::regclass::text as "table", a.attname as "column", c.confrelid::regclass::text as target
        from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.confrelid in ('institution'::regclass, 'users'::regclass)
        union select table_name, column_name, 'institution' from information_schema.columns
          where table_schema = 'public' and column_name = 'institution_id' and table_name not like '%\_living'`.execute(
        db,
      ),
    );
    const known = new Map(archiveTables.map((table) => [table.name, table]));
    const forgotten = rows.filter(({ table, column, target }) => {
      if (leftOut[table] !== undefined || table === "contact") return false;
      if (target === "institution")
        return !known.has(table) || (column !== "institution_id" && !namesHouses(table).includes(column));
      return known.has(table) && !namesPeople(table).includes(column);
    });
    expect(forgotten).toEqual([]);
    const named = await home.server.running.database.asSystem((db) =>
      sql<{
        table: string;
        column: string;
      }>`select table_name as "table", column_name as "column" from information_schema.columns
        where table_schema = 'public' and (column_name in ('sha256', 'thumbnail') or column_name like 'logo%')`.execute(
        db,
      ),
    );
    const unnamed = named.rows.filter(
      ({ table, column }) =>
        // The hash of the signed content, not a file.
        `${table}.${column}` !== "report.sha256" &&
        known.has(table) &&
        !known.get(table)!.files?.some((file) => file.column === column),
    );
    expect(unnamed).toEqual([]);
  });

  it("is asked for the password again, and only its managers may", async () => {
    expect((await home.dentist.asks("leaving.export", { password: goodPassword })).status).toBe(403);
    await home.server.running.database.asSystem((db) =>
      sql`update users set password_hash = '$argon2id$v=19$m=65536,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' where id = ${home.clinic.uid}`.execute(
        db,
      ),
    );
    const before = await home.clinic.gets("leaving.exports", {});
    expect((await home.clinic.asks("leaving.export", {})).status).toBe(400);
    expect((await home.clinic.asks("leaving.export", { password: "not-the-password" })).status).toBe(401);
    expect(await home.clinic.gets("leaving.exports", {})).toEqual(before);
    await home.server.running.database.asSystem((db) =>
      sql`update users set password_hash = null where id = ${home.clinic.uid}`.execute(db),
    );
  });
});

describe("archives that are not what they should be", () => {
  const cases: Record<string, () => Promise<Uint8Array> | Uint8Array> = {
    "cut off": () => archive.subarray(0, archive.length - 2000),
    "cut off in the middle": () => archive.subarray(0, Math.floor(archive.length / 2)),
    "changed in a row": () => remade(archive, { "tables/patient.jsonl": (text) => text.replace("王小明", "王大明") }),
    "changed in a file": () => flipped(archive),
    "with a file that it does not name": () => remade(archive, {}, { "originals/readme": Buffer.from("x") }),
    "with a way out of its folder": () => remade(archive, {}, { "tables/../../evil": Buffer.from("x") }),
    "of another version": () =>
      remade(archive, { "manifest.json": (text) => text.replace('"version":1', '"version":2') }),
    "with rows of another organisation": () =>
      remade(archive, { "tables/patient.jsonl": (text) => text.replaceAll(home.clinic.iid!, home.lab.iid!) }, {}, true),
    "with rows that point nowhere": () =>
      remade(archive, { "tables/orders.jsonl": (text) => text.replaceAll(things.patient.id, home.lab.iid!) }, {}, true),
    "no archive at all": () => Buffer.from("hello".repeat(100)),
  };
  it.each(Object.keys(cases))("is refused when it is %s, and nothing of it stays", async (name) => {
    const before = await elsewhere.everything();
    const ended = await elsewhere.bringIn(await cases[name]!());
    expect(ended.state).toBe("failed");
    expect(["importBroken", "importVersion", "zipPath", "zipBomb"]).toContain(ended.refusal);
    await operator.gets("leaving.forgetArrival", { id: ended.id });
    expect(await elsewhere.everything()).toEqual(before);
  });
});

describe("an organisation that arrives", () => {
  it("has every row and every file as it had them", async () => {
    const ended = await elsewhere.bringIn(archive);
    expect(ended).toMatchObject({ state: "done", refusal: null });
    const { rows, files } = await compared();
    console.info(
      `leaving: ${rows.compared} rows of ${rows.tables} tables and ${files.compared} files (${files.bytes} bytes) compared, ${rows.different.length} tables and ${files.different} files differ`,
    );
    expect(rows.different).toEqual([]);
    expect(rows.compared).toBeGreaterThan(40);
    expect(files.different).toBe(0);
    expect(files.compared).toBeGreaterThan(5);
    expect(await seals(there.running.database, elsewhere.product.folder)).toBeNull();
  });

  it("knows every member by the address that they had, a telephone's number too", async () => {
    const members = await there.running.database.asSystem((db) =>
      sql<{ user_id: string; value: string }>`select c.user_id, c.value from contact c
        join membership m on m.user_id = c.user_id where m.institution_id = ${home.clinic.iid}`.execute(db),
    );
    const known = Object.fromEntries(members.rows.map(({ user_id, value }) => [user_id, value]));
    expect(known).toEqual({ [home.clinic.uid]: telephone, [home.dentist.uid]: address });
  });

  it("lets a member in by a code, who opens a patient and its image", async () => {
    const account = address;
    const human = await solved((await there.ask("account.humanChallenge", {})).data);
    await there.ask("account.sendCode", { account, purpose: "reset", human });
    const code = elsewhere.product.codeFor(account);
    const reset = { account, code, password: goodPassword, confirm: goodPassword };
    expect((await there.ask("account.resetPassword", reset)).code).toBe(200);
    const { token } = (await there.ask("account.login", { account, password: goodPassword })).data;
    const moved = (await there.ask("institution.switch", { iid: home.clinic.iid }, { token })).data;
    const patient = await there.ask("patient.detail", { id: things.patient.id }, { token: moved.token });
    expect(patient.data).toMatchObject({ name: "王小明", number: things.patient.number });
    const studies = (await there.ask("study.list", { patientId: things.patient.id }, { token: moved.token })).data;
    const photo = studies.find(({ kind }) => kind !== "model")!;
    const study = (await there.ask("study.detail", { id: photo.id }, { token: moved.token })).data;
    const url = study.series[0]?.instances[0]?.picture?.url ?? "";
    const bytes = new Uint8Array(await (await fetch(`${elsewhere.product.address}${url}`)).arrayBuffer());
    expect(url).toContain(createHash("sha256").update(bytes).digest("hex"));
    const order = await there.ask("order.detail", { id: things.order.id }, { token: moved.token });
    expect(order.data).toMatchObject({ number: things.order.number, messages: [{ text: "Bitte A2" }] });
    const made = await there.ask(
      "patient.create",
      { name: "Nach dem Umzug", sex: "other", birthDate: "1990-01-01" },
      { token: moved.token },
    );
    expect(made.code).toBe(200);
  });

  it("is not taken in twice, and its second archive tells the same", async () => {
    const before = await elsewhere.everything();
    const again = await elsewhere.bringIn(archive);
    expect(again).toMatchObject({ state: "failed", refusal: "importExists" });
    await operator.gets("leaving.forgetArrival", { id: again.id });
    expect(await elsewhere.everything()).toEqual(before);
    const file = path.join(folder, "again.zip");
    const { number } = manifestOf(await remade(archive, {})).institution;
    await elsewhere.cli("institution", "export", number, file);
    const [first, second] = [manifestOf(archive), manifestOf(readFileSync(file))];
    expect(second.files.map(({ path: at }) => at)).toEqual(first.files.map(({ path: at }) => at));
    for (const name of [
      "series",
      "instance",
      "orders",
      "order_event",
      "order_message",
      "order_file",
      "relation",
      "membership",
      "study_marks",
    ])
      expect(second.tables[name]?.sha256, name).toBe(first.tables[name]?.sha256);
    await expect(elsewhere.cli("institution", "import", file)).rejects.toThrow(/already exists here/);
  });

  it("claims nothing of an organisation that lives there", async () => {
    const house = await there.institution("lab", { name: "A lab that lives here" });
    await there.person("factoryAdmin", house);
    const lab = await exported(home.lab);
    // The lab's archive, forged to make its partner an institution of that instance.
    const forged = await remade(
      lab,
      swapping(home.clinic.iid!, house.id, Object.keys(manifestOf(lab).tables), relationId),
      {},
      true,
    );
    const ended = await elsewhere.bringIn(forged);
    expect(ended.state).toBe("done");
    const seen = await there.running.database.as({ system: false, iid: house.id, uid: operator.uid }, async (db) => ({
      orders: await db.selectFrom("orders").selectAll().execute(),
      files: await db.selectFrom("order_file").selectAll().execute(),
      relations: await db.selectFrom("relation").selectAll().execute(),
    }));
    expect(seen.orders).toEqual([]);
    expect(seen.files).toEqual([]);
    expect(seen.relations.map(({ state, institution_id }) => [state, institution_id])).toEqual([
      ["requested", home.lab.iid],
    ]);
    expect(
      await there.running.database.asSystem((db) =>
        db.selectFrom("institution").select(["name", "stub"]).where("id", "=", house.id).executeTakeFirst(),
      ),
    ).toEqual({ name: "A lab that lives here", stub: false });
  });
});

async function compared() {
  const iid = home.clinic.iid!;
  const rows = { tables: 0, compared: 0, different: [] as string[] };
  const linesOf = async (database: Database, name: string) => {
    const table = archiveTables.find((one) => one.name === name)!;
    const found = await database.asSystem((db) =>
      sql<{
        line: string;
      }>`select (to_jsonb(t) - ${`{${(table.without ?? []).join(",")}}`}::text[])::text as line from ${sql.table(name)} t
        where ${table.rows(sql`${sql.lit(iid)}::uuid`)} order by 1`.execute(db),
    );
    return found.rows.map(({ line }) => line);
  };
  for (const { name } of archiveTables.filter((table) => !["audit", "imported_audit", "notice"].includes(table.name))) {
    const [one, other] = [
      await linesOf(home.server.running.database, name),
      await linesOf(there.running.database, name),
    ];
    rows.tables += 1;
    rows.compared += one.length;
    if (JSON.stringify(one) !== JSON.stringify(other)) rows.different.push(name);
  }
  const trail = manifestOf(archive).tables["audit"]!.rows;
  const kept = await there.running.database.asSystem((db) =>
    sql<{ n: number }>`select count(*)::int as n from imported_audit where institution_id = ${iid}`.execute(db),
  );
  if (kept.rows[0]!.n !== trail || trail < 5) rows.different.push("imported_audit");
  const files = { compared: 0, bytes: 0, different: 0 };
  for (const file of manifestOf(archive).files)
    for (const owner of file.of) {
      const at = path.join(elsewhere.product.folder, "files", file.area, owner, file.sha256.slice(0, 2), file.sha256);
      const bytes = readFileSync(at);
      files.compared += 1;
      files.bytes += bytes.length;
      if (createHash("sha256").update(bytes).digest("hex") !== path.basename(file.path)) files.different += 1;
    }
  return { rows, files };
}

const seals = async (database: Database, dataDir: string): Promise<number | null> => {
  const { openChain } = await import("../../apps/server/src/platform/audit/audit-chain.ts");
  const { sealAudit } = await import("../../apps/server/src/platform/audit/audit-seal.ts");
  const { verifyAudit } = await import("../../apps/server/src/platform/audit/audit-verify.ts");
  const chain = openChain(readFileSync(path.join(dataDir, "secret.key"), "utf8").trim(), dataDir);
  while ((await sealAudit(database, chain)) > 0);
  return (await verifyAudit(database, chain)).broken;
};
