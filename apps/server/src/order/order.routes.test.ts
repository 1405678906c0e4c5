import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Order } from "@arcada/contract/order/order.calls";
import { crownFor, latestHash, newPatient, sentOrder, smallScan, steps } from "../../../../tests/orders.ts";
import { world } from "../../../../tests/world.ts";
import type { Answer, Person } from "../../../../tests/world.ts";

const code = (name: RefusalName): number => refusals[name].code;
const step = (who: Person, order: Order, action: string, given: Record<string, unknown> = {}) =>
  who.asks("order.step", { id: order.id, version: order.version, action, ...given });
const fresh = (answer: Answer<unknown>) => answer.data as Order;
const actionsOf = (order: Order) => order.events.map((event) => event.action);

describe("from the clinic to the lab and back", () => {
  it("carries a crown from the draft to its receipt, with each turn on the right side", async () => {
    const here = await world();
    const { dentist, clinic, lab, designer } = here;
    const draft = await dentist.gets("order.save", crownFor(await newPatient(clinic), lab.iid));
    expect(draft).toMatchObject({ state: "draft", turn: "nobody", missing: [], actions: ["edit", "delete", "submit"] });
    expect((await designer.asks("order.detail", { id: draft.id })).code).toBe(code("notFound"));

    const sent = await steps(dentist, draft, "submit");
    expect(sent).toMatchObject({ state: "pending", turn: "receiver", myTurn: false, actions: ["cancel"] });
    expect(actionsOf(sent)).toEqual(["create", "submit", "handOver"]);

    const arrived = await designer.gets("order.detail", { id: sent.id });
    expect(arrived).toMatchObject({
      mine: "receiver",
      myTurn: true,
      patientId: null,
      patientName: "王小明",
      actions: ["accept", "refuse"],
    });
    expect(actionsOf(arrived)).toEqual(["handOver"]);

    const accepted = await steps(designer, arrived, "accept");
    expect(accepted).toMatchObject({
      state: "awaiting_design",
      assigneeName: designer.name,
      promisedDate: "2030-01-01",
    });

    const upload = await designer.uploads("crown.stl", smallScan());
    const designed = await steps(designer, accepted, "submitDesign", {
      files: [{ upload, role: "design" }],
      text: "please look",
    });
    expect(designed).toMatchObject({
      step: "submitted",
      turn: "sender",
      designRevision: 1,
      actions: expect.arrayContaining(["withdraw"]),
    });
    expect(designed.files).toMatchObject([
      { role: "design", name: "crown.stl", revisionId: designed.revisions[0]!.id },
    ]);

    const confirmed = await steps(dentist, designed, "confirmDesign", { revisionHash: latestHash(designed) });
    expect(confirmed).toMatchObject({
      state: "awaiting_dispatch",
      step: "production",
      revisions: [{ state: "confirmed" }],
    });
    const gone = await steps(designer, confirmed, "dispatch", { carrier: "SF", trackingNumber: "1234" });
    expect(gone).toMatchObject({
      state: "awaiting_receipt",
      turn: "sender",
      shipment: { carrier: "SF", trackingNumber: "1234" },
    });
    const done = await steps(dentist, gone, "confirmReceipt");
    expect(done).toMatchObject({ state: "completed", turn: "nobody", actions: [] });
    expect(actionsOf(done)).toEqual([
      "create",
      "submit",
      "handOver",
      "accept",
      "submitDesign",
      "confirmDesign",
      "dispatch",
      "confirmReceipt",
    ]);
  });

  it("plans, returns, corrects and voids: each revision keeps what became of it", async () => {
    const here = await world();
    const { dentist, designer } = here;
    let order = await sentOrder(here, { schemeRequired: true });
    order = await steps(designer, order, "accept");
    order = await steps(designer, order, "submitScheme", { text: "first" });
    order = await steps(designer, order, "withdraw");
    order = await steps(designer, order, "submitScheme", { text: "second" });
    const stale = await step(dentist, order, "confirmScheme", { revisionHash: order.revisions[0]!.hash });
    expect(stale.code).toBe(code("orderRevisionStale"));
    order = await steps(dentist, order, "returnScheme", { reason: "not like this" });
    order = await steps(designer, order, "submitScheme", { text: "third" });
    order = await steps(dentist, order, "confirmScheme", { revisionHash: latestHash(order) });
    const file = async (size: number) => [
      { upload: await designer.uploads(`v${size}.stl`, smallScan(size)), role: "design" as const },
    ];
    order = await steps(designer, order, "submitDesign", { files: await file(1) });
    order = await steps(dentist, order, "backToScheme", { reason: "other tooth" });
    expect(order).toMatchObject({ state: "awaiting_scheme", step: "returned", turn: "receiver" });
    expect(order.revisions.map((row) => `${row.kind} ${row.number} ${row.state}`)).toEqual([
      "scheme 1 withdrawn",
      "scheme 2 returned",
      "scheme 3 voided",
      "design 1 voided",
    ]);
    order = await steps(designer, order, "submitScheme", { text: "fourth" });
    order = await steps(dentist, order, "confirmScheme", { revisionHash: latestHash(order) });
    order = await steps(designer, order, "submitDesign", { files: await file(2) });
    order = await steps(dentist, order, "confirmDesign", { revisionHash: latestHash(order) });
    order = await steps(designer, order, "backToDesign", { reason: "broke in milling" });
    expect(order).toMatchObject({ state: "awaiting_design", step: "preparing", designRevision: 2 });
    expect(order.revisions.at(-1)).toMatchObject({ kind: "design", number: 2, state: "voided" });
  });

  it("ends design work at its confirmation, and sends a faulty crown round again", async () => {
    const here = await world();
    const { dentist, designer } = here;
    let digital = await steps(designer, await sentOrder(here, { workKinds: ["design"] }), "accept");
    digital = await steps(designer, digital, "submitDesign", {
      files: [{ upload: await designer.uploads("a.stl", smallScan()), role: "design" }],
    });
    const seen = await dentist.gets("order.detail", { id: digital.id });
    expect(seen.actions).toEqual(["confirmDelivery", "returnDesign", "requestCancel"]);
    expect(await steps(dentist, digital, "confirmDelivery", { revisionHash: latestHash(digital) })).toMatchObject({
      state: "completed",
    });

    let made = await steps(designer, await sentOrder(here, { workKinds: ["machining"] }), "accept");
    expect(made.state).toBe("awaiting_dispatch");
    made = await steps(designer, made, "dispatch", { handDelivery: true });
    made = await steps(dentist, made, "redeliver", { reason: "does not fit" });
    expect(made).toMatchObject({ state: "awaiting_dispatch", turn: "receiver", shipment: null });
    made = await steps(designer, made, "dispatch", { carrier: "SF", trackingNumber: "1" });
    made = await steps(designer, made, "correctShipment", { carrier: "SF", trackingNumber: "2" });
    expect(made.shipment).toMatchObject({ trackingNumber: "2" });
    expect(await steps(designer, made, "recallDispatch")).toMatchObject({ state: "awaiting_dispatch", shipment: null });
  });

  it("asks the sender, whose answer may change a prescription that nobody has accepted", async () => {
    const here = await world();
    const { dentist, lab } = here;
    const order = await steps(lab, await sentOrder(here), "requestInfo", { text: "Which shade?" });
    expect(order).toMatchObject({ infoRequest: "Which shade?", turn: "sender", state: "pending" });
    expect((await step(lab, order, "requestInfo", { text: "?" })).code).toBe(code("orderRequestOpen"));
    const { targetIid: _, maskName: __, ...rx } = order.prescription;
    const items = [{ ...rx.items[0]!, shade: "B1" as const }];
    expect((await step(dentist, order, "supplyInfo", { text: "B1", prescription: { ...rx, items: [] } })).code).toBe(
      code("orderIncomplete"),
    );
    const upload = await dentist.uploads("upper.stl", smallScan());
    const answered = await steps(dentist, order, "supplyInfo", {
      text: "B1",
      prescription: { ...rx, items },
      files: [{ upload, role: "upperScan" }],
    });
    expect(answered).toMatchObject({
      infoRequest: null,
      turn: "receiver",
      rxRevision: 2,
      prescription: { items: [{ shade: "B1" }] },
    });
    expect(answered.events.at(-1)).toMatchObject({ action: "supplyInfo", revision: 2, changed: ["items"], text: "B1" });
    expect(answered.files).toMatchObject([{ role: "upperScan" }]);
  });

  it("cancels alone before acceptance, and after it only with the lab", async () => {
    const here = await world();
    const { dentist, lab, designer } = here;
    expect(await steps(dentist, await sentOrder(here), "cancel", { reason: "moved away" })).toMatchObject({
      state: "cancelled",
    });
    let order = await steps(designer, await sentOrder(here), "accept");
    expect((await step(dentist, order, "cancel", { reason: "late" })).code).toBe(code("orderActionNotAllowed"));
    order = await steps(dentist, order, "requestCancel", { reason: "moved away" });
    expect((await step(designer, order, "decideCancel", { approve: true })).code).toBe(code("orderActionNotAllowed"));
    order = await steps(lab, order, "decideCancel", { approve: false, reason: "nearly done" });
    expect(order).toMatchObject({ cancelRequest: null, state: "awaiting_design" });
    order = await steps(dentist, order, "requestCancel", { reason: "really" });
    expect(await steps(lab, order, "decideCancel", { approve: true })).toMatchObject({
      state: "cancelled",
      prescription: { items: [] },
      files: [],
    });
  });

  it("leaves nothing of a deleted draft, and copies an order into a new one", async () => {
    const here = await world();
    const { dentist, clinic, designer } = here;
    const upload = await dentist.uploads("upper.stl", smallScan());
    const order = await sentOrder(here, { uploads: [{ upload, role: "upperScan" }] });
    const copy = await dentist.gets("order.copy", { id: order.id });
    expect(copy).toMatchObject({
      state: "draft",
      files: [{ role: "upperScan", name: "upper.stl" }],
      prescription: { items: [{ teeth: [11] }] },
    });
    expect(copy.number).not.toBe(order.number);
    expect((await designer.asks("order.copy", { id: order.id })).status).toBe(403);
    expect((await step(clinic, copy, "delete")).data).toBeNull();
    expect((await dentist.asks("order.detail", { id: copy.id })).code).toBe(code("notFound"));
  });
});

describe("what stands in the way", () => {
  it("names what an order lacks, and nothing of it is sent", async () => {
    const { dentist, clinic, lab } = await world();
    const draft = await dentist.gets(
      "order.save",
      crownFor(await newPatient(clinic), lab.iid, { items: [], noDigitalFiles: false }),
    );
    expect(draft.missing).toEqual(["files", "items", "scan"]);
    const answer = await step(dentist, draft, "submit");
    expect([answer.code, answer.data]).toEqual([code("orderIncomplete"), { missing: ["files", "items", "scan"] }]);
    expect(await dentist.gets("order.detail", { id: draft.id })).toMatchObject({
      state: "draft",
      version: draft.version,
    });
  });

  it("sends to a lab only while the two work together", async () => {
    const here = await world({ related: false });
    const patientId = await newPatient(here.clinic);
    const answer = await here.dentist.asks("order.save", { ...crownFor(patientId, here.lab.iid), send: true });
    expect(answer.code).toBe(code("orderNoRelation"));
    expect((await here.dentist.gets("order.list", {})).total).toBe(0);
  });

  it("answers a stale version with the fresh order, and an action that is not open too", async () => {
    const here = await world();
    const order = await sentOrder(here);
    await steps(here.designer, order, "accept");
    const late = await step(here.dentist, order, "cancel", { reason: "late" });
    expect([late.code, fresh(late).state, fresh(late).actions]).toEqual([
      code("orderChanged"),
      "awaiting_design",
      ["requestCancel"],
    ]);
    const closed = await step(here.dentist, fresh(late), "submit");
    expect([closed.code, fresh(closed).id]).toEqual([code("orderActionNotAllowed"), order.id]);
  });

  it("repeats the first answer to a repeated key, and moves once", async () => {
    const here = await world();
    const order = await sentOrder(here);
    const input = { id: order.id, version: order.version, action: "accept" as const };
    const [one, two] = await Promise.all(
      [1, 2].map(() => here.designer.asks("order.step", input, { "idempotency-key": "tap" })),
    );
    expect([one!.code, two!.code]).toEqual([200, 200]);
    expect(fresh(two!).version).toBe(order.version + 1);
    expect(fresh(two!).events.filter((event) => event.action === "accept")).toHaveLength(1);
  });

  it("takes no file that is broken, empty or no scan where one is meant", async () => {
    const here = await world();
    const order = await steps(here.designer, await sentOrder(here), "accept");
    const design = async (name: string, bytes: Uint8Array) =>
      (
        await step(here.designer, order, "submitDesign", {
          files: [{ upload: await here.designer.uploads(name, bytes), role: "design" }],
        })
      ).code;
    expect(await design("empty.stl", new Uint8Array())).toBe(code("fileEmpty"));
    expect(await design("cut.stl", smallScan().subarray(0, 200))).toBe(code("fileTruncated"));
    expect(await design("notes.txt", Buffer.from("just words\n"))).toBe(code("orderFilesMissing"));
    const patientId = await newPatient(here.clinic);
    const scan = await here.dentist.uploads("upper.stl", Buffer.from("just words\n"));
    expect(
      (
        await here.dentist.asks(
          "order.save",
          crownFor(patientId, here.lab.iid, { uploads: [{ upload: scan, role: "upperScan" }] }),
        )
      ).code,
    ).toBe(code("fileUnknown"));
    expect((await here.designer.gets("order.detail", { id: order.id })).version).toBe(order.version);
  });

  it("keeps the uploads that a saved draft names by the ids of its files, and drops the others", async () => {
    const { dentist, clinic, lab } = await world();
    const patientId = await newPatient(clinic);
    const uploads = await Promise.all(
      [1, 2].map(async (size) => ({
        upload: await dentist.uploads(`${size}.stl`, smallScan(size)),
        role: "bite" as const,
      })),
    );
    const draft = await dentist.gets("order.save", crownFor(patientId, lab.iid, { uploads }));
    const kept = draft.files.find((file) => file.name === "2.stl")!;
    const saved = await dentist.gets("order.save", {
      ...crownFor(patientId, lab.iid, { uploads: [{ upload: kept.id, role: "lowerScan" }] }),
      id: draft.id,
      version: draft.version,
    });
    expect(saved.files).toMatchObject([{ id: kept.id, name: "2.stl", role: "lowerScan" }]);
  });
});

describe("what each side reads of lists", () => {
  it("pages, filters, searches and counts, and shows drafts to their own organisation alone", async () => {
    const here = await world();
    const { dentist, clinic, lab, designer } = here;
    const patientId = await newPatient(clinic, "李雷");
    await dentist.gets("order.save", crownFor(patientId, lab.iid));
    const first = await sentOrder(here, { patientId });
    const second = await sentOrder(here);
    await steps(designer, first, "accept");
    expect(await dentist.gets("order.counts", {})).toEqual({
      all: 3,
      myTurn: 0,
      states: { draft: 1, pending: 1, awaiting_design: 1 },
    });
    expect(await lab.gets("order.counts", {})).toEqual({
      all: 2,
      myTurn: 2,
      states: { pending: 1, awaiting_design: 1 },
    });
    const page = await lab.gets("order.list", { pageSize: 1 });
    expect([page.total, page.list.map((row) => row.id), page.next]).toEqual([2, [first.id], "2"]);
    expect((await lab.gets("order.list", { pageSize: 1, page: 3 })).total).toBe(2);
    const found = async (who: Person, input: Record<string, unknown>) =>
      (await who.gets("order.list", input)).list.map((row) => row.id).toSorted();
    expect(await found(lab, { search: "李" })).toEqual([first.id]);
    expect(await found(lab, { search: second.number })).toEqual([second.id]);
    expect(await found(lab, { search: "%" })).toEqual([]);
    expect(await found(dentist, { search: "lilei", state: "awaiting_design" })).toEqual([first.id]);
    expect(await found(dentist, { patientId })).toHaveLength(2);
    expect(await found(lab, { patientId })).toEqual([]);
    expect(await found(lab, { turn: "mine" })).toEqual([first.id, second.id].toSorted());
    expect(await found(dentist, { turn: "mine" })).toEqual([]);
  });

  it("carries messages both ways while the order lives", async () => {
    const here = await world();
    const order = await sentOrder(here);
    await here.designer.gets("order.message", { id: order.id, text: "Which shade?" });
    await here.dentist.gets("order.message", { id: order.id, text: "A2" });
    const { messages, mayChat } = await here.dentist.gets("order.detail", { id: order.id });
    expect([mayChat, messages.map(({ text, mine }) => [text, mine])]).toEqual([
      true,
      [
        ["Which shade?", false],
        ["A2", true],
      ],
    ]);
    await steps(here.designer, order, "refuse", { reason: "no capacity" });
    expect((await here.dentist.asks("order.message", { id: order.id, text: "why?" })).code).toBe(
      code("orderActionNotAllowed"),
    );
  });
});
