import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { insertDevice, insertWorkOrder } from "@arcada/testing/fixtures/after-sales-fixtures";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const admin = async () => (await getTestServer()).createUser("afterSalesAdmin");
const record = (name: string, more: Record<string, unknown> = {}) => ({ name, country: "CN", ...more });
const found = async (reader: AnyTestUser, search: string) =>
  (await reader.call("clinic.list", { search })).list.map(({ name }) => name);
const ofInstitution = async (reader: AnyTestUser, institution: string) => {
  const { rows } = await reader.server.running.database.asSystem((db) =>
    sql<{ id: string }>`select id from clinic where institution_id = ${institution}`.execute(db),
  );
  return reader.call("clinic.detail", { id: rows[0].id });
};

describe("the clinics that after-sales staff look after", () => {
  it("are listed by name, page by page, each once, without laboratories", async () => {
    const env = await getTestServer();
    const technician = await env.createUser("afterSalesMember");
    const made = [];
    for (const name of ["Bee Dental", "ant dental", "Bee Dental", "Cat Dental"])
      made.push(await env.createInstitution("clinic", { name: `${name} of pages` }));
    await env.createInstitution("lab", { name: "Ant Lab of pages" });
    const names: string[] = [];
    const institutions = new Set<string | null>();
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Awaited<ReturnType<typeof technician.call<"clinic.list">>> = await technician.call("clinic.list", {
        search: "of pages",
        pageSize: 1,
        ...(cursor && { cursor }),
      });
      expect(page.total).toBe(4);
      for (const { institutionId, name } of page.list) {
        names.push(name.replace(" of pages", ""));
        institutions.add(institutionId);
      }
      cursor = page.next;
    }
    expect(names).toEqual(["ant dental", "Bee Dental", "Bee Dental", "Cat Dental"]);
    expect(institutions).toEqual(new Set(made.map(({ id }) => id)));
    // The database does not accept a zero byte.
    const zero = Buffer.from(JSON.stringify(["\0", made[0].id])).toString("base64url");
    for (const cursor of ["made-up", zero])
      expect(refusalOf(await technician.ask("clinic.list", { cursor }))).toBe("badInput");
  });

  it("are found by number, with the number of their members but no patient data", async () => {
    const { clinic } = await setup();
    const patientId = await createPatient(clinic);
    const manager = await admin();
    const { number } = await clinic.call("institution.detail", {});
    const answer = await manager.call("clinic.list", { search: number });
    expect(answer).toMatchObject({ total: 1, next: null, list: [{ institutionId: clinic.iid, members: 2, number }] });
    expect(JSON.stringify(answer)).not.toMatch(new RegExp(`${patientId}|王小明`));
    expect((await manager.call("clinic.list", { search: "100%_\\" })).total).toBe(0);
  });

  it("are readable and writable for nobody outside after-sales", async () => {
    const { clinic, designer, server: env } = await setup();
    const { id, version } = await ofInstitution(await admin(), clinic.iid);
    for (const person of [clinic, designer, await env.createUser("newUser")]) {
      expect(refusalOf(await person.ask("clinic.list", {}))).toBe("notAllowed");
      expect(refusalOf(await person.ask("clinic.detail", { id }))).toBe("notAllowed");
    }
    const operator = await env.createUser("operator");
    expect((await operator.ask("clinic.list", {})).code).toBe(200);
    for (const person of [operator, await env.createUser("afterSalesMember")])
      expect(refusalOf(await person.ask("clinic.remove", { id, version }))).toBe("notAllowed");
  });

  it("are found by characters, initials and place in either script, and by the name of a contact", async () => {
    const manager = await admin();
    const place = { province: "510000", city: "510100", leader: "Zoe Quill", phone: "55501234" };
    await manager.call("clinic.create", record("曦和口腔", place));
    for (const search of ["曦", "曦和", "xihe", "xh", "四川 曦", "chengdu xihe", "zoe quill", "55501234"])
      expect(await found(manager, search), search).toContain("曦和口腔");
    expect(await found(manager, "beijing xihe")).toEqual([]);
    const narrowed = await manager.call("clinic.list", { country: "CN", province: "510000", has: "noAccount" });
    expect(narrowed.list).toMatchObject([{ name: "曦和口腔", provinceName: "Sichuan", cityName: "Chengdu" }]);
  });

  it("show their name and place to a member, and all details to a member who was sent there", async () => {
    const env = await getTestServer();
    const manager = await admin();
    const member = await env.createUser("afterSalesMember");
    const secret = { address: "Hidden Street 7", leader: "Ann Hidden", phone: "77701" };
    const far = await manager.call("clinic.create", record("Far of members", secret));
    const near = await manager.call("clinic.create", record("Near of members", secret));
    await insertWorkOrder(env, { clinic: near.id, by: manager.uid, assignee: member.uid });
    await insertWorkOrder(env, { clinic: near.id, by: manager.uid, assignee: manager.uid });
    const { list } = await member.call("clinic.list", { search: "of members" });
    expect(list).toMatchObject([
      { name: "Far of members", isOpen: false, address: null, leader: null, phone: null, openWork: 0 },
      { name: "Near of members", isOpen: true, address: "Hidden Street 7", openWork: 1 },
    ]);
    expect(await found(member, "hidden street")).toEqual(["Near of members"]);
    expect(JSON.stringify(await member.call("clinic.detail", { id: far.id }))).not.toMatch(/Hidden|77701/);
    expect((await member.call("clinic.detail", { id: near.id })).workList).toHaveLength(1);
    expect((await manager.call("clinic.detail", { id: near.id })).workList).toHaveLength(2);
  });
});

describe("the record of a clinic", () => {
  it("follows its organisation in name and number, and keeps the data that after-sales entered", async () => {
    const { clinic } = await setup();
    const manager = await admin();
    const before = await ofInstitution(manager, clinic.iid);
    const written = { ...record("Not its name"), id: before.id, version: before.version, leader: "Dr Hu" };
    expect(await manager.call("clinic.update", written)).toMatchObject({ name: before.name, leader: "Dr Hu" });
    await clinic.call("institution.update", { name: "Renamed Dental", contactPerson: "Somebody Else" });
    expect(await ofInstitution(manager, clinic.iid)).toMatchObject({
      name: "Renamed Dental",
      leader: "Dr Hu",
      own: { contactPerson: "Somebody Else" },
    });
    expect(await found(manager, "renamed dental")).toEqual(["Renamed Dental"]);
    expect(refusalOf(await manager.ask("clinic.update", written))).toBe("clinicChanged");
  });

  it("refuses an unknown place and an incomplete position", async () => {
    const manager = await admin();
    const refused = async (more: Record<string, unknown>) =>
      (await manager.ask("clinic.create", record("Odd", more))).data;
    expect(await refused({ province: "999999" })).toEqual({ province: "divisionUnknown" });
    expect(await refused({ province: "310000", city: "510100" })).toEqual({ city: "divisionUnknown" });
    expect(await refused({ longitude: 10 })).toEqual({ latitude: "placeHalf" });
    expect(await found(manager, "odd")).toEqual([]);
  });

  it("is removed only if nothing refers to it", async () => {
    const env = await getTestServer();
    const manager = await admin();
    const { clinic } = await setup();
    const institution = await ofInstitution(manager, clinic.iid);
    expect(refusalOf(await manager.ask("clinic.remove", institution))).toBe("clinicHasAccount");
    const made = await manager.call("clinic.create", record("Short-lived"));
    const work = await insertWorkOrder(env, { clinic: made.id, by: manager.uid });
    expect(refusalOf(await manager.ask("clinic.remove", made))).toBe("clinicInUse");
    expect((await manager.call("clinic.detail", made)).workList).toMatchObject([{ id: work, type: "repair" }]);
    await env.running.database.asSystem((db) => sql`delete from work_order where id = ${work}`.execute(db));
    expect(refusalOf(await manager.ask("clinic.remove", { ...made, version: 7 }))).toBe("clinicChanged");
    expect((await manager.ask("clinic.remove", made)).code).toBe(200);
    expect(refusalOf(await manager.ask("clinic.detail", made))).toBe("notFound");
  });

  it("is joined with the record of an account that was created later, including devices and work orders", async () => {
    const env = await getTestServer();
    const manager = await admin();
    const early = await manager.call("clinic.create", {
      ...record("Early Dental", { province: "310000", city: "310106", leader: "Lu", setUpAt: "2024-01-02" }),
      phoneArea: "+44",
      phone: "117 555 0106",
      longitude: 121.4,
      latitude: 31.2,
    });
    const device = await insertDevice(env, { clinic: early.id });
    const work = await insertWorkOrder(env, { clinic: early.id, by: manager.uid });
    const account = await env.createInstitution("clinic", { name: "Early Dental Group" });
    await env.running.database.asSystem((db) =>
      sql`update clinic set phone = '021 5550' where institution_id = ${account.id}`.execute(db),
    );
    const join = { id: early.id, version: early.version };
    expect((await manager.ask("clinic.link", { ...join, number: "no such" })).data).toEqual({
      number: "clinicUnknown",
    });
    expect(await manager.call("clinic.link", { ...join, number: account.number })).toMatchObject({
      institutionId: account.id,
      name: "Early Dental Group",
      number: account.number,
      provinceName: "Shanghai",
      leader: "Lu",
      // An area code of another number is none of this one's.
      phoneArea: null,
      phone: "021 5550",
      setUpAt: "2024-01-02",
      longitude: 121.4,
      deviceList: [{ id: device }],
      workList: [{ id: work }],
    });
    expect(refusalOf(await manager.ask("clinic.detail", { id: early.id }))).toBe("notFound");
    expect(refusalOf(await manager.ask("clinic.link", { ...join, number: account.number }))).toBe("notFound");
  });

  it("can be separated from an account's record after a mistaken join, without data of the account", async () => {
    const env = await getTestServer();
    const manager = await admin();
    const input = record("Wrongly joined", { province: "310000", city: "310106", leader: "Lu", phone: "5550" });
    const early = await manager.call("clinic.create", { ...input, setUpAt: "2024-01-02" });
    const [stays, goes] = [
      await insertDevice(env, { clinic: early.id }),
      await insertDevice(env, { clinic: early.id }),
    ];
    const account = await env.createInstitution("clinic", { name: "Another house" });
    const clinic = await env.createUser("clinicAdmin", account);
    const own = await ofInstitution(manager, account.id);
    const works = {
      came: await insertWorkOrder(env, { clinic: early.id, by: manager.uid }),
      own: await insertWorkOrder(env, { clinic: own.id, by: manager.uid }),
    };
    const system = (query: ReturnType<typeof sql>) => env.running.database.asSystem((db) => query.execute(db));
    await system(sql`update work_order set to_clinic_id = ${early.id} where id = ${works.own}`);
    const into = await manager.call("clinic.link", { id: early.id, version: early.version, number: account.number });
    expect(into.joined).toMatchObject([{ name: early.name, number: early.number, by: manager.name }]);
    const seen = async () => (await clinic.call("workorder.list", {})).list.map(({ id }) => id).toSorted();
    expect(await seen()).toEqual([works.came, works.own].toSorted());

    // Meanwhile the account binds one of the devices, after-sales repairs the other one, and someone writes a telephone
    // number.
    await system(
      sql`update device set institution_id = ${account.id}, state = 'bound', key_hash = id where id = ${stays}`,
    );
    const later = await insertWorkOrder(env, { clinic: into.id, by: manager.uid });
    await system(sql`update work_order set device_id = ${goes} where id = ${later}`);
    const written = await manager.call("clinic.update", { ...into, phone: "777" });
    const wished = { id: into.id, version: written.version, joinId: into.joined[0].id };
    expect(refusalOf(await manager.ask("clinic.unlink", { ...wished, version: into.version }))).toBe("clinicChanged");
    expect(refusalOf(await manager.ask("clinic.unlink", { ...wished, joinId: early.id }))).toBe("clinicParted");
    const twice = await Promise.all([1, 2].map(() => manager.ask("clinic.unlink", wished)));
    expect(twice.map(refusalOf).toSorted()).toEqual(["accepted", "clinicChanged"]);

    const again = await manager.call("clinic.detail", { id: early.id });
    expect(again).toMatchObject({
      name: early.name,
      number: early.number,
      institutionId: null,
      cityName: "Jing'an",
      leader: "Lu",
      phone: "5550",
      setUpAt: "2024-01-02",
    });
    expect([again.deviceList, again.workList].map((list) => list.map(({ id }) => id).toSorted())).toEqual([
      [goes],
      [works.came, later].toSorted(),
    ]);
    expect(await ofInstitution(manager, account.id)).toMatchObject({
      leader: null,
      phone: "777",
      province: null,
      city: null,
      setUpAt: own.setUpAt,
      joined: [],
      deviceList: [{ id: stays }],
      workList: [{ id: works.own }],
    });
    expect(await seen()).toEqual([works.own]);
    expect(refusalOf(await clinic.ask("workorder.detail", { id: works.came }))).toBe("notFound");
    const { rows } = await env.running.database.asSystem((db) =>
      sql`select to_clinic_id from work_order where id = ${works.own}`.execute(db),
    );
    expect(rows).toEqual([{ to_clinic_id: early.id }]);
    // Its way to the right account is open.
    expect((await manager.ask("clinic.link", { ...again, number: "no such" })).data).toEqual({
      number: "clinicUnknown",
    });
  });

  it("lists the devices at the clinic, but none that another clinic has bound", async () => {
    const env = await getTestServer();
    const manager = await admin();
    const { clinic } = await setup();
    const made = await manager.call("clinic.create", record("Standing"));
    const free = await insertDevice(env, {});
    const bound = await insertDevice(env, { institution: clinic.iid });
    const after = await manager.call("clinic.bindDevice", { id: made.id, deviceId: free });
    expect(after.deviceList).toMatchObject([{ id: free, state: "unbound" }]);
    const refused = await manager.ask("clinic.bindDevice", { id: made.id, deviceId: bound });
    expect(refusalOf(refused)).toBe("deviceElsewhere");
    expect((await manager.call("clinic.detail", { id: made.id })).deviceList).toHaveLength(1);
  });
});

describe("provinces and cities", () => {
  it("have their own name, a Latin name and search words", async () => {
    const manager = await admin();
    const chinese = { "accept-language": "zh" };
    const provinces = await manager.call("clinic.divisions", { country: "CN" }, chinese);
    expect(provinces).toHaveLength(34);
    expect(provinces.find(({ code }) => code === "610000")).toMatchObject({ name: "陕西省" });
    const cities = await manager.call("clinic.divisions", { country: "CN", province: "610000" });
    const xian = present(cities.find(({ native }) => native === "西安市"));
    expect(xian.name).toBe("Xi'an");
    for (const word of ["西安", "xas", "xian"]) expect(xian.words).toContain(word);
    const hubei = await manager.call("clinic.divisions", { country: "CN", province: "420000" });
    expect(hubei.map(({ native }) => native)).toContain("仙桃市");
    expect(hubei.some(({ native }) => native.includes("直辖"))).toBe(false);
    expect((await manager.call("clinic.divisions", { country: "DE" })).map(({ name }) => name)).toContain("Bayern");
    expect(await manager.call("clinic.divisions", { country: "DE", province: "BY" })).toEqual([]);
  });
});
