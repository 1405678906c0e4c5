import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { receiptRules } from "@arcada/contract/order/order-steps.rules";
import { crownOrderInput, sendOrder, smallScanStl, takeStep, insertStudy } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestSetup } from "@arcada/testing/setup/test-server";
import { publish } from "../../platform/events/events.ts";
import { files } from "../../platform/runtime/services.ts";
import { autoCompleteOrders, handOverWaitingOrders } from "./scheduled-transitions.ts";
import { studyReady } from "../../study/study.events.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const database = (env: TestSetup) => env.server.running.database;
const makeReady = (env: TestSetup, studyId: string, patientId: string, beforeCommit = async (): Promise<void> => {}) =>
  database(env).asSystem(async (db) => {
    await sql`update study set state = 'ready' where id = ${studyId}`.execute(db);
    await publish(db, studyReady, {
      sent: false,
      studyId,
      patientId,
      job: null,
      institution: env.clinic.iid,
      user: env.clinic.uid,
      kind: "model",
      again: false,
    });
    await beforeCommit();
  });
async function waiting(env: TestSetup) {
  const patientId = await createPatient(env.clinic);
  const studies = [
    await insertStudy(env.server, env.clinic, patientId, "model", { state: "converting" }),
    await insertStudy(env.server, env.clinic, patientId, "panorama", { state: "converting" }),
  ];
  return { patientId, studies, order: await sendOrder(env, { patientId, studies, noDigitalFiles: false }) };
}
const noticesOf = (env: TestSetup, who: TestUser) =>
  database(env).asSystem((db) =>
    db.selectFrom("notice").select(["kind", "params"]).where("user_id", "=", who.uid).orderBy("created_at").execute(),
  );

describe("the outbox", () => {
  it("waits while studies are converted, and hands over with the last of them", async () => {
    const env = await setup();
    const { patientId, studies, order } = await waiting(env);
    expect(order).toMatchObject({
      state: "awaiting_sending",
      step: "uploading",
      turn: "nobody",
      actions: ["recall", "cancel"],
    });
    expect((await env.lab.call("order.list", {})).total).toBe(0);
    await makeReady(env, studies[0], patientId);
    expect((await env.dentist.call("order.detail", { id: order.id })).state).toBe("awaiting_sending");
    await makeReady(env, studies[1], patientId);
    const arrived = await env.lab.call("order.detail", { id: order.id });
    expect(arrived).toMatchObject({ state: "pending", turn: "receiver" });
    expect(arrived.files.map((file) => file.role).toSorted()).toEqual(["image", "upperScan"]);
    expect(await noticesOf(env, env.lab)).toMatchObject([{ kind: "orderArrived", params: { number: order.number } }]);
  });

  it("hands over once when both studies become ready at the same moment", async () => {
    const env = await setup();
    const { patientId, studies, order } = await waiting(env);
    await Promise.all(studies.map((study) => makeReady(env, study, patientId)));
    const { state, events } = await env.dentist.call("order.detail", { id: order.id });
    expect([state, events.map((event) => event.action)]).toEqual(["pending", ["create", "submit", "handOver"]]);
  });

  it("misses no study that becomes ready while its order is being sent", async () => {
    const env = await setup();
    const patientId = await createPatient(env.clinic);
    const study = await insertStudy(env.server, env.clinic, patientId, "model", { state: "converting" });
    const draft = await env.dentist.call("order.save", crownOrderInput(patientId, env.lab.iid, { studies: [study] }));
    let sending: Promise<Order> | undefined;
    await makeReady(env, study, patientId, async () => {
      // The ingest has looked for waiting orders and found none, but is not yet committed.
      sending = takeStep(env.dentist, draft, "submit");
      await Promise.race([sending, setTimeout(300)]);
    });
    expect(await sending).toMatchObject({ state: "pending" });
  });

  it("reports why a hand-over failed, lets the clinic recall the order, and is processed by a sweep after a lost event", async () => {
    const env = await setup();
    const { studies, order } = await waiting(env);
    await database(env).asSystem((db) =>
      sql`update study set state = 'ready' where id = any(${studies}::uuid[])`.execute(db),
    );
    await database(env).asSystem((db) =>
      sql`update relation set state = 'closing' where institution_id = ${env.clinic.iid}`.execute(db),
    );
    await handOverWaitingOrders(database(env));
    const failed = await env.dentist.call("order.detail", { id: order.id });
    expect(failed).toMatchObject({ state: "awaiting_sending", step: "send_failed", turn: "sender", myTurn: true });
    expect(failed.events.at(-1)).toMatchObject({ action: "transferFailed", side: "system", text: "orderNoRelation" });
    const draft = await takeStep(env.dentist, failed, "recall");
    expect(draft).toMatchObject({ state: "draft", actions: ["edit", "delete", "submit"] });
    await database(env).asSystem((db) =>
      sql`update relation set state = 'established' where institution_id = ${env.clinic.iid}`.execute(db),
    );
    expect(await takeStep(env.dentist, draft, "submit")).toMatchObject({ state: "pending" });
  });

  it("never hands over a file that is missing in the store", async () => {
    const env = await setup();
    const patientId = await createPatient(env.clinic);
    const upload = await env.dentist.upload("upper.stl", smallScanStl(7));
    const draft = await env.dentist.call(
      "order.save",
      crownOrderInput(patientId, env.lab.iid, { uploads: [{ upload, role: "upperScan" }] }),
    );
    await files().remove("originals", env.clinic.iid, draft.files[0].sha256);
    const sent = await takeStep(env.dentist, draft, "submit");
    expect(sent).toMatchObject({ state: "awaiting_sending", step: "send_failed" });
    expect(sent.events.at(-1)?.text).toBe("uploadIncomplete: upper.stl");
    expect(refusalOf(await env.lab.ask("order.detail", { id: draft.id }))).toBe("notFound");
  });
});

describe("a receipt that nobody confirms", () => {
  it("closes after thirty days, and not a moment earlier", async () => {
    const env = await setup();
    let order = await takeStep(env.designer, await sendOrder(env, { workKinds: ["machining"] }), "accept");
    order = await takeStep(env.designer, order, "dispatch", { handDelivery: true });
    const left = Date.parse(present(order.shipment, "shipment").at);
    const due = left + receiptRules.days * 86_400_000;
    await autoCompleteOrders(database(env), new Date(due - 1000));
    expect((await env.dentist.call("order.detail", { id: order.id })).state).toBe("awaiting_receipt");
    await autoCompleteOrders(database(env), new Date(due + 1000));
    const done = await env.dentist.call("order.detail", { id: order.id });
    expect(done).toMatchObject({ state: "completed", turn: "nobody" });
    expect(done.events.at(-1)).toMatchObject({ action: "autoComplete", side: "system", who: "" });
  });
});

describe("the notices of a step", () => {
  it("reach the other side's managers, the person in charge or the dentist, and never the user who acted", async () => {
    const env = await setup();
    const order = await takeStep(env.designer, await sendOrder(env), "accept");
    const asked = await takeStep(env.lab, order, "requestInfo", { text: "?" });
    await takeStep(env.clinic, asked, "supplyInfo", { text: "!" });
    const told = async (who: TestUser) =>
      (await noticesOf(env, who)).map((notice) => (notice.params as { action: string }).action);
    expect(await told(env.lab)).toEqual(["handOver", "supplyInfo"]);
    expect(await told(env.dentist)).toEqual(["accept", "requestInfo"]);
    expect(await told(env.clinic)).toEqual(["requestInfo"]);
    expect(await told(env.designer)).toEqual([]);
  });
});
