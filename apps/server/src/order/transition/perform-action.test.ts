import { beforeAll, describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import {
  crownOrderInput,
  latestRevisionHash,
  openNewestRevision,
  sendOrder,
  smallScanStl,
  takeStep,
} from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup, type Answer, type TestSetup, type TestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const step = (who: TestUser, order: Order, action: string, given: Record<string, unknown> = {}) =>
  who.ask("order.step", { id: order.id, version: order.version, action, ...given });
const fresh = (answer: Answer<unknown>) => answer.data as Order;

describe("the refusals of an order's step", () => {
  it("name the missing parts of an order, and nothing of it is sent", async () => {
    const { dentist, clinic, lab } = await setup();
    const draft = await dentist.call(
      "order.save",
      crownOrderInput(await createPatient(clinic), lab.iid, { items: [], noDigitalFiles: false }),
    );
    expect(draft.missing).toEqual(["files", "items", "scan"]);
    const answer = await step(dentist, draft, "submit");
    expect([refusalOf(answer), answer.data]).toEqual(["orderIncomplete", { missing: ["files", "items", "scan"] }]);
    expect(await dentist.call("order.detail", { id: draft.id })).toMatchObject({
      state: "draft",
      version: draft.version,
    });
  });

  it("keep an order from a lab unless the two work together", async () => {
    const env = await setup({ related: false });
    const patientId = await createPatient(env.clinic);
    const answer = await env.dentist.ask("order.save", { ...crownOrderInput(patientId, env.lab.iid), send: true });
    expect(refusalOf(answer)).toBe("orderNoRelation");
    expect((await env.dentist.call("order.list", {})).total).toBe(0);
  });

  it("answer a stale version with the fresh order, and an action that is not open too", async () => {
    const env = await setup();
    const order = await sendOrder(env);
    await takeStep(env.designer, order, "accept");
    const late = await step(env.dentist, order, "cancel", { reason: "late" });
    expect([refusalOf(late), fresh(late).state, fresh(late).actions]).toEqual([
      "orderChanged",
      "awaiting_design",
      ["requestCancel", "proposeChange"],
    ]);
    const closed = await step(env.dentist, fresh(late), "submit");
    expect([refusalOf(closed), fresh(closed).id]).toEqual(["orderActionNotAllowed", order.id]);
  });

  it("keep a design from being approved by a person who has not opened it, whoever else has", async () => {
    const env = await setup();
    const { dentist, clinic, designer } = env;
    let order = await takeStep(designer, await sendOrder(env), "accept");
    const upload = await designer.upload("a.stl", smallScanStl());
    order = await takeStep(designer, order, "submitDesign", { files: [{ upload, role: "design" }] });
    await openNewestRevision(clinic, order);
    const approve = () => step(dentist, order, "confirmDesign", { revisionHash: latestRevisionHash(order) });
    expect(refusalOf(await approve())).toBe("designNotSeen");
    await openNewestRevision(dentist, order);
    expect((await dentist.call("order.detail", { id: order.id })).revisions[0].seen).toBe(true);
    expect((await designer.call("order.detail", { id: order.id })).revisions[0].seen).toBe(false);
    expect(fresh(await approve()).state).toBe("awaiting_dispatch");
  });

  it("ask for the next design to be opened too", async () => {
    const env = await setup();
    const { dentist, designer } = env;
    let order = await takeStep(designer, await sendOrder(env), "accept");
    const submit = async (size: number) => {
      const upload = await designer.upload("a.stl", smallScanStl(size));
      return takeStep(designer, order, "submitDesign", { files: [{ upload, role: "design" }] });
    };
    order = await submit(1);
    await openNewestRevision(dentist, order);
    order = await takeStep(dentist, order, "returnDesign", { reason: "margin" });
    order = await submit(2);
    const approval = { revisionHash: latestRevisionHash(order) };
    expect(refusalOf(await step(dentist, order, "confirmDesign", approval))).toBe("designNotSeen");
  });

  it("repeat the first answer to a repeated key, and the order moves once", async () => {
    const env = await setup();
    const order = await sendOrder(env);
    const input = { id: order.id, version: order.version, action: "accept" as const };
    const [one, two] = await Promise.all(
      [1, 2].map(() => env.designer.ask("order.step", input, { "idempotency-key": "tap" })),
    );
    expect([one.code, two.code]).toEqual([200, 200]);
    expect(fresh(two).version).toBe(order.version + 1);
    expect(fresh(two).events.filter((event) => event.action === "accept")).toHaveLength(1);
  });

  it("reject a file that is broken or empty, or no scan where one is required", async () => {
    const env = await setup();
    const order = await takeStep(env.designer, await sendOrder(env), "accept");
    const design = async (name: string, bytes: Uint8Array) =>
      refusalOf(
        await step(env.designer, order, "submitDesign", {
          files: [{ upload: await env.designer.upload(name, bytes), role: "design" }],
        }),
      );
    expect(await design("empty.stl", new Uint8Array())).toBe("fileEmpty");
    expect(await design("cut.stl", smallScanStl().subarray(0, 200))).toBe("fileTruncated");
    expect(await design("notes.txt", Buffer.from("just words\n"))).toBe("orderFilesMissing");
    const patientId = await createPatient(env.clinic);
    const scan = await env.dentist.upload("upper.stl", Buffer.from("just words\n"));
    expect(
      refusalOf(
        await env.dentist.ask(
          "order.save",
          crownOrderInput(patientId, env.lab.iid, { uploads: [{ upload: scan, role: "upperScan" }] }),
        ),
      ),
    ).toBe("fileUnknown");
    expect((await env.designer.call("order.detail", { id: order.id })).version).toBe(order.version);
  });

  it("spare the uploads that a saved draft names by the ids of its files, and the others are dropped", async () => {
    const { dentist, clinic, lab } = await setup();
    const patientId = await createPatient(clinic);
    const uploads = await Promise.all(
      [1, 2].map(async (size) => ({
        upload: await dentist.upload(`${size}.stl`, smallScanStl(size)),
        role: "bite" as const,
      })),
    );
    const draft = await dentist.call("order.save", crownOrderInput(patientId, lab.iid, { uploads }));
    const kept = present(draft.files.find((file) => file.name === "2.stl"));
    const saved = await dentist.call("order.save", {
      ...crownOrderInput(patientId, lab.iid, { uploads: [{ upload: kept.id, role: "lowerScan" }] }),
      id: draft.id,
      version: draft.version,
    });
    expect(saved.files).toMatchObject([{ id: kept.id, name: "2.stl", role: "lowerScan" }]);
  });
});

describe("the lists of each side", () => {
  let env: TestSetup;
  let first: Order;
  let second: Order;
  let patientId: string;
  beforeAll(async () => {
    env = await setup();
    patientId = await createPatient(env.clinic, { name: "李雷" });
    await env.dentist.call("order.save", crownOrderInput(patientId, env.lab.iid));
    first = await sendOrder(env, { patientId });
    second = await sendOrder(env);
    await takeStep(env.designer, first, "accept");
  });
  const find = async (who: TestUser, input: Record<string, unknown>) =>
    (await who.call("order.list", input)).list.map((row) => row.id).toSorted();

  it("count the orders of each state, drafts for their own organisation alone", async () => {
    expect(await env.dentist.call("order.counts", {})).toEqual({
      all: 3,
      myTurn: 0,
      states: { draft: 1, pending: 1, awaiting_design: 1 },
    });
    expect(await env.lab.call("order.counts", {})).toEqual({
      all: 2,
      myTurn: 2,
      states: { pending: 1, awaiting_design: 1 },
    });
  });

  it("return pages by cursor or number, and the total with each", async () => {
    const page = await env.lab.call("order.list", { pageSize: 1 });
    expect([page.total, page.list.map((row) => row.id)]).toEqual([2, [first.id]]);
    const behind = await env.lab.call("order.list", { pageSize: 1, cursor: present(page.next, "next") });
    expect([behind.list.map((row) => row.id), behind.next]).toEqual([[second.id], null]);
    expect((await env.lab.call("order.list", { pageSize: 1, page: 3 })).total).toBe(2);
  });

  it("search by name and number, and take a wildcard literally", async () => {
    expect(await find(env.lab, { search: "李" })).toEqual([first.id]);
    expect(await find(env.lab, { search: second.number })).toEqual([second.id]);
    expect(await find(env.lab, { search: "%" })).toEqual([]);
    expect(await find(env.dentist, { search: "lilei", state: "awaiting_design" })).toEqual([first.id]);
  });

  it("filter by the patient for the patient's clinic alone", async () => {
    expect(await find(env.dentist, { patientId })).toHaveLength(2);
    expect(await find(env.lab, { patientId })).toEqual([]);
  });

  it("filter by whose turn it is", async () => {
    expect(await find(env.lab, { turn: "mine" })).toEqual([first.id, second.id].toSorted());
    expect(await find(env.dentist, { turn: "mine" })).toEqual([]);
  });
});

describe("an order's messages", () => {
  it("go both ways while the order is open", async () => {
    const env = await setup();
    const order = await sendOrder(env);
    await env.designer.call("order.message", { id: order.id, text: "Which shade?" });
    await env.dentist.call("order.message", { id: order.id, text: "A2" });
    const { messages, mayChat } = await env.dentist.call("order.detail", { id: order.id });
    expect([mayChat, messages.map(({ text, mine }) => [text, mine])]).toEqual([
      true,
      [
        ["Which shade?", false],
        ["A2", true],
      ],
    ]);
    await takeStep(env.designer, order, "refuse", { reason: "no capacity" });
    expect(refusalOf(await env.dentist.ask("order.message", { id: order.id, text: "why?" }))).toBe(
      "orderActionNotAllowed",
    );
  });
});
