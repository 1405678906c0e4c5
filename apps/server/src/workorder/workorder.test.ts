import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Workorder } from "@arcada/contract/workorder/workorder.schema";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import {
  addWorkOrderFile,
  faultReport,
  fillCompletion,
  createWorkOrder,
  randomJpeg,
  viewWorkOrder,
  sendFileChunk,
  setupAfterSales,
  createStartedWorkOrder,
  askWorkOrderStep,
  takeWorkOrderStep,
  createSubmittedWorkOrder,
} from "@arcada/testing/fixtures/work-orders";
import { closeFinished } from "./workorder.jobs.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

/** Refused by this name, and nothing changed. */
async function expectRefusal(
  name: RefusalName,
  actor: AnyTestUser,
  order: Workorder,
  action: string,
  more = {},
): Promise<void> {
  const before = await viewWorkOrder(actor, order);
  expect([action, refusalOf(await askWorkOrderStep(actor, order, action, more))]).toEqual([action, name]);
  expect({ ...(await viewWorkOrder(actor, order)), files: [] }).toEqual({ ...before, files: [] });
}

describe("a work order", () => {
  it("runs from a clinic's report to its acceptance by another user and to its document", async () => {
    const all = await setupAfterSales();
    const made = await all.clinic.call("workorder.create", faultReport(all));
    expect(made).toMatchObject({
      state: "new",
      assignee: null,
      turn: "admin",
      number: expect.stringMatching(/^W\d{8}-\d{3,}$/),
    });
    const given = await takeWorkOrderStep(all.chief, made, "assign", { personId: all.technician.uid });
    const { list, unread } = await all.technician.call("workorder.list", { mine: "true" });
    expect([list.map(({ id }) => id), list[0].unread, unread]).toEqual([[made.id], true, 1]);
    expect((await viewWorkOrder(all.technician, given)).unread).toBe(false);
    const begun = await takeWorkOrderStep(all.technician, given, "start");
    await all.technician.call("workorder.note", { id: made.id, text: "The bearing is worn", isInternal: false });
    await all.technician.call("workorder.note", { id: made.id, text: "Wrongly mounted by us", isInternal: true });
    const done = await takeWorkOrderStep(all.technician, await fillCompletion(all.technician, begun), "submit");
    const passed = await takeWorkOrderStep(all.chief, done, "pass");
    expect(passed).toMatchObject({ state: "finished", turn: null, reviewer: all.chief.name });
    const clinics = await viewWorkOrder(all.clinic, made);
    const told = ["create", "start", "The bearing is worn", "pass"];
    expect(clinics.log.map(({ action, text }) => action ?? text)).toEqual(told);
    expect(JSON.stringify(clinics)).not.toContain("Wrongly mounted");
    const { url } = await all.clinic.call("workorder.paper", { id: made.id, lang: "zh" });
    const paper = await fetch(`${all.testServer.address}${url}`);
    expect([paper.status, paper.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    const { info } = await all.clinic.call("notice.query", {});
    expect(info["0"].list.map(({ kind, params }) => [kind, params["state"]])).toEqual([
      ["workorderNews", "finished"],
      ["workorderNews", "in_progress"],
    ]);
  });

  it("is not visible to users who have no part in it", async () => {
    const all = await setupAfterSales();
    const order = await createWorkOrder(all);
    const stranger = (await setupAfterSales()).clinic;
    for (const actor of [stranger, all.colleague])
      expect(refusalOf(await actor.ask("workorder.detail", { id: order.id }))).toBe("notFound");
    expect((await all.colleague.call("workorder.list", {})).list).toEqual([]);
    expect(refusalOf(await stranger.ask("workorder.create", faultReport(all)))).toBe("workorderDeviceForeign");
    expect(refusalOf(await all.clinic.ask("workorder.create", { ...faultReport(all), type: "installation" }))).toBe(
      "notAllowed",
    );
    expect(refusalOf(await all.clinic.ask("workorder.step", { id: order.id, version: 0, action: "void" }))).toBe(
      "notAllowed",
    );
  });

  it("is found by its content, Chinese by its pinyin", async () => {
    const all = await setupAfterSales();
    const order = await createWorkOrder(all, { contact: "林晓" });
    for (const search of [order.number, order.device.serialNumber.toLowerCase(), "林晓", "linxiao"])
      expect([search, (await all.chief.call("workorder.list", { search })).list.map(({ id }) => id)]).toEqual([
        search,
        expect.arrayContaining([order.id]),
      ]);
    expect((await all.chief.call("workorder.list", { search: "nothing-of-it" })).total).toBe(0);
  });
});

describe("the transfer of a work order", () => {
  it("goes to the alternate at once, and without one through an administrator", async () => {
    const all = await setupAfterSales();
    const order = await createStartedWorkOrder(all, { alternateId: all.colleague.uid });
    await expectRefusal("workorderHasAlternate", all.technician, order, "askTransfer", { reason: "Ill" });
    await expectRefusal("workorderReasonMissing", all.technician, order, "handOver");
    const handed = await takeWorkOrderStep(all.technician, order, "handOver", { reason: "Ill" });
    expect(handed).toMatchObject({ assignee: { id: all.colleague.uid }, alternate: null });
    await expectRefusal("workorderNoAlternate", all.colleague, handed, "handOver", { reason: "Ill too" });
    const request = await takeWorkOrderStep(all.colleague, handed, "askTransfer", { reason: "Ill too" });
    await expectRefusal("workorderSamePerson", all.chief, request, "approveTransfer", { personId: all.colleague.uid });
    await expectRefusal("workorderNotStaff", all.chief, request, "approveTransfer", { personId: all.clinic.uid });
    await expectRefusal("workorderReasonMissing", all.chief, request, "refuseTransfer");
    const back = await takeWorkOrderStep(all.chief, request, "approveTransfer", { personId: all.technician.uid });
    expect((await all.technician.call("workorder.list", {})).list.find(({ id }) => id === order.id)).toMatchObject({
      unread: true,
    });
    expect(back.assignee?.id).toBe(all.technician.uid);
  });

  it("assigns many at once, or none of them", async () => {
    const all = await setupAfterSales();
    const [one, two] = [
      await createWorkOrder(all, { assigneeId: undefined }),
      await createWorkOrder(all, { assigneeId: undefined }),
    ];
    const input = (version: number) => ({
      orders: [one, { ...two, version }].map((each) => ({ id: each.id, version: each.version })),
      personId: all.technician.uid,
    });
    expect(refusalOf(await all.chief.ask("workorder.assign", input(9)))).toBe("workorderChanged");
    expect((await viewWorkOrder(all.chief, one)).assignee).toBeNull();
    expect(await all.chief.call("workorder.assign", input(0))).toEqual({ given: 2 });
  });
});

describe("the finished work", () => {
  it.each([
    ["repair", 2, 1],
    ["moveMachine", 6, 5],
  ] as const)("of a %s requires at least %i images", async (type, least, few) => {
    const all = await setupAfterSales();
    const order = await createStartedWorkOrder(all, { type, toAddress: "Second floor" });
    const missing = await fillCompletion(all.technician, order, few);
    await expectRefusal("workorderPicturesFew", all.technician, missing, "submit");
    for (let at = few; at < least; at++) await addWorkOrderFile(all.technician, order, "picture", await randomJpeg());
    expect((await takeWorkOrderStep(all.technician, missing, "submit")).state).toBe("acceptance_review");
  });

  it("accepts ten images, and no eleventh", async () => {
    const all = await setupAfterSales();
    const order = await fillCompletion(all.technician, await createStartedWorkOrder(all), 10);
    const more = { id: order.id, role: "picture" as const, name: "11.jpg", bytes: 100 };
    expect(refusalOf(await all.technician.ask("workorder.addFile", more))).toBe("workorderPicturesMany");
    expect((await takeWorkOrderStep(all.technician, order, "submit")).files).toHaveLength(11);
  });

  it("has files of 20 MB at most and 200 MB in total, and all of them uploaded", async () => {
    const all = await setupAfterSales();
    const order = await createStartedWorkOrder(all);
    const add = (bytes: number) =>
      all.technician.ask("workorder.addFile", { id: order.id, role: "attachment", name: "log.zip", bytes });
    expect(refusalOf(await add(workorderRules.fileBytes + 1))).toBe("workorderFileTooLarge");
    for (let at = 0; at < 10; at++) expect((await add(workorderRules.fileBytes)).code).toBe(200);
    expect(refusalOf(await add(1))).toBe("workorderFilesTooLarge");
    await expectRefusal("workorderFilesSending", all.technician, order, "submit");
  });

  it("requires the right serial number, a description and a receipt", async () => {
    const all = await setupAfterSales();
    const order = await createStartedWorkOrder(all);
    for (const shade of [1, 2]) await addWorkOrderFile(all.technician, order, "picture", await randomJpeg(shade));
    const write = async (from: Workorder, serialNumber: string, description: string) =>
      all.technician.call("workorder.saveFinish", {
        id: order.id,
        version: from.version,
        serialNumber,
        description,
        parts: [],
      });
    const wrong = await write(order, `${all.serial}0`, "Done");
    await expectRefusal("workorderSerialWrong", all.technician, wrong, "submit");
    const silent = await write(wrong, all.serial.toLowerCase(), "");
    await expectRefusal("workorderFinishMissing", all.technician, silent, "submit");
    const whole = await write(silent, all.serial, "Done");
    await expectRefusal("workorderReceiptMissing", all.technician, whole, "submit");
    await addWorkOrderFile(all.technician, order, "receipt", await randomJpeg());
    const frozen = await takeWorkOrderStep(all.technician, whole, "submit");
    const late = { id: order.id, version: frozen.version, serialNumber: "", description: "", parts: [] };
    expect(refusalOf(await all.technician.ask("workorder.saveFinish", late))).toBe("workorderActionNotAllowed");
    expect(
      refusalOf(await all.technician.ask("workorder.removeFile", { id: order.id, fileId: frozen.files[0].id })),
    ).toBe("workorderActionNotAllowed");
    expect((await takeWorkOrderStep(all.chief, frozen, "sendBack", { reason: "Blurred" })).state).toBe("in_progress");
  });

  it("accepts an image by its content, resumes an interrupted upload, and shows the image without camera metadata", async () => {
    const all = await setupAfterSales();
    const order = await createStartedWorkOrder(all);
    const text = await all.technician.call("workorder.addFile", {
      id: order.id,
      role: "picture",
      name: "a.jpg",
      bytes: 5,
    });
    expect(refusalOf(await sendFileChunk(all.technician, text.id, 0, Buffer.from("hello")))).toBe("workorderFileKind");
    const bytes = await randomJpeg();
    const file = await all.technician.call("workorder.addFile", {
      id: order.id,
      role: "picture",
      name: "b.jpg",
      bytes: bytes.length,
    });
    await sendFileChunk(all.technician, file.id, 0, bytes.subarray(0, 100));
    expect((await viewWorkOrder(all.technician, order)).files).toMatchObject([{ offset: 100, isHere: false }]);
    expect(await sendFileChunk(all.technician, file.id, 0, bytes)).toMatchObject({
      code: refusals.uploadOffset.code,
      data: { offset: "100" },
    });
    expect(refusalOf(await sendFileChunk(all.colleague, file.id, 100, bytes.subarray(100)))).toBe("uploadUnknown");
    const rest = () => sendFileChunk(all.technician, file.id, 100, bytes.subarray(100));
    // Repeats the request, like a client that has not received the response.
    expect([await rest(), await rest()]).toMatchObject([{ code: 200 }, { code: 200, data: { offset: bytes.length } }]);
    await expect
      .poll(async () => (await viewWorkOrder(all.technician, order)).files[0]?.shown, { timeout: 10_000 })
      .toBeTruthy();
    const [shown] = (await viewWorkOrder(all.technician, order)).files;
    const whole = await fetch(`${all.testServer.address}${shown.url}`);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await fetch(`${all.testServer.address}${shown.shown}`)).status).toBe(200);
    await all.technician.call("workorder.removeFile", { id: order.id, fileId: file.id });
    expect((await fetch(`${all.testServer.address}${shown.url}`)).status).toBe(404);
  });
});

describe("an administrator", () => {
  it("cannot accept their own work, and of two administrators at the same time only one decides", async () => {
    const all = await setupAfterSales();
    const own = await takeWorkOrderStep(all.chief, await createWorkOrder(all, { assigneeId: all.chief.uid }), "start");
    const handedIn = await takeWorkOrderStep(all.chief, await fillCompletion(all.chief, own), "submit");
    await expectRefusal("workorderOwnReview", all.chief, handedIn, "pass");
    const order = await createSubmittedWorkOrder(all);
    const both = await Promise.all([
      askWorkOrderStep(all.chief, order, "pass"),
      askWorkOrderStep(all.deputy, order, "sendBack", { reason: "No" }),
    ]);
    expect(both.map(refusalOf).toSorted()).toEqual(["accepted", "workorderChanged"]);
  });

  it("registers the installed device at the clinic when accepting the work", async () => {
    const all = await setupAfterSales();
    const made = await createStartedWorkOrder(all, {
      type: "installation",
      deviceId: undefined,
      product: "Arcada Scan",
      model: "S2",
      serialNumber: `NEW-${all.serial}`,
    });
    const done = await takeWorkOrderStep(all.technician, await fillCompletion(all.technician, made, 6), "submit");
    await takeWorkOrderStep(all.chief, done, "pass");
    const { list } = await all.chief.call("device.list", { search: `NEW-${all.serial}` });
    expect(list).toMatchObject([{ clinicId: all.clinicId, state: "unbound", model: "S2" }]);
  });

  it("can reopen a finished order for thirty days and not a second longer; then the order closes", async () => {
    const all = await setupAfterSales();
    const shifted = async (order: Workorder, seconds: number) => {
      const at = new Date(Date.now() - workorderRules.closeDays * 86_400_000 + seconds * 1000).toISOString();
      await all.testServer.running.database.asSystem((db) =>
        sql`update work_order set finished_at = ${at} where id = ${order.id}`.execute(db),
      );
      return viewWorkOrder(all.chief, order);
    };
    const passed = await takeWorkOrderStep(all.chief, await createSubmittedWorkOrder(all), "pass");
    const late = await shifted(passed, -1);
    await expectRefusal("workorderReopenLate", all.chief, late, "reopen", { reason: "It broke again" });
    const early = await shifted(passed, 5);
    expect((await takeWorkOrderStep(all.chief, early, "reopen", { reason: "It broke again" })).reworkCount).toBe(1);
    const again = await takeWorkOrderStep(
      all.chief,
      await takeWorkOrderStep(all.technician, await viewWorkOrder(all.technician, passed), "submit"),
      "pass",
    );
    const due = Date.parse(present(again.finishedAt, "finishedAt")) + workorderRules.closeDays * 86_400_000;
    await closeFinished(all.testServer.running.database, new Date(due - 1000));
    expect((await viewWorkOrder(all.chief, again)).state).toBe("finished");
    await closeFinished(all.testServer.running.database, new Date(due + 1000));
    expect(await viewWorkOrder(all.chief, again)).toMatchObject({ state: "closed", outcome: "done", actions: [] });
  });

  it("can void an order in progress unless a part was used", async () => {
    const all = await setupAfterSales();
    const order = await createStartedWorkOrder(all);
    const used = await all.technician.call("workorder.saveFinish", {
      id: order.id,
      version: order.version,
      serialNumber: "",
      description: "",
      parts: [{ name: "Bearing", quantity: 1 }],
    });
    await expectRefusal("workorderPartsUsed", all.chief, used, "void", { reason: "Mistake" });
    await expectRefusal("workorderActionNotAllowed", all.technician, used, "void", { reason: "Mistake" });
    const other = await takeWorkOrderStep(all.chief, await createStartedWorkOrder(all), "void", {
      reason: "Reported twice",
    });
    expect(other).toMatchObject({ state: "closed", outcome: "void" });
  });
});
