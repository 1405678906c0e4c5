import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { Order } from "@arcada/contract/order/order.calls";
import { receiptRules } from "@arcada/contract/order/forward.rules";
import { crownFor, sentOrder, smallScan, steps, takenStudy } from "../../../../tests/orders.ts";
import { newPatient } from "../../../../tests/uploads.ts";
import { world } from "../../../../tests/world.ts";
import type { Person, World } from "../../../../tests/world.ts";
import { tell } from "../platform/events/events.ts";
import { files } from "../platform/runtime/services.ts";
import { autoComplete, handOverWaiting } from "./order.jobs.ts";

const database = (here: World) => here.server.running.database;
const makeReady = (here: World, studyId: string, patientId: string, beforeCommit = async (): Promise<void> => {}) =>
  database(here).asSystem(async (db) => {
    await sql`update study set state = 'ready' where id = ${studyId}`.execute(db);
    await tell(db, {
      name: "studyReady",
      sent: false,
      studyId,
      patientId,
      institution: here.clinic.iid!,
      user: here.clinic.uid,
      kind: "model",
      again: false,
    });
    await beforeCommit();
  });
async function waiting(here: World) {
  const patientId = await newPatient(here.clinic);
  const studies = [
    await takenStudy(here.server, here.clinic, patientId, "model", { state: "converting" }),
    await takenStudy(here.server, here.clinic, patientId, "panorama", { state: "converting" }),
  ];
  return { patientId, studies, order: await sentOrder(here, { patientId, studies, noDigitalFiles: false }) };
}
const noticesOf = (here: World, who: Person) =>
  database(here).asSystem((db) =>
    db.selectFrom("notice").select(["kind", "params"]).where("user_id", "=", who.uid).orderBy("created_at").execute(),
  );

describe("the outbox", () => {
  it("waits while studies are converted, and hands over with the last of them", async () => {
    const here = await world();
    const { patientId, studies, order } = await waiting(here);
    expect(order).toMatchObject({
      state: "awaiting_sending",
      step: "uploading",
      turn: "nobody",
      actions: ["recall", "cancel"],
    });
    expect((await here.lab.gets("order.list", {})).total).toBe(0);
    await makeReady(here, studies[0]!, patientId);
    expect((await here.dentist.gets("order.detail", { id: order.id })).state).toBe("awaiting_sending");
    await makeReady(here, studies[1]!, patientId);
    const arrived = await here.lab.gets("order.detail", { id: order.id });
    expect(arrived).toMatchObject({ state: "pending", turn: "receiver" });
    expect(arrived.files.map((file) => file.role).toSorted()).toEqual(["image", "upperScan"]);
    expect(await noticesOf(here, here.lab)).toMatchObject([{ kind: "orderArrived", params: { number: order.number } }]);
  });

  it("hands over once when both studies become ready at the same moment", async () => {
    const here = await world();
    const { patientId, studies, order } = await waiting(here);
    await Promise.all(studies.map((study) => makeReady(here, study, patientId)));
    const { state, events } = await here.dentist.gets("order.detail", { id: order.id });
    expect([state, events.map((event) => event.action)]).toEqual(["pending", ["create", "submit", "handOver"]]);
  });

  it("misses no study that becomes ready while its order is being sent", async () => {
    const here = await world();
    const patientId = await newPatient(here.clinic);
    const study = await takenStudy(here.server, here.clinic, patientId, "model", { state: "converting" });
    const draft = await here.dentist.gets("order.save", crownFor(patientId, here.lab.iid, { studies: [study] }));
    let sending: Promise<Order> | undefined;
    await makeReady(here, study, patientId, async () => {
      // The ingest has looked for waiting orders and found none, but is not yet committed.
      sending = steps(here.dentist, draft, "submit");
      await Promise.race([sending, setTimeout(300)]);
    });
    expect(await sending).toMatchObject({ state: "pending" });
  });

  it("says why a hand-over failed, lets the clinic take the order back, and is swept up after a lost event", async () => {
    const here = await world();
    const { studies, order } = await waiting(here);
    await database(here).asSystem((db) =>
      sql`update study set state = 'ready' where id = any(${studies}::uuid[])`.execute(db),
    );
    await database(here).asSystem((db) =>
      sql`update relation set state = 'closing' where institution_id = ${here.clinic.iid}`.execute(db),
    );
    await handOverWaiting(database(here));
    const failed = await here.dentist.gets("order.detail", { id: order.id });
    expect(failed).toMatchObject({ state: "awaiting_sending", step: "send_failed", turn: "sender", myTurn: true });
    expect(failed.events.at(-1)).toMatchObject({ action: "transferFailed", side: "system", text: "orderNoRelation" });
    const draft = await steps(here.dentist, failed, "recall");
    expect(draft).toMatchObject({ state: "draft", actions: ["edit", "delete", "submit"] });
    await database(here).asSystem((db) =>
      sql`update relation set state = 'established' where institution_id = ${here.clinic.iid}`.execute(db),
    );
    expect(await steps(here.dentist, draft, "submit")).toMatchObject({ state: "pending" });
  });

  it("never hands over a file that the store has lost", async () => {
    const here = await world();
    const patientId = await newPatient(here.clinic);
    const upload = await here.dentist.uploads("upper.stl", smallScan(7));
    const draft = await here.dentist.gets(
      "order.save",
      crownFor(patientId, here.lab.iid, { uploads: [{ upload, role: "upperScan" }] }),
    );
    await files().remove("originals", here.clinic.iid!, draft.files[0]!.sha256);
    const sent = await steps(here.dentist, draft, "submit");
    expect(sent).toMatchObject({ state: "awaiting_sending", step: "send_failed" });
    expect(sent.events.at(-1)?.text).toBe("uploadIncomplete: upper.stl");
    expect((await here.lab.asks("order.detail", { id: draft.id })).code).toBe(refusals.notFound.code);
  });
});

describe("a receipt that nobody confirms", () => {
  it("closes after thirty days, and not a moment earlier", async () => {
    const here = await world();
    let order = await steps(here.designer, await sentOrder(here, { workKinds: ["machining"] }), "accept");
    order = await steps(here.designer, order, "dispatch", { handDelivery: true });
    const left = Date.parse(order.shipment!.at);
    const due = left + receiptRules.days * 86_400_000;
    await autoComplete(database(here), new Date(due - 1000));
    expect((await here.dentist.gets("order.detail", { id: order.id })).state).toBe("awaiting_receipt");
    await autoComplete(database(here), new Date(due + 1000));
    const done = await here.dentist.gets("order.detail", { id: order.id });
    expect(done).toMatchObject({ state: "completed", turn: "nobody" });
    expect(done.events.at(-1)).toMatchObject({ action: "autoComplete", side: "system", who: "" });
  });
});

describe("who is told", () => {
  it("tells the other side's managers, the person in charge or the dentist, and never the one who acted", async () => {
    const here = await world();
    const order = await steps(here.designer, await sentOrder(here), "accept");
    const asked = await steps(here.lab, order, "requestInfo", { text: "?" });
    await steps(here.clinic, asked, "supplyInfo", { text: "!" });
    const told = async (who: Person) =>
      (await noticesOf(here, who)).map((notice) => (notice.params as { action: string }).action);
    expect(await told(here.lab)).toEqual(["handOver", "supplyInfo"]);
    expect(await told(here.dentist)).toEqual(["accept", "requestInfo"]);
    expect(await told(here.clinic)).toEqual(["requestInfo"]);
    expect(await told(here.designer)).toEqual([]);
  });
});
