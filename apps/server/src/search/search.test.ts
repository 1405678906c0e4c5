import { sql } from "kysely";
import { expect, it } from "vitest";
import type { SearchKind } from "@arcada/contract/search/search.calls";
import { crownOrderInput, sendOrder } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { createWorkOrder, setupAfterSales } from "@arcada/testing/fixtures/work-orders";
import { refusalOf } from "@arcada/testing/refusal-of";
import { fillMissingSearchColumns } from "../clinic/clinic.search-columns.ts";
import { setup } from "@arcada/testing/setup/test-server";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";

/** The ids that a search finds, of one kind or of all. */
const search = async (who: AnyTestUser, text: string, kind?: SearchKind): Promise<string[]> =>
  (await who.call("search.find", { text })).groups
    .filter((group) => kind === undefined || group.kind === kind)
    .flatMap(({ hits }) => hits.map(({ id }) => id));

it("finds a patient by Chinese, pinyin, initials, number and telephone, and by the beginning of any English word", async () => {
  const { clinic } = await setup();
  const chinese = await clinic.call("patient.create", { name: "王芳", sex: "female", age: 30, phone: "13912347919" });
  const english = await createPatient(clinic, { name: "Amelia Hart" });
  for (const text of ["王芳", "芳", "wangfang", "wf", chinese.number, "7919"])
    expect(await search(clinic, text), text).toContain(chinese.id);
  for (const text of ["har", "amelia h", "AMELIA"]) expect(await search(clinic, text), text).toEqual([english]);
});

it("puts a name that begins like the text before one that contains it, and a lately opened one before both", async () => {
  const { clinic } = await setup();
  const ann = await createPatient(clinic, { name: "Ann Lee" });
  const joanna = await createPatient(clinic, { name: "Joanna Lee" });
  expect(await search(clinic, "ann")).toEqual([ann, joanna]);
  await clinic.call("patient.detail", { id: joanna });
  expect(await search(clinic, "ann")).toEqual([joanna, ann]);
});

it("answers without a text what the user opened lately, the last first, and nothing that others opened", async () => {
  const env = await setup();
  const { clinic, dentist, lab } = env;
  const order = await sendOrder(env);
  const patient = await createPatient(clinic, { name: "Ann Lee" });
  await clinic.call("order.detail", { id: order.id });
  await clinic.call("patient.detail", { id: patient });
  const opened = async (who: AnyTestUser) => (await who.call("search.find", {})).opened.map(({ id }) => id);
  expect(await opened(clinic)).toEqual([patient, order.id]);
  expect(await opened(dentist)).not.toContain(patient);
  expect(await opened(lab)).toEqual([]);
  await clinic.call("patient.remove", { id: patient });
  expect(await opened(clinic)).toEqual([order.id]);
});

it("limits each kind to five hits and says that the list has more", async () => {
  const { clinic } = await setup();
  for (let n = 0; n < 6; n++) await createPatient(clinic, { name: `Bo ${n}` });
  const { groups } = await clinic.call("search.find", { text: "bo" });
  expect(groups).toMatchObject([{ kind: "patient", isMore: true, hits: { length: 5 } }]);
});

it("shows a laboratory its orders and people alone, and an order by the masked name only", async () => {
  const env = await setup();
  const masked = await sendOrder(env, {
    patientId: await createPatient(env.clinic, { name: "赵敏" }),
    maskName: true,
  });
  const open = await sendOrder(env, { patientId: await createPatient(env.clinic, { name: "孙丽" }) });
  const found = await env.lab.call("search.find", { text: masked.number });
  expect(found.groups).toMatchObject([{ kind: "order", hits: [{ id: masked.id, patientName: "赵*" }] }]);
  expect(await search(env.lab, "赵敏")).toEqual([]);
  await expect.poll(() => search(env.lab, "孙丽"), { timeout: 20_000 }).toEqual([open.id]);
  expect(await search(env.clinic, "赵敏", "order")).toEqual([masked.id]);
});

it("finds nothing of other organisations, and no draft of another side", async () => {
  const { clinic, lab } = await setup();
  const other = await setup();
  const patient = await createPatient(clinic, { name: "Odd Name" });
  await clinic.call("order.save", crownOrderInput(patient, lab.iid));
  expect(await search(clinic, "Odd Name", "order")).toHaveLength(1);
  for (const who of [other.clinic, other.lab, lab]) expect(await search(who, "Odd Name")).toEqual([]);
});

it("finds colleagues by their pinyin, like the list of members", async () => {
  const { clinic, server } = await setup();
  const colleague = await server.createUser("clinicMember", { id: clinic.iid }, "钱多多");
  for (const text of ["qdd", "qianduoduo", "多多"]) {
    const { groups } = await clinic.call("search.find", { text });
    expect(groups, text).toMatchObject([{ kind: "person", hits: [{ name: colleague.name }] }]);
    expect((await clinic.call("member.list", { search: text })).list, text).toMatchObject([{ name: colleague.name }]);
  }
});

it("finds devices for their clinic, and for after-sales also clinics and work orders", async () => {
  const all = await setupAfterSales();
  const work = await createWorkOrder(all);
  expect(await search(all.clinic, all.serial, "device")).toEqual([all.deviceId]);
  expect(await search(all.clinic, work.number, "workorder")).toEqual([work.id]);
  const number = all.serial.replace("SN-", "");
  expect(await search(all.technician, number, "clinic")).toEqual([all.clinicId]);
  expect(await search(all.technician, all.serial, "device")).toEqual([all.deviceId]);
  expect(await search(all.technician, work.number, "workorder")).toEqual([work.id]);
  expect(await search(all.colleague, work.number, "workorder")).toEqual([]);
});

it("finds a clinic's devices by the pinyin of its name for after-sales alone", async () => {
  const all = await setupAfterSales();
  await all.testServer.running.database.asSystem(async (db) => {
    await sql`update institution set name = '晨曦口腔' where id = ${all.clinic.iid}`.execute(db);
    await fillMissingSearchColumns(db);
  });
  for (const text of ["chenxi", "cxkq", "曦"])
    expect(await search(all.technician, text, "device"), text).toContain(all.deviceId);
  expect(await search(all.clinic, "chenxi", "device")).toEqual([]);
});

it("leaves the lines of the lists in the audit log, and refuses users without a role", async () => {
  const { clinic, lab, server } = await setup();
  const lines = async ({ uid }: AnyTestUser) =>
    server.running.database.asSystem(
      async (db) =>
        (await sql<{ action: string }>`select action from audit where user_id = ${uid} order by id`.execute(db)).rows,
    );
  await clinic.call("search.find", { text: "a" });
  expect(await lines(clinic)).toEqual([{ action: "patient.list" }, { action: "order.list" }]);
  await lab.call("search.find", { text: "a" });
  expect(await lines(lab)).toEqual([{ action: "order.list" }]);
  expect(refusalOf(await (await server.createUser("newUser")).ask("search.find", { text: "a" }))).toBe("notAllowed");
});
