import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { calls } from "@arcada/contract/calls";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import type { CallName } from "@arcada/testing/setup/test-server";
import { audit } from "../platform/audit/audit.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { jobs } from "../platform/runtime/services.ts";
import { defineQueue } from "../platform/jobs/jobs.ts";
import { present } from "@arcada/testing/require-present";
import { readSheetXml } from "@arcada/testing/tools/read-spreadsheet";
import { refusalOf } from "@arcada/testing/refusal-of";
import { scaleToIdleMachine } from "@arcada/testing/tools/idle-machine-time";

const testQueue = defineQueue<{ name: string }>("console.test");

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  await expect.poll(holds, { timeout: 10_000 }).toBe(true);
};

describe("the console of an operator", () => {
  it("is refused for all other users", async () => {
    const { clinic, dentist, lab, server: env } = await setup();
    for (const person of [
      clinic,
      dentist,
      lab,
      await env.createUser("afterSalesAdmin"),
      await env.createUser("newUser"),
    ])
      for (const name of Object.keys(calls.operator) as (keyof typeof calls.operator)[]) {
        const answer = await person.ask(`operator.${name}` as CallName, {});
        expect(refusalOf(answer), `${person.role} ${name}`).toBe("notAllowed");
      }
  });

  it("counts what exists, and shows the size of an organisation but none of its content", async () => {
    const { clinic, server: env } = await setup();
    const operator = await env.createUser("operator");
    const before = await operator.call("operator.overview", {});
    await createPatient(clinic);
    await env.createInstitution("lab");
    const after = await operator.call("operator.overview", {});
    expect(after.organisations.lab).toBe(before.organisations.lab + 1);
    expect(after.lights.find(({ name }) => name === "database")?.state).toBe("good");
    const own = await clinic.call("institution.detail", {});
    const { list, total } = await operator.call("operator.organisations", { search: own.number });
    expect({ list, total }).toMatchObject({
      total: 1,
      list: [{ id: clinic.iid, type: "clinic", members: 2, usedBytes: 0 }],
    });
    const detail = await operator.call("operator.organisation", { id: clinic.iid });
    expect(detail.roles).toEqual([
      { authorityId: 222, count: 1 },
      { authorityId: 233, count: 1 },
    ]);
    expect(JSON.stringify([list, detail])).not.toMatch(/王小明/);
  });

  it("shows how organisations, active people and stored data grow", async () => {
    const env = await getTestServer();
    const operator = await env.createUser("operator");
    const to = new Date().toISOString().slice(0, 10);
    const period = { from: new Date(Date.now() - 89 * 86_400_000).toISOString().slice(0, 10), to };
    const before = await operator.call("operator.growth", period);
    const lab = await env.createInstitution("lab");
    await env.createUser("factoryAdmin", lab);
    await env.running.database.asSystem(async (db) => {
      await db
        .insertInto("stored_file")
        .values({ institution_id: lab.id, sha256: "b".repeat(64), bytes: 5000 })
        .execute();
      // An organisation of the period before counts in all of this one.
      await sql`update institution set created_at = now() - interval '120 days' where id = ${lab.id}`.execute(db);
    });
    const after = await operator.call("operator.growth", period);
    const [first, last] = [after.now.buckets[0], present(after.now.buckets.at(-1))];
    const [formerFirst, formerLast] = [before.now.buckets[0], present(before.now.buckets.at(-1))];
    expect(first.labs).toBe(formerFirst.labs + 1);
    expect([last.labs, last.people, last.stored]).toEqual([
      formerLast.labs + 1,
      formerLast.people + 1,
      formerLast.stored + 5000,
    ]);
    expect(after.now.people).toBe(before.now.people + 1);
    const { url } = await operator.call("operator.exportGrowth", period);
    const sheet = await readSheetXml(await fetch(`${env.address}${url}`));
    // A line of titles, then the weeks of both periods.
    expect(sheet.match(/<row>/g)).toHaveLength(1 + after.now.buckets.length + after.before.buckets.length);
    expect(sheet).toContain(`<c><v>${last.labs}</v></c><c><v>${last.people}</v></c>`);
    const moved = url.replace(encodeURIComponent(period.from), "2000-01-01");
    expect((await fetch(`${env.address}${moved}`)).status).not.toBe(200);
    expect([after.before.buckets[0].labs, present(after.before.buckets.at(-1)).labs]).toEqual([
      before.before.buckets[0].labs,
      present(before.before.buckets.at(-1)).labs + 1,
    ]);
  });

  it("lists every organisation once, page by page", async () => {
    const env = await getTestServer();
    const operator = await env.createUser("operator");
    for (const name of ["Bee", "ant", "Bee", "Cat"])
      await env.createInstitution("lab", { name: `${name} of the console` });
    const names: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await operator.call("operator.organisations", {
        search: "of the console",
        pageSize: 1,
        ...(cursor && { cursor }),
      });
      names.push(...page.list.map(({ name }) => name.split(" ")[0]));
      if (!page.next) break;
      cursor = page.next;
    }
    expect(names).toEqual(["ant", "Bee", "Bee", "Cat"]);
  });
});

describe("a member of the service's staff", () => {
  it("is appointed by account, is notified, and has the role in existing sessions within a second", async () => {
    const env = await getTestServer();
    const operator = await env.createUser("operator");
    const person = await env.createUser("newUser");
    const account = `${person.uid}@example.test`;
    expect(
      refusalOf(await operator.ask("operator.appoint", { account: "nobody@example.test", role: "afterSalesMember" })),
    ).toBe("staffUnknown");
    const made = await operator.call("operator.appoint", { account, role: "afterSalesMember" });
    expect(refusalOf(await operator.ask("operator.appoint", { account, role: "afterSalesAdmin" }))).toBe(
      "staffAlready",
    );
    expect((await person.call("notice.query", {})).info["2"].first?.kind).toBe("serviceGiven");
    person.token = (await person.call("account.changeRole", { authorityId: 701, uuid: person.uid })).token;
    await person.call("feedback.list", {});
    const changed = await operator.call("operator.changeStaff", {
      id: made.id,
      role: "afterSalesAdmin",
      version: made.version,
    });
    await until(async () => (await person.call("account.getUserInfo", {})).authorityId === 700);
    expect(refusalOf(await operator.ask("operator.dismiss", { id: made.id, version: made.version }))).toBe(
      "staffChanged",
    );
    await operator.call("operator.dismiss", { id: made.id, version: changed.version });
    const dismissedAt = Date.now();
    await until(async () => (await person.ask("feedback.list", {})).code !== 200);
    expect(scaleToIdleMachine(Date.now() - dismissedAt)).toBeLessThan(1500);
    expect((await operator.call("operator.staff", {})).some(({ userId }) => userId === person.uid)).toBe(false);
    // The platform's operators remain, even if after-sales has nobody left.
    for (const { id, version } of await operator.call("operator.staff", {}))
      await operator.call("operator.dismiss", { id, version });
    expect(await operator.call("operator.staff", {})).toEqual([]);
  });

  it("cannot be dismissed while a work order is assigned to them", async () => {
    const { clinic, server: env } = await setup();
    const operator = await env.createUser("operator");
    const person = await env.createUser("afterSalesMember");
    const own = async () =>
      present((await operator.call("operator.staff", {})).find(({ userId }) => userId === person.uid));
    await env.running.database.asSystem((db) =>
      sql`insert into work_order (id, number, type, clinic_id, institution_id, assignee_id, product, model, serial_number, description,
          contact, contact_phone, created_by, created_side, haystack, grams)
        select ${newId()}, ${newId()}, 'repair', c.id, c.institution_id, ${person.uid}, 'x', 'x', 'x', 'x', 'x', '1', ${operator.uid},
          'service', '', '{}' from clinic c where c.institution_id = ${clinic.iid}`.execute(db),
    );
    const before = await own();
    expect(before.openWorkOrders).toBe(1);
    const { id, version } = before;
    expect(refusalOf(await operator.ask("operator.dismiss", { id, version }))).toBe("staffHasWork");
    expect(await own()).toEqual(before);
    await person.call("feedback.list", {});
    await env.running.database.asSystem((db) =>
      sql`update work_order set state = 'closed', closed_at = now(), outcome = 'done' where assignee_id = ${person.uid}`.execute(
        db,
      ),
    );
    await operator.call("operator.dismiss", { id, version });
  });
});

describe("failed jobs", () => {
  it("are listed without their payload, and can be retried or removed", async () => {
    const env = await getTestServer();
    const operator = await env.createUser("operator");
    let mends = false;
    const done: string[] = [];
    await jobs().work(testQueue, async ({ name }) => {
      if (!mends) throw new Error(`could not read "/secret/${name}"`);
      done.push(name);
    });
    const ids = await env.running.database.asSystem(async (db) => [
      await jobs().send(db, testQueue, { name: "first" }, { patience: { tries: 0, longestWaitSeconds: 1 } }),
      await jobs().send(db, testQueue, { name: "second" }, { patience: { tries: 0, longestWaitSeconds: 1 } }),
    ]);
    const failed = () => operator.call("operator.failedJobs", { queue: "console.test" });
    await until(async () => (await failed()).length === 2);
    expect(JSON.stringify(await failed())).not.toMatch(/secret|first|second/);
    const { queues, lights } = await operator.call("operator.health", {});
    expect(queues.find(({ name }) => name === "console.test")).toMatchObject({ failed: 2 });
    expect(lights.find(({ name }) => name === "jobs")?.state).toBe("watch");
    mends = true;
    await operator.call("operator.retryJob", { queue: "console.test", id: present(ids[0]) });
    await until(async () => done.includes("first"));
    await operator.call("operator.removeJob", { queue: "console.test", id: present(ids[1]) });
    expect(await failed()).toEqual([]);
    for (const name of ["operator.retryJob", "operator.removeJob"] as const)
      expect(refusalOf(await operator.ask(name, { queue: "console.test", id: present(ids[1]) }))).toBe("jobGone");
    expect(done).toEqual(["first"]);
  });
});

interface AuditEntry {
  institution: string | null;
  person: string | null;
  action: string;
  subject: string | null;
}

/** Writes 90 entries of several organisations, people, actions and subjects, and returns them with a search. */
async function writeAuditEntries() {
  const { clinic, lab, server: env } = await setup();
  const operator = await env.createUser("operator");
  const [subject, stranger] = [newId(), newId()];
  const written: AuditEntry[] = [];
  await env.running.database.asSystem(async (db) => {
    for (let place = 0; place < 90; place++) {
      const row = {
        institution: [clinic.iid, lab.iid, stranger, null][place % 4] ?? null,
        person: [clinic.uid, lab.uid, null][place % 3] ?? null,
        action: ["probe.one", "probe.two", "other.one"][place % 5 === 0 ? 2 : place % 2],
        subject: place % 7 === 0 ? subject : null,
      };
      written.push(row);
      await audit(db, {
        institution_id: row.institution,
        user_id: row.person,
        action: row.action,
        subject: row.subject,
      });
    }
    await sql`update audit set at = date_trunc('second', at) where action like 'probe.%' or action like 'other.%'`.execute(
      db,
    );
  });
  const find = async (filter: Record<string, string>): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await operator.call("operator.audit", { ...filter, pageSize: 7, ...(cursor && { cursor }) });
      ids.push(...page.list.filter(({ action }) => /^(probe|other)\./.test(action)).map(({ id }) => id));
      if (!page.next || ids.length > 200) break;
      cursor = page.next;
    }
    expect(ids).toEqual([...new Set(ids)]);
    return ids;
  };
  const count = (isMeant: (entry: AuditEntry) => boolean) => written.filter(isMeant).length;
  return { clinic, lab, operator, subject, stranger, find, count };
}

describe("the search of the audit log", () => {
  let entries: Awaited<ReturnType<typeof writeAuditEntries>>;
  beforeAll(async () => {
    entries = await writeAuditEntries();
  });

  it("finds every entry once, page after page", async () => {
    expect(await entries.find({})).toHaveLength(90);
  });

  it("finds the entries of an action, and of all actions that begin like it", async () => {
    const { find, count } = entries;
    expect(await find({ action: "probe" })).toHaveLength(count(({ action }) => action.startsWith("probe.")));
    expect(await find({ action: "probe.two" })).toHaveLength(count(({ action }) => action === "probe.two"));
  });

  it("finds the entries about a subject", async () => {
    const { find, count, subject } = entries;
    expect(await find({ subject })).toHaveLength(count((row) => row.subject === subject));
  });

  it("finds the entries of a person", async () => {
    const { find, count, lab } = entries;
    expect(await find({ person: lab.uid })).toHaveLength(count(({ person }) => person === lab.uid));
  });

  it("finds the entries of an organisation, and of none", async () => {
    const { find, count, stranger } = entries;
    expect(await find({ organisation: stranger })).toHaveLength(count(({ institution }) => institution === stranger));
    expect(await find({ organisation: "none", action: "probe" })).toHaveLength(
      count(({ institution, action }) => institution === null && action.startsWith("probe.")),
    );
  });

  it("combines its filters", async () => {
    const { find, count, clinic } = entries;
    expect(await find({ person: clinic.uid, action: "other", organisation: clinic.iid })).toHaveLength(
      count(
        ({ institution, person, action }) =>
          institution === clinic.iid && person === clinic.uid && action === "other.one",
      ),
    );
    expect(await find({ person: clinic.uid, action: "probe" })).toHaveLength(
      count(({ person, action }) => person === clinic.uid && action.startsWith("probe.")),
    );
  });

  it("finds nothing before the first day", async () => {
    expect(await entries.find({ to: "2020-01-01" })).toEqual([]);
  });

  it("is recorded itself", async () => {
    const { find, operator } = entries;
    await find({});
    const looks = await operator.call("operator.audit", { action: "operator.audit", person: operator.uid });
    expect(looks.list.length).toBeGreaterThan(10);
  });

  it("shows whether the last verification found the chain intact", async () => {
    const env = await getTestServer();
    const operator = await env.createUser("operator");
    const walk = async () => {
      const before = (await operator.call("operator.auditChecks", {}))[0]?.startedAt;
      await operator.call("operator.checkAudit", {});
      await until(async () => {
        const [last] = await operator.call("operator.auditChecks", {});
        return last !== undefined && last.startedAt !== before && last.finishedAt !== null;
      });
      return (await operator.call("operator.auditChecks", {}))[0];
    };
    await until(async () => present((await walk()).rows, "rows") > 5);
    expect((await walk()).broken).toBeNull();
    // As the owner of the database: no other role can change a sealed row.
    await env.running.database.asSystem(async (db) => {
      await sql`set local role none`.execute(db);
      await sql`set local session_replication_role = replica`.execute(db);
      await sql`update audit set action = 'never.done' where seq = 3`.execute(db);
    });
    expect(await walk()).toMatchObject({ broken: 3, fault: "altered" });
    const { lights } = await operator.call("operator.health", {});
    expect(lights.find(({ name }) => name === "trail")?.state).toBe("bad");
  });
});
