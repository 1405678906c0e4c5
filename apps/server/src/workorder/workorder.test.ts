import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { Workorder } from "@arcada/contract/workorder/workorder.calls";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { Person } from "../../../../tests/world.ts";
import {
  brings,
  fault,
  finishes,
  madeOrder,
  picture,
  seen,
  sendPiece,
  service,
  started,
  step,
  stepped,
  submitted,
} from "../../../../tests/workorders.ts";
import { closeFinished } from "./workorder.jobs.ts";

const code = (name: RefusalName) => refusals[name].code;

/** Refused by this name, and nothing changed. */
async function refuses(name: RefusalName, who: Person, order: Workorder, action: string, more = {}): Promise<void> {
  const before = await seen(who, order);
  expect([action, (await step(who, order, action, more)).code]).toEqual([action, code(name)]);
  expect({ ...(await seen(who, order)), files: [] }).toEqual({ ...before, files: [] });
}

describe("a work order", () => {
  it("goes from a clinic's report to its acceptance by somebody else, and to paper", async () => {
    const all = await service();
    const made = await all.clinic.gets("workorder.create", fault(all));
    expect(made).toMatchObject({
      state: "new",
      assignee: null,
      turn: "admin",
      number: expect.stringMatching(/^W\d{8}-\d{3,}$/),
    });
    const given = await stepped(all.chief, made, "assign", { personId: all.technician.uid });
    const { list, unread } = await all.technician.gets("workorder.list", { mine: "true" });
    expect([list.map(({ id }) => id), list[0]!.unread, unread]).toEqual([[made.id], true, 1]);
    expect((await seen(all.technician, given)).unread).toBe(false);
    const begun = await stepped(all.technician, given, "start");
    await all.technician.gets("workorder.note", { id: made.id, text: "The bearing is worn", isInternal: false });
    await all.technician.gets("workorder.note", { id: made.id, text: "Wrongly mounted by us", isInternal: true });
    const done = await stepped(all.technician, await finishes(all.technician, begun), "submit");
    const passed = await stepped(all.chief, done, "pass");
    expect(passed).toMatchObject({ state: "finished", turn: null, reviewer: all.chief.name });
    const clinics = await seen(all.clinic, made);
    const told = ["create", "start", "The bearing is worn", "pass"];
    expect(clinics.log.map(({ action, text }) => action ?? text)).toEqual(told);
    expect(JSON.stringify(clinics)).not.toContain("Wrongly mounted");
    const { url } = await all.clinic.gets("workorder.paper", { id: made.id, lang: "zh" });
    const paper = await fetch(`${all.here.running.address}${url}`);
    expect([paper.status, paper.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    const { info } = await all.clinic.gets("notice.query", {});
    expect(info["0"].list.map(({ kind, params }) => [kind, params["state"]])).toEqual([
      ["workorderNews", "finished"],
      ["workorderNews", "in_progress"],
    ]);
  });

  it("is nobody's who has nothing to do with it", async () => {
    const all = await service();
    const order = await madeOrder(all);
    const stranger = (await service()).clinic;
    for (const who of [stranger, all.colleague])
      expect((await who.asks("workorder.detail", { id: order.id })).code).toBe(code("notFound"));
    expect((await all.colleague.gets("workorder.list", {})).list).toEqual([]);
    expect((await stranger.asks("workorder.create", fault(all))).code).toBe(code("workorderDeviceForeign"));
    expect((await all.clinic.asks("workorder.create", { ...fault(all), type: "installation" })).code).toBe(
      code("notAllowed"),
    );
    expect((await all.clinic.asks("workorder.step", { id: order.id, version: 0, action: "void" })).code).toBe(
      code("notAllowed"),
    );
  });

  it("is found by what stands in it, Chinese by its sound", async () => {
    const all = await service();
    const order = await madeOrder(all, { contact: "林晓" });
    for (const search of [order.number, order.device.serialNumber.toLowerCase(), "林晓", "linxiao"])
      expect([search, (await all.chief.gets("workorder.list", { search })).list.map(({ id }) => id)]).toEqual([
        search,
        expect.arrayContaining([order.id]),
      ]);
    expect((await all.chief.gets("workorder.list", { search: "nothing-of-it" })).total).toBe(0);
  });
});

describe("handing on", () => {
  it("goes to the alternate at once, and without one through an administrator", async () => {
    const all = await service();
    const order = await started(all, { alternateId: all.colleague.uid });
    await refuses("workorderHasAlternate", all.technician, order, "askTransfer", { reason: "Ill" });
    await refuses("workorderReasonMissing", all.technician, order, "handOver");
    const handed = await stepped(all.technician, order, "handOver", { reason: "Ill" });
    expect(handed).toMatchObject({ assignee: { id: all.colleague.uid }, alternate: null });
    await refuses("workorderNoAlternate", all.colleague, handed, "handOver", { reason: "Ill too" });
    const asked = await stepped(all.colleague, handed, "askTransfer", { reason: "Ill too" });
    await refuses("workorderSamePerson", all.chief, asked, "approveTransfer", { personId: all.colleague.uid });
    await refuses("workorderNotStaff", all.chief, asked, "approveTransfer", { personId: all.clinic.uid });
    await refuses("workorderReasonMissing", all.chief, asked, "refuseTransfer");
    const back = await stepped(all.chief, asked, "approveTransfer", { personId: all.technician.uid });
    expect((await all.technician.gets("workorder.list", {})).list.find(({ id }) => id === order.id)).toMatchObject({
      unread: true,
    });
    expect(back.assignee?.id).toBe(all.technician.uid);
  });

  it("assigns many at once, or none of them", async () => {
    const all = await service();
    const [one, two] = [
      await madeOrder(all, { assigneeId: undefined }),
      await madeOrder(all, { assigneeId: undefined }),
    ];
    const wish = (version: number) => ({
      orders: [one, { ...two, version }].map((each) => ({ id: each.id, version: each.version })),
      personId: all.technician.uid,
    });
    expect((await all.chief.asks("workorder.assign", wish(9))).code).toBe(code("workorderChanged"));
    expect((await seen(all.chief, one)).assignee).toBeNull();
    expect(await all.chief.gets("workorder.assign", wish(0))).toEqual({ given: 2 });
  });
});

describe("the finished work", () => {
  it.each([
    ["repair", 2, 1],
    ["moveMachine", 6, 5],
  ] as const)("of a %s is shown by %i pictures at least", async (type, least, few) => {
    const all = await service();
    const order = await started(all, { type, toAddress: "Second floor" });
    const lacking = await finishes(all.technician, order, few);
    await refuses("workorderPicturesFew", all.technician, lacking, "submit");
    for (let at = few; at < least; at++) await brings(all.technician, order, "picture", await picture());
    expect((await stepped(all.technician, lacking, "submit")).state).toBe("acceptance_review");
  });

  it("takes ten pictures, and no eleventh", async () => {
    const all = await service();
    const order = await finishes(all.technician, await started(all), 10);
    const more = { id: order.id, role: "picture" as const, name: "11.jpg", bytes: 100 };
    expect((await all.technician.asks("workorder.addFile", more)).code).toBe(code("workorderPicturesMany"));
    expect((await stepped(all.technician, order, "submit")).files).toHaveLength(11);
  });

  it("has files of 20 MB at most, 200 MB together, and all of them here", async () => {
    const all = await service();
    const order = await started(all);
    const add = (bytes: number) =>
      all.technician.asks("workorder.addFile", { id: order.id, role: "attachment", name: "log.zip", bytes });
    expect((await add(workorderRules.fileBytes + 1)).code).toBe(code("workorderFileTooLarge"));
    for (let at = 0; at < 10; at++) expect((await add(workorderRules.fileBytes)).code).toBe(200);
    expect((await add(1)).code).toBe(code("workorderFilesTooLarge"));
    await refuses("workorderFilesSending", all.technician, order, "submit");
  });

  it("lacks nothing: the right serial number, a description, a receipt", async () => {
    const all = await service();
    const order = await started(all);
    for (const shade of [1, 2]) await brings(all.technician, order, "picture", await picture(shade));
    const write = async (from: Workorder, serialNumber: string, description: string) =>
      all.technician.gets("workorder.saveFinish", {
        id: order.id,
        version: from.version,
        serialNumber,
        description,
        parts: [],
      });
    const wrong = await write(order, `${all.serial}0`, "Done");
    await refuses("workorderSerialWrong", all.technician, wrong, "submit");
    const silent = await write(wrong, all.serial.toLowerCase(), "");
    await refuses("workorderFinishMissing", all.technician, silent, "submit");
    const whole = await write(silent, all.serial, "Done");
    await refuses("workorderReceiptMissing", all.technician, whole, "submit");
    await brings(all.technician, order, "receipt", await picture());
    const frozen = await stepped(all.technician, whole, "submit");
    const late = { id: order.id, version: frozen.version, serialNumber: "", description: "", parts: [] };
    expect((await all.technician.asks("workorder.saveFinish", late)).code).toBe(code("workorderActionNotAllowed"));
    expect(
      (await all.technician.asks("workorder.removeFile", { id: order.id, fileId: frozen.files[0]!.id })).code,
    ).toBe(code("workorderActionNotAllowed"));
    expect((await stepped(all.chief, frozen, "sendBack", { reason: "Blurred" })).state).toBe("in_progress");
  });

  it("takes what is a picture by its content, goes on where it was cut, and shows it without the camera's words", async () => {
    const all = await service();
    const order = await started(all);
    const text = await all.technician.gets("workorder.addFile", {
      id: order.id,
      role: "picture",
      name: "a.jpg",
      bytes: 5,
    });
    expect((await sendPiece(all.technician, text.id, 0, Buffer.from("hello"))).code).toBe(code("workorderFileKind"));
    const bytes = await picture();
    const file = await all.technician.gets("workorder.addFile", {
      id: order.id,
      role: "picture",
      name: "b.jpg",
      bytes: bytes.length,
    });
    await sendPiece(all.technician, file.id, 0, bytes.subarray(0, 100));
    expect((await seen(all.technician, order)).files).toMatchObject([{ offset: 100, isHere: false }]);
    expect(await sendPiece(all.technician, file.id, 0, bytes)).toMatchObject({
      code: code("uploadOffset"),
      data: { offset: "100" },
    });
    expect((await sendPiece(all.colleague, file.id, 100, bytes.subarray(100))).code).toBe(code("uploadUnknown"));
    const rest = () => sendPiece(all.technician, file.id, 100, bytes.subarray(100));
    // Repeats the request, like a client that has not received the response.
    expect([await rest(), await rest()]).toMatchObject([{ code: 200 }, { code: 200, data: { offset: bytes.length } }]);
    await expect
      .poll(async () => (await seen(all.technician, order)).files[0]?.shown, { timeout: 10_000 })
      .toBeTruthy();
    const [shown] = (await seen(all.technician, order)).files;
    const whole = await fetch(`${all.here.running.address}${shown!.url}`);
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true);
    expect((await fetch(`${all.here.running.address}${shown!.shown}`)).status).toBe(200);
    await all.technician.gets("workorder.removeFile", { id: order.id, fileId: file.id });
    expect((await fetch(`${all.here.running.address}${shown!.url}`)).status).toBe(404);
  });
});

describe("the acceptance", () => {
  it("is somebody else's, and of two administrators at once the first one's", async () => {
    const all = await service();
    const own = await stepped(all.chief, await madeOrder(all, { assigneeId: all.chief.uid }), "start");
    const handedIn = await stepped(all.chief, await finishes(all.chief, own), "submit");
    await refuses("workorderOwnReview", all.chief, handedIn, "pass");
    const order = await submitted(all);
    const both = await Promise.all([
      step(all.chief, order, "pass"),
      step(all.deputy, order, "sendBack", { reason: "No" }),
    ]);
    expect(both.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([200, code("workorderChanged")]);
  });

  it("registers the device that was installed at the clinic", async () => {
    const all = await service();
    const made = await started(all, {
      type: "installation",
      deviceId: undefined,
      product: "Arcada Scan",
      model: "S2",
      serialNumber: `NEW-${all.serial}`,
    });
    const done = await stepped(all.technician, await finishes(all.technician, made, 6), "submit");
    await stepped(all.chief, done, "pass");
    const { list } = await all.chief.gets("device.list", { search: `NEW-${all.serial}` });
    expect(list).toMatchObject([{ clinicId: all.clinicId, state: "unbound", model: "S2" }]);
  });

  it("may be taken back for thirty days and not a second longer; then the order closes", async () => {
    const all = await service();
    const shifted = async (order: Workorder, seconds: number) => {
      const at = new Date(Date.now() - workorderRules.closeDays * 86_400_000 + seconds * 1000).toISOString();
      await all.here.running.database.asSystem((db) =>
        sql`update work_order set finished_at = ${at} where id = ${order.id}`.execute(db),
      );
      return seen(all.chief, order);
    };
    const passed = await stepped(all.chief, await submitted(all), "pass");
    const late = await shifted(passed, -1);
    await refuses("workorderReopenLate", all.chief, late, "reopen", { reason: "It broke again" });
    const early = await shifted(passed, 5);
    expect((await stepped(all.chief, early, "reopen", { reason: "It broke again" })).reworkCount).toBe(1);
    const again = await stepped(
      all.chief,
      await stepped(all.technician, await seen(all.technician, passed), "submit"),
      "pass",
    );
    const due = Date.parse(again.finishedAt!) + workorderRules.closeDays * 86_400_000;
    await closeFinished(all.here.running.database, new Date(due - 1000));
    expect((await seen(all.chief, again)).state).toBe("finished");
    await closeFinished(all.here.running.database, new Date(due + 1000));
    expect(await seen(all.chief, again)).toMatchObject({ state: "closed", outcome: "done", actions: [] });
  });

  it("voids what is under way, unless a part was used", async () => {
    const all = await service();
    const order = await started(all);
    const used = await all.technician.gets("workorder.saveFinish", {
      id: order.id,
      version: order.version,
      serialNumber: "",
      description: "",
      parts: [{ name: "Bearing", quantity: 1 }],
    });
    await refuses("workorderPartsUsed", all.chief, used, "void", { reason: "Mistake" });
    await refuses("workorderActionNotAllowed", all.technician, used, "void", { reason: "Mistake" });
    const other = await stepped(all.chief, await started(all), "void", { reason: "Reported twice" });
    expect(other).toMatchObject({ state: "closed", outcome: "void" });
  });
});
