import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roles } from "@arcada/contract/kernel/roles";
import { newId } from "../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { createFixtures } from "@arcada/testing/fixtures/patient-with-orders";
import type { Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestServer, TestSetup } from "@arcada/testing/setup/test-server";
import { forgeArchive, rewriteArchive, replaceIds } from "./support/archive-forgery.ts";
import type { TableRow } from "./support/archive-forgery.ts";
import { SecondInstance } from "./support/second-instance.ts";
import { importArchive, exportArchive, readManifest } from "./support/archive-transfer.ts";
import { addClinicHistory } from "./support/clinic-history.ts";

const otherInstance = new SecondInstance();
const folder = mkdtempSync(path.join(tmpdir(), "arcada-hostile-"));
let clinicAndLab: TestSetup;
let fixtures: Fixtures;
let archive: Buffer;
let otherServer: TestServer;
/** The resident has an account on that server, and a patient, before the import. */
let resident: TestUser;
let residentPatient: string;
beforeAll(async () => {
  clinicAndLab = await setup();
  fixtures = await createFixtures(clinicAndLab);
  await addClinicHistory(clinicAndLab, fixtures);
  archive = await exportArchive(clinicAndLab.clinic);
  await otherInstance.start();
  ({ there: otherServer } = otherInstance);
  resident = await otherServer.createUser(
    "clinicAdmin",
    await otherServer.createInstitution("clinic", { name: "A clinic that lives here" }),
  );
  residentPatient = (
    await resident.call("patient.create", { name: "Lives here", sex: "female", birthDate: "1990-01-01" })
  ).id;
}, 180_000);
afterAll(async () => {
  await otherInstance.remove();
  rmSync(folder, { recursive: true, force: true });
});

const changeFirstRow = (change: (row: TableRow) => TableRow) => (rows: TableRow[]) =>
  rows.map((row, at) => (at === 0 ? change(row) : row));
const changeEveryRow = (change: TableRow) => (rows: TableRow[]) => rows.map((row) => ({ ...row, ...change }));
const encodeRows = (rows: TableRow[]) => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
/**
 * Expects that nothing of a rejected archive remains, whether it is imported by the operator's page or by the command
 * line.
 */
async function importRefusal(bytes: Uint8Array): Promise<string> {
  const before = await otherInstance.countEverything();
  const ended = await importArchive(otherInstance, bytes);
  await otherInstance.operator.call("leaving.forgetArrival", { id: ended.id });
  expect(await otherInstance.countEverything()).toEqual(before);
  return ended.state === "failed" ? String(ended.refusal) : ended.state;
}

describe("T-29: an archive that claims what its organisation may not have", () => {
  const claims: Record<string, (archive: Buffer, iid: string) => Promise<Buffer>> = {
    "the operator's role for a member": (archive) =>
      forgeArchive(archive, {
        membership: changeFirstRow((row) => ({ ...row, authority_id: roles.operator.authorityId })),
      }),
    "an after-sales role for a member": (archive) =>
      forgeArchive(archive, {
        membership: changeFirstRow((row) => ({ ...row, authority_id: roles.afterSalesAdmin.authorityId })),
      }),
    "a laboratory's role in a clinic": (archive) =>
      forgeArchive(archive, {
        membership: changeFirstRow((row) => ({ ...row, authority_id: roles.factoryAdmin.authorityId })),
      }),
    "an invitation to become operator": (archive, iid) =>
      forgeArchive(archive, {
        admission: () => [
          {
            institution_id: iid,
            id: newId(),
            kind: "invitation",
            state: "not_reviewed",
            email: "thief@evil.test",
            name: "",
            authority_id: roles.operator.authorityId,
            secret_hash: "a".repeat(64),
            inviter_id: clinicAndLab.clinic.uid,
            created_at: "2026-01-01T00:00:00Z",
            sent_at: "2026-01-01T00:00:00Z",
            sent: 1,
            expires_at: "2099-01-01T00:00:00Z",
            version: 0,
          },
        ],
      }),
    "a membership of the whole platform": (archive) =>
      forgeArchive(archive, { membership: changeFirstRow((row) => ({ ...row, institution_id: null })) }),
    "a membership of somebody else's organisation": (archive) =>
      forgeArchive(archive, { membership: changeFirstRow((row) => ({ ...row, institution_id: resident.iid })) }),
    "a patient of somebody else's": (archive) =>
      forgeArchive(archive, { patient: changeEveryRow({ institution_id: resident.iid }) }),
    "a study of somebody else's patient": (archive) =>
      forgeArchive(archive, { study: changeEveryRow({ patient_id: residentPatient }) }),
    "two institutions": (archive) =>
      forgeArchive(archive, { institution: (rows) => [...rows, { ...rows[0], id: resident.iid }] }),
    "to be an organisation that lives there": (archive) =>
      forgeArchive(archive, { institution: changeEveryRow({ id: resident.iid }) }, (manifest) => {
        manifest.institution.id = resident.iid;
      }),
    "a table that no archive has": async (archive) =>
      rewriteArchive(
        await forgeArchive(archive, {}, (manifest) => {
          manifest.tables["session"] = { rows: 0, bytes: 0, sha256: "0".repeat(64), columns: ["id"] };
        }).catch(() => archive),
        {},
        { "tables/session.jsonl": encodeRows([{ id: newId() }]) },
      ),
    "a column twice": (archive) =>
      forgeArchive(archive, {}, (manifest) => void manifest.tables["patient"].columns.push("name")),
    "a column that no table has": (archive) =>
      forgeArchive(archive, {}, (manifest) => void manifest.tables["patient"].columns.push("is_operator")),
    "a column in the words of the database": (archive) =>
      forgeArchive(archive, {}, (manifest) => void manifest.tables["patient"].columns.push('name") select 1; --')),
    "a column of the database itself": (archive) =>
      forgeArchive(archive, {}, (manifest) => void manifest.tables["patient"].columns.push("xmin")),
    "a column that archives leave out": (archive) =>
      forgeArchive(
        archive,
        { order_event: (rows) => rows.map((row, at) => ({ ...row, seq: 1 + at })) },
        (manifest) => void manifest.tables["order_event"].columns.push("seq"),
      ),
    "to be a stub": (archive) =>
      forgeArchive(
        archive,
        { institution: changeEveryRow({ stub: true }) },
        (manifest) => void manifest.tables["institution"].columns.push("stub"),
      ),
    "fewer rows than it has": (archive) =>
      rewriteArchive(archive, { "manifest.json": (text) => text.replace(/("patient":\{"rows":)\d+/, "$11") }),
    "a file under another's name": (archive) =>
      forgeArchive(archive, {}, (manifest) => {
        manifest.files[0] = { ...manifest.files[0], sha256: "b".repeat(64) };
      }),
    "a file outside the store": (archive) =>
      forgeArchive(archive, {}, (manifest) => {
        manifest.files[0] = { ...manifest.files[0], path: "originals/../../secret.key" };
      }),
    "a value of the wrong kind": (archive) =>
      forgeArchive(archive, { patient: changeEveryRow({ birth_date: "not a day" }) }),
    "a number without end": (archive) =>
      forgeArchive(archive, { patient_counter: changeEveryRow({ last: "9".repeat(40) }) }),
    "a letter that no database holds": (archive) =>
      forgeArchive(archive, { patient: changeEveryRow({ remark: "a\u0000b" }) }),
    "half a letter": (archive) => forgeArchive(archive, { patient: changeEveryRow({ remark: "\ud800" }) }),
    "rows that are lists": async (archive) =>
      rewriteArchive(archive, { "tables/patient.jsonl": () => "[]\n".repeat(3) }, {}, true),
  };
  it.each(Object.keys(claims))("%s is refused by name, and nothing of it stays", async (name) => {
    const iid = newId();
    const refusal = await importRefusal(await claims[name](await renameInstitution(iid), iid));
    const known = ["importBroken", "importVersion", "zipPath"];
    expect(name === "to be an organisation that lives there" ? ["importExists", "importBroken"] : known).toContain(
      refusal,
    );
  });

  it("more bytes than it is long is a bomb", async () => {
    expect(await importRefusal(await createZipBomb())).toBe("zipBomb");
  });
  it("the same entry twice is refused", async () => {
    expect(
      await importRefusal(await rewriteArchive(archive, {}, { "tables/patient.jsonl": Buffer.from("{}\n") })),
    ).toMatch(/^(importBroken|zipBomb)$/);
  });
  it.each(["tables/../../../evil", "..\\..\\evil", "originals/link"])("an entry called %s is refused", async (name) => {
    expect(await importRefusal(await rewriteArchive(archive, {}, { [name]: Buffer.from("x") }))).toMatch(
      /^(importBroken|zipPath)$/,
    );
  });
  it("is refused from the command line as well, in words", async () => {
    const before = await otherInstance.countEverything();
    const file = path.join(folder, "hostile.zip");
    writeFileSync(file, await claims["the operator's role for a member"](await renameInstitution(newId()), ""));
    await expect(otherInstance.runCli("institution", "import", file)).rejects.toMatchObject({
      stderr: expect.stringMatching(/archive/i) as string,
    });
    expect(await otherInstance.countEverything()).toEqual(before);
  });
});

describe("T-29: an archive that is imported nevertheless", () => {
  it("does not change accounts that are in use, whoever it claims its members are", async () => {
    const account = await otherServer.running.database.asSystem((db) =>
      db.selectFrom("contact").select("value").where("user_id", "=", resident.uid).executeTakeFirstOrThrow(),
    );
    const [iid, thief] = [newId(), newId()];
    const bytes = await forgeArchive(
      await renameInstitution(iid),
      {
        // One with a resident's identifier and an address of the thief's; one with a resident's address.
        users: (rows) => [
          ...rows,
          { ...rows[0], id: resident.uid, user_name: "Thief", nick_name: "Thief" },
          { ...rows[0], id: thief, user_name: "Thief", nick_name: "Thief" },
        ],
        contact: (rows) => [
          ...rows,
          { ...rows[0], user_id: resident.uid, kind: "email", value: "thief@evil.test" },
          { ...rows[0], user_id: thief, kind: "email", value: account.value },
        ],
        notice: () =>
          ["javascript:alert(1)", "//evil.example", "/\\evil.example", "/leaving"].map((link) => ({
            institution_id: iid,
            id: newId(),
            user_id: clinicAndLab.clinic.uid,
            kind: "orderMoved",
            params: {},
            link,
            seen_at: null,
            created_at: "2026-01-01T00:00:00Z",
          })),
        orders: changeFirstRow((row) => ({ ...row, number: "209912-999999999" })),
      },
      (manifest) => {
        manifest.tables["notice"].columns = [
          "institution_id",
          "id",
          "user_id",
          "kind",
          "params",
          "link",
          "seen_at",
          "created_at",
        ];
      },
    );
    const state = await countAccounts();
    expect(await importArchive(otherInstance, bytes)).toMatchObject({ state: "done", refusal: null });
    expect(await countAccounts()).toEqual(state);
    const links = await otherServer.running.database.asSystem((db) =>
      sql<{ link: string | null }>`select link from notice where institution_id = ${iid} order by link`.execute(db),
    );
    expect(links.rows.map(({ link }) => link)).toEqual(["/leaving", null, null, null]);
    // Other institutions continue their own numbering.
    const order = await resident.ask("order.save", {
      patientId: residentPatient,
      caseType: "restoration",
      items: [],
      workKinds: ["design"],
      targetIid: null,
      dueDate: "2030-01-01",
      noDigitalFiles: true,
    });
    expect(order.code).toBe(200);
    expect((await resident.ask("patient.list", {})).data.list.map(({ id }) => id)).toEqual([residentPatient]);
  });

  it("is imported completely or not at all if the server is killed during the import", async () => {
    const rounds = process.env["ARCADA_PROOF"] === "full" ? 20 : 3;
    let [whole, none] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      const iid = newId();
      const file = path.join(folder, `${round}.zip`);
      writeFileSync(file, await renameInstitution(iid));
      const child = otherInstance.runCli("institution", "import", file);
      const ended = child.then(
        () => true,
        () => false,
      );
      await new Promise((resolve) => setTimeout(resolve, 900 + round * (3000 / rounds)));
      child.child.kill("SIGKILL");
      await ended;
      const counts = await otherServer.running.database.asSystem(async (db) => [
        (await sql<{ n: number }>`select count(*)::int as n from institution where id = ${iid}`.execute(db)).rows[0].n,
        (await sql<{ n: number }>`select count(*)::int as n from patient where institution_id = ${iid}`.execute(db))
          .rows[0].n,
      ]);
      if (counts[0] === 0 && counts[1] === 0) none += 1;
      if (counts[0] === 1 && counts[1] === readManifest(archive).tables["patient"].rows) whole += 1;
      // Files that an interrupted import left behind do not prevent the next one.
      if (counts[0] === 0)
        expect(await importArchive(otherInstance, await renameInstitution(iid))).toMatchObject({ state: "done" });
    }
    console.info(`T-29: ${rounds} imports killed, ${none} left nothing, ${whole} were there wholly`);
    expect(none + whole).toBe(rounds);
  }, 300_000);
});

/** The clinic under another identifier; its people stay who they are. */
const renameInstitution = (iid: string): Promise<Buffer> =>
  replaceIds(
    archive,
    new Map([[clinicAndLab.clinic.iid, iid]]),
    new Set([clinicAndLab.clinic.uid, clinicAndLab.dentist.uid]),
  );

/** Accounts that are in use, with all by which they are entered. */
const countAccounts = () =>
  otherServer.running.database.asSystem(
    async (db) =>
      (
        await sql`select u.id, u.user_name, u.nick_name, u.password_hash, (select jsonb_agg(c.value order by c.value) from contact c where c.user_id = u.id) as contacts,
        (select jsonb_agg(m.authority_id) from membership m where m.user_id = u.id and (m.institution_id is null or m.institution_id = ${resident.iid})) as works
        from users u where u.id in (${resident.uid}, ${otherInstance.operator.uid}) order by u.id`.execute(db)
      ).rows,
  );

/** An entry of which little is packed and much comes out: half a gigabyte of blanks. */
const createZipBomb = (): Promise<Buffer> =>
  rewriteArchive(archive, {}, { "tables/blanks.jsonl": Buffer.alloc(500_000_000, 0x20) }, false, true);
