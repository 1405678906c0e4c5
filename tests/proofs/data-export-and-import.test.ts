import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveTables, tablesNotExported } from "../../apps/server/src/data-export/archive-tables.ts";
import {
  institutionReferenceColumns,
  personReferenceColumns,
} from "../../apps/server/src/data-export/archive-references.ts";
import type { Database } from "../../apps/server/src/platform/database/database.ts";
import { goodPassword, solveHumanCheck } from "@arcada/testing/fixtures/human-check";
import { createFixtures, type Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { setup, type TestServer, type TestSetup } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { flipBit, rewriteArchive, swapIdChanges } from "./support/archive-forgery.ts";
import { SecondInstance } from "./support/second-instance.ts";
import { importArchive, exportArchive, readManifest } from "./support/archive-transfer.ts";
import { dentistEmail, addClinicHistory, managerPhone } from "./support/clinic-history.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const folder = mkdtempSync(path.join(tmpdir(), "arcada-leaving-"));
const otherInstance = new SecondInstance();
afterAll(async () => {
  await otherInstance.remove();
  rmSync(folder, { recursive: true, force: true });
});

let clinicAndLab: TestSetup;
let fixtures: Fixtures;
let otherServer: TestServer;
let operator: AnyTestUser;
let archive: Buffer;
let relationId: string;

beforeAll(async () => {
  clinicAndLab = await setup({ clinic: { hidePatientNames: true } });
  fixtures = await createFixtures(clinicAndLab);
  await addClinicHistory(clinicAndLab, fixtures);
  relationId = (await clinicAndLab.clinic.call("relation.list", {}))[0].id;
  archive = await exportArchive(clinicAndLab.clinic);
  await otherInstance.start();
  ({ there: otherServer, operator } = otherInstance);
}, 180_000);

describe("an organisation's data export", () => {
  it("contains every table with tenant data in its archive, with its members, partners and files", async () => {
    const { rows } = await clinicAndLab.server.running.database.asSystem((db) =>
      sql<{
        table: string;
        column: string;
        target: string;
      }>`select c.conrelid::regclass::text as "table", a.attname as "column", c.confrelid::regclass::text as target
        from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.confrelid in ('institution'::regclass, 'users'::regclass)
        union select table_name, column_name, 'institution' from information_schema.columns
          where table_schema = 'public' and column_name = 'institution_id' and table_name not like '%\_living'
          and not (select relispartition from pg_class where oid = table_name::regclass)`.execute(db),
    );
    const known = new Map(archiveTables.map((table) => [table.name, table]));
    const forgotten = rows.filter(({ table, column, target }) => {
      if (tablesNotExported[table] !== undefined || table === "contact") return false;
      if (target === "institution")
        return (
          !known.has(table) || (column !== "institution_id" && !institutionReferenceColumns(table).includes(column))
        );
      return known.has(table) && !personReferenceColumns(table).includes(column);
    });
    expect(forgotten).toEqual([]);
    const named = await clinicAndLab.server.running.database.asSystem((db) =>
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
        !present(known.get(table)).files?.some((file) => file.column === column),
    );
    expect(unnamed).toEqual([]);
  });

  it("requires the password again, and is allowed to managers only", async () => {
    expect(refusalOf(await clinicAndLab.dentist.ask("leaving.export", { password: goodPassword }))).toBe("notAllowed");
    await clinicAndLab.server.running.database.asSystem((db) =>
      sql`update users set password_hash = '$argon2id$v=19$m=65536,t=3,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' where id = ${clinicAndLab.clinic.uid}`.execute(
        db,
      ),
    );
    const before = await clinicAndLab.clinic.call("leaving.exports", {});
    expect(refusalOf(await clinicAndLab.clinic.ask("leaving.export", {}))).toBe("badInput");
    expect(refusalOf(await clinicAndLab.clinic.ask("leaving.export", { password: "not-the-password" }))).toBe(
      "wrongPassword",
    );
    expect(await clinicAndLab.clinic.call("leaving.exports", {})).toEqual(before);
    await clinicAndLab.server.running.database.asSystem((db) =>
      sql`update users set password_hash = null where id = ${clinicAndLab.clinic.uid}`.execute(db),
    );
  });
});

describe("archives that are not what they should be", () => {
  const cases: Record<string, () => Promise<Uint8Array> | Uint8Array> = {
    "cut off": () => archive.subarray(0, archive.length - 2000),
    "cut off in the middle": () => archive.subarray(0, Math.floor(archive.length / 2)),
    "changed in a row": () =>
      rewriteArchive(archive, { "tables/patient.jsonl": (text) => text.replace("王小明", "王大明") }),
    "changed in a file": () => flipBit(archive),
    "with a file that it does not name": () => rewriteArchive(archive, {}, { "originals/readme": Buffer.from("x") }),
    "with a way out of its folder": () => rewriteArchive(archive, {}, { "tables/../../evil": Buffer.from("x") }),
    "of another version": () =>
      rewriteArchive(archive, { "manifest.json": (text) => text.replace('"version":1', '"version":2') }),
    "with rows of another organisation": () =>
      rewriteArchive(
        archive,
        { "tables/patient.jsonl": (text) => text.replaceAll(clinicAndLab.clinic.iid, clinicAndLab.lab.iid) },
        {},
        true,
      ),
    "with rows that point nowhere": () =>
      rewriteArchive(
        archive,
        { "tables/orders.jsonl": (text) => text.replaceAll(fixtures.patient.id, clinicAndLab.lab.iid) },
        {},
        true,
      ),
    "no archive at all": () => Buffer.from("hello".repeat(100)),
  };
  it.each(Object.keys(cases))("is refused when it is %s, and nothing of it stays", async (name) => {
    const before = await otherInstance.countEverything();
    const ended = await importArchive(otherInstance, await cases[name]());
    expect(ended.state).toBe("failed");
    expect(["importBroken", "importVersion", "zipPath", "zipBomb"]).toContain(ended.refusal);
    await operator.call("leaving.forgetArrival", { id: ended.id });
    expect(await otherInstance.countEverything()).toEqual(before);
  });
});

describe("an imported organisation", () => {
  it("has every row and every file as it had them", async () => {
    const ended = await importArchive(otherInstance, archive);
    expect(ended).toMatchObject({ state: "done", refusal: null });
    const { rows, files } = await compareInstances();
    console.info(
      `leaving: ${rows.compared} rows of ${rows.tables} tables and ${files.compared} files (${files.bytes} bytes) compared, ${rows.different.length} tables and ${files.different} files differ`,
    );
    expect(rows.different).toEqual([]);
    expect(rows.compared).toBeGreaterThan(40);
    expect(files.different).toBe(0);
    expect(files.compared).toBeGreaterThan(5);
    expect(await countSealedRows(otherServer.running.database, otherInstance.product.folder)).toBeNull();
  });

  it("knows every member by the address that they had, a telephone's number too", async () => {
    const members = await otherServer.running.database.asSystem((db) =>
      sql<{ user_id: string; value: string }>`select c.user_id, c.value from contact c
        join membership m on m.user_id = c.user_id where m.institution_id = ${clinicAndLab.clinic.iid}`.execute(db),
    );
    const known = Object.fromEntries(members.rows.map(({ user_id, value }) => [user_id, value]));
    expect(known).toEqual({ [clinicAndLab.clinic.uid]: managerPhone, [clinicAndLab.dentist.uid]: dentistEmail });
  });

  it("lets a member in by a code, who opens a patient and its image", async () => {
    const account = dentistEmail;
    const human = await solveHumanCheck((await otherServer.ask("account.humanChallenge", {})).data);
    await otherServer.ask("account.sendCode", { account, purpose: "reset", human });
    const code = otherInstance.product.findSentCode(account);
    const reset = { account, code, password: goodPassword, confirm: goodPassword };
    expect((await otherServer.ask("account.resetPassword", reset)).code).toBe(200);
    const { token } = (await otherServer.ask("account.login", { account, password: goodPassword })).data;
    const moved = (await otherServer.ask("institution.switch", { iid: clinicAndLab.clinic.iid }, { token })).data;
    const patient = await otherServer.ask("patient.detail", { id: fixtures.patient.id }, { token: moved.token });
    expect(patient.data).toMatchObject({ name: "王小明", number: fixtures.patient.number });
    const studies = (await otherServer.ask("study.list", { patientId: fixtures.patient.id }, { token: moved.token }))
      .data;
    const photo = present(studies.find(({ kind }) => kind !== "model"));
    const study = (await otherServer.ask("study.detail", { id: photo.id }, { token: moved.token })).data;
    const url = study.series[0]?.instances[0]?.picture?.url ?? "";
    const bytes = new Uint8Array(await (await fetch(`${otherInstance.product.address}${url}`)).arrayBuffer());
    expect(url).toContain(createHash("sha256").update(bytes).digest("hex"));
    const order = await otherServer.ask("order.detail", { id: fixtures.order.id }, { token: moved.token });
    expect(order.data).toMatchObject({ number: fixtures.order.number, messages: [{ text: "Bitte A2" }] });
    const made = await otherServer.ask(
      "patient.create",
      { name: "Nach dem Umzug", sex: "other", birthDate: "1990-01-01" },
      { token: moved.token },
    );
    expect(made.code).toBe(200);
  });

  it("is not imported twice, and its second archive has the same content", async () => {
    const before = await otherInstance.countEverything();
    const again = await importArchive(otherInstance, archive);
    expect(again).toMatchObject({ state: "failed", refusal: "importExists" });
    await operator.call("leaving.forgetArrival", { id: again.id });
    expect(await otherInstance.countEverything()).toEqual(before);
    const file = path.join(folder, "again.zip");
    const { number } = readManifest(await rewriteArchive(archive, {})).institution;
    await otherInstance.runCli("institution", "export", number, file);
    const [first, second] = [readManifest(archive), readManifest(readFileSync(file))];
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
    await expect(otherInstance.runCli("institution", "import", file)).rejects.toThrow(/already exists here/);
  });

  it("claims nothing of an organisation that lives there", async () => {
    const institution = await otherServer.createInstitution("lab", { name: "A lab that lives here" });
    await otherServer.createUser("factoryAdmin", institution);
    const lab = await exportArchive(clinicAndLab.lab);
    // The lab's archive, forged to make its partner an institution of that instance.
    const forged = await rewriteArchive(
      lab,
      swapIdChanges(clinicAndLab.clinic.iid, institution.id, Object.keys(readManifest(lab).tables), relationId),
      {},
      true,
    );
    const ended = await importArchive(otherInstance, forged);
    expect(ended.state).toBe("done");
    const seen = await otherServer.running.database.as(
      { system: false, iid: institution.id, uid: operator.uid },
      async (db) => ({
        orders: await db.selectFrom("orders").selectAll().execute(),
        files: await db.selectFrom("order_file").selectAll().execute(),
        relations: await db.selectFrom("relation").selectAll().execute(),
      }),
    );
    expect(seen.orders).toEqual([]);
    expect(seen.files).toEqual([]);
    expect(seen.relations.map(({ state, institution_id }) => [state, institution_id])).toEqual([
      ["requested", clinicAndLab.lab.iid],
    ]);
    expect(
      await otherServer.running.database.asSystem((db) =>
        db.selectFrom("institution").select(["name", "stub"]).where("id", "=", institution.id).executeTakeFirst(),
      ),
    ).toEqual({ name: "A lab that lives here", stub: false });
  });
});

async function compareInstances() {
  const iid = clinicAndLab.clinic.iid;
  const rows = { tables: 0, compared: 0, different: [] as string[] };
  const linesOf = async (database: Database, name: string) => {
    const table = present(archiveTables.find((one) => one.name === name));
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
      await linesOf(clinicAndLab.server.running.database, name),
      await linesOf(otherServer.running.database, name),
    ];
    rows.tables += 1;
    rows.compared += one.length;
    if (JSON.stringify(one) !== JSON.stringify(other)) rows.different.push(name);
  }
  const trail = readManifest(archive).tables["audit"].rows;
  const kept = await otherServer.running.database.asSystem((db) =>
    sql<{ n: number }>`select count(*)::int as n from imported_audit where institution_id = ${iid}`.execute(db),
  );
  if (kept.rows[0].n !== trail || trail < 5) rows.different.push("imported_audit");
  const files = { compared: 0, bytes: 0, different: 0 };
  for (const file of readManifest(archive).files)
    for (const owner of file.of) {
      const at = path.join(
        otherInstance.product.folder,
        "files",
        file.area,
        owner,
        file.sha256.slice(0, 2),
        file.sha256,
      );
      const bytes = readFileSync(at);
      files.compared += 1;
      files.bytes += bytes.length;
      if (createHash("sha256").update(bytes).digest("hex") !== path.basename(file.path)) files.different += 1;
    }
  return { rows, files };
}

const countSealedRows = async (database: Database, dataDir: string): Promise<number | null> => {
  const { openAuditChain: openChain } = await import("../../apps/server/src/platform/audit/audit-chain.ts");
  const { sealAudit } = await import("../../apps/server/src/platform/audit/audit-seal.ts");
  const { verifyAudit } = await import("../../apps/server/src/platform/audit/audit-verify.ts");
  const chain = openChain(readFileSync(path.join(dataDir, "secret.key"), "utf8").trim(), dataDir);
  while ((await sealAudit(database, chain)) > 0);
  return (await verifyAudit(database, chain)).broken;
};
