import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { setup, type TestUser } from "@arcada/testing/setup/test-server";
import { refusals } from "@arcada/contract/kernel/refusals";
import { refusalOf } from "@arcada/testing/refusal-of";

const wang = { name: "王小明", sex: "male", birthDate: "1990-01-01" } as const;
const made = (clinic: TestUser, more: Record<string, unknown> = {}) =>
  clinic.call("patient.create", { ...wang, evenIfDuplicate: true, ...more });

describe("text that the database cannot store", () => {
  it("is refused as bad input, in a search and in a record", async () => {
    const { clinic } = await setup();
    expect(refusalOf(await clinic.ask("patient.list", { search: "a\0b" }))).toBe("badInput");
    const named = { name: "a\0b", sex: "male", age: 30 };
    expect(refusalOf(await clinic.ask("patient.create", named))).toBe("badInput");
  });
});

describe("a clinic's patients", () => {
  it("are numbered consecutively, in each clinic from 1", async () => {
    const [one, other] = [await setup(), await setup()];
    const names = await Promise.all(["A", "B", "C"].map((name) => made(one.clinic, { name })));
    expect(names.map(({ number }) => number).toSorted()).toEqual(["P0000001", "P0000002", "P0000003"]);
    expect((await made(other.clinic)).number).toBe("P0000001");
  });

  it("are found by name, pinyin, initials, number, phone and entry number, and only by their own clinic", async () => {
    const { clinic, dentist } = await setup();
    const stranger = (await setup()).clinic;
    const { id } = await made(clinic, { phone: "13800138000", entryNumber: "K2024-7" });
    await made(clinic, { name: "John Smith" });
    for (const search of ["王", "小明", "wangxm".slice(0, 4), "wxm", "P0000001", "138001", "k2024", "王小明 138"]) {
      expect(
        (await dentist.call("patient.list", { search })).list.map((row) => row.id),
        search,
      ).toEqual([id]);
      expect((await stranger.call("patient.list", { search })).total, search).toBe(0);
    }
    expect(refusalOf(await stranger.ask("patient.detail", { id }))).toBe("notFound");
  });

  it("have names that can be resolved in batches, only within their own clinic", async () => {
    const { clinic, dentist, lab } = await setup();
    const stranger = (await setup()).clinic;
    const [{ id: one }, { id: two }] = [await made(clinic), await made(clinic, { name: "John Smith" })];
    await made(clinic, { name: "Not asked for" });
    const ids = [one, two].join(",");
    const named = await dentist.call("patient.names", { ids });
    expect(new Map(named.map(({ id, name }) => [id, name]))).toEqual(
      new Map([
        [one, wang.name],
        [two, "John Smith"],
      ]),
    );
    expect(await stranger.call("patient.names", { ids })).toEqual([]);
    expect(refusalOf(await lab.ask("patient.names", { ids }))).toBe("notAllowed");
    await clinic.call("patient.remove", { id: two });
    expect(await dentist.call("patient.names", { ids })).toEqual([{ id: one, name: wang.name }]);
    expect(refusalOf(await dentist.ask("patient.names", { ids: "1,2" }))).toBe("badInput");
  });

  it("are paged without duplicates or gaps in every order, also while another user adds one", async () => {
    const { clinic } = await setup();
    for (let at = 0; at < 23; at++)
      await made(clinic, { name: `Patient ${String(at).padStart(2, "0")}`, sex: at % 2 ? "male" : "female" });
    for (const query of [
      { sort: "name" },
      { sort: "createdAt" },
      {},
      { search: "patient" },
      { sex: "male" },
    ] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await clinic.call("patient.list", { ...query, pageSize: 5, ...(cursor && { cursor }) });
        expect(page.total).toBe("sex" in query ? 11 : 23);
        seen.push(...page.list.map(({ name }) => name));
        cursor = page.next ?? undefined;
      } while (cursor);
      expect(seen, JSON.stringify(query)).toHaveLength("sex" in query ? 11 : 23);
      expect(new Set(seen).size).toBe(seen.length);
      if ("sort" in query && query.sort === "name") expect(seen).toEqual(seen.toSorted());
    }
    const { next } = await clinic.call("patient.list", { sort: "name", pageSize: 5 });
    for (const cursor of [next, "nonsense", Buffer.from('["recentVisitAt","x","y"]').toString("base64url")])
      expect(refusalOf(await clinic.ask("patient.list", { sort: "createdAt", cursor }))).toBe("badInput");
  });

  it("require a confirmation before a second record of the same person is created", async () => {
    const { clinic } = await setup();
    const first = await made(clinic, { idNumber: "110101199001011234" });
    const again = await clinic.ask("patient.create", wang);
    expect(again).toMatchObject({
      code: refusals.patientDuplicate.code,
      data: { candidates: [{ id: first.id, name: "王小明", number: "P0000001", birthDate: "1990-01-01" }] },
    });
    expect(
      refusalOf(
        await clinic.ask("patient.create", { name: "Wang", sex: "male", age: 36, idNumber: "110101199001011234" }),
      ),
    ).toBe("patientDuplicate");
    expect((await clinic.ask("patient.create", { ...wang, birthDate: "1991-01-01" })).code).toBe(200);
    expect((await clinic.ask("patient.create", { ...wang, evenIfDuplicate: true })).code).toBe(200);
    expect((await clinic.call("patient.list", {})).total).toBe(3);
  });

  it("are not overwritten from an older version", async () => {
    const { clinic, dentist } = await setup();
    const { id, version } = await made(clinic);
    const changed = await clinic.call("patient.update", { ...wang, id, version, phone: "1" });
    expect(changed).toMatchObject({ phone: "1", version: version + 1 });
    expect(await dentist.ask("patient.update", { ...wang, id, version, phone: "2" })).toMatchObject({
      code: refusals.patientChanged.code,
      data: { phone: "1", version: version + 1 },
    });
    expect(await clinic.call("patient.detail", { id })).toMatchObject({ phone: "1" });
  });

  it("can be moved to the bin and restored within thirty days, unless an order is open", async () => {
    const { clinic, lab, server } = await setup();
    const { id } = await made(clinic);
    const order = await clinic.call("order.save", {
      patientId: id,
      caseType: "other",
      items: [],
      workKinds: [],
      targetIid: lab.iid,
      dueDate: null,
    });
    expect(refusalOf(await clinic.ask("patient.remove", { id }))).toBe("patientHasOrders");
    await clinic.call("order.step", { id: order.id, action: "delete", version: order.version });
    await clinic.call("patient.remove", { id });
    expect((await clinic.call("patient.list", {})).total).toBe(0);
    expect(refusalOf(await clinic.ask("patient.detail", { id }))).toBe("notFound");
    expect((await clinic.call("patient.restore", { id })).id).toBe(id);
    await clinic.call("patient.remove", { id });
    await server.running.database.asSystem((db) =>
      sql`update patient set deleted_at = now() - interval '31 days' where id = ${id}`.execute(db),
    );
    expect(refusalOf(await clinic.ask("patient.restore", { id }))).toBe("notFound");
    expect((await clinic.call("patient.list", {})).total).toBe(0);
  });

  it("require a confirmation for concurrent duplicates, and for a record that becomes another's duplicate", async () => {
    const { clinic, dentist } = await setup();
    const two = await Promise.all([clinic, dentist].map((who) => who.ask("patient.create", wang)));
    expect(new Set(two.map(refusalOf))).toEqual(new Set(["accepted", "patientDuplicate"]));
    const same = await Promise.all(
      [1, 2].map(() => clinic.ask("patient.create", { ...wang, name: "李四" }, { "idempotency-key": "a1" })),
    );
    expect(same.map(refusalOf)).toEqual(["accepted", "accepted"]);
    expect(same[0].data.id).toBe(same[1].data.id);
    const changed = { ...wang, id: same[0].data.id, version: 0 };
    expect(await clinic.ask("patient.update", changed)).toMatchObject({
      code: refusals.patientDuplicate.code,
      data: { candidates: [{ name: "王小明" }] },
    });
    expect((await clinic.call("patient.update", { ...changed, evenIfDuplicate: true })).name).toBe("王小明");
    expect((await clinic.call("patient.list", {})).total).toBe(2);
  });

  it("have names of any script and plausible birth dates", async () => {
    const { clinic } = await setup();
    const id = async (name: string) => (await made(clinic, { name })).id;
    const names = ["张三😀", "محمد علي", "O'Brien J.", "יוסף"];
    const ids = await Promise.all(names.map(id));
    for (const [at, search] of ["张三😀", "علي", "brien J.", "יוסף"].entries())
      expect(
        (await clinic.call("patient.list", { search })).list.map((row) => row.id),
        search,
      ).toEqual([ids[at]]);
    expect((await clinic.call("patient.list", { search: "😀" })).list.map((row) => row.id)).toEqual([ids[0]]);
    const year = new Date().getUTCFullYear();
    for (const birthDate of ["2023-02-29", "2023-13-01", "0000-01-01", `${year + 1}-01-01`, `${year - 131}-01-01`])
      expect((await clinic.ask("patient.create", { ...wang, birthDate })).data, birthDate).toHaveProperty("birthDate");
    expect(refusalOf(await clinic.ask("patient.create", { name: "A", sex: "male", age: 131 }))).toBe("badInput");
    expect((await clinic.ask("patient.create", { ...wang, remark: "长".repeat(10_001) })).data).toHaveProperty(
      "remark",
    );
    expect(
      await made(clinic, { remark: "长".repeat(10_000), inspectionNumber: "CT-7", inspectedAt: "2026-02-28T09:30" }),
    ).toMatchObject({
      inspectionNumber: "CT-7",
      inspectedAt: "2026-02-28T09:30:00",
    });
    expect((await clinic.call("patient.list", {})).total).toBe(5);
  });

  it("are listed in the bin with the remaining days", async () => {
    const { clinic, server } = await setup();
    const [first, second] = [await made(clinic), await made(clinic)];
    for (const { id } of [first, second]) await clinic.call("patient.remove", { id });
    await server.running.database.asSystem((db) =>
      sql`update patient set deleted_at = now() - interval '29 days 1 hour' where id = ${first.id}`.execute(db),
    );
    expect((await clinic.call("patient.bin", {})).list).toMatchObject([
      { id: second.id, daysLeft: 30 },
      { id: first.id, daysLeft: 1 },
    ]);
    await clinic.call("patient.restore", { id: first.id });
    expect((await clinic.call("patient.bin", {})).list).toHaveLength(1);
  });

  it("have a timeline of events", async () => {
    const { clinic, lab } = await setup();
    const { id } = await made(clinic);
    const order = await clinic.call("order.save", {
      patientId: id,
      caseType: "other",
      items: [],
      workKinds: [],
      targetIid: lab.iid,
      dueDate: null,
    });
    expect((await clinic.call("patient.timeline", { id })).list).toMatchObject([
      { kind: "order", id: order.id, label: order.number },
      { kind: "created", id },
    ]);
  });
});
