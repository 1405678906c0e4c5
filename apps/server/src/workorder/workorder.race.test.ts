import { describe, expect, it } from "vitest";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { AnyTestUser } from "@arcada/testing/setup/test-server";
import {
  fillCompletion,
  createWorkOrder,
  randomJpeg,
  addWorkOrderFile,
  viewWorkOrder,
  setupAfterSales,
  createStartedWorkOrder,
  askWorkOrderStep,
  takeWorkOrderStep,
} from "@arcada/testing/fixtures/work-orders";
import type { AfterSalesSetup } from "@arcada/testing/fixtures/work-orders";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const rounds = process.env.ARCADA_PROOF === "full" ? 100 : 4;

const dismissStaff = async (operator: AnyTestUser, person: AnyTestUser) => {
  const { id, version } = present(
    (await operator.call("operator.staff", {})).find(({ userId }) => userId === person.uid),
  );
  return operator.ask("operator.dismiss", { id, version });
};
/** Both begin at the same moment, one of them a little later in each round. */
const runTogether = (round: number, ...asks: (() => Promise<{ code: number }>)[]): Promise<{ code: number }[]> =>
  Promise.all(
    asks.map(async (ask, place) => {
      await new Promise((resolve) => setTimeout(resolve, place === round % 2 ? round % 5 : 0));
      return ask();
    }),
  );

describe("a dismissal", () => {
  it(
    `and a concurrent assignment: the work is assigned or the person is dismissed, never both; ${rounds} times`,
    { timeout: 120_000 },
    async () => {
      const all = await setupAfterSales();
      const operator = await all.testServer.createUser("operator");
      for (let round = 0; round < rounds; round++) {
        const person = await all.testServer.createUser("afterSalesMember");
        const order = await createWorkOrder(all, { assigneeId: undefined });
        const [given, gone] = await runTogether(
          round,
          () => askWorkOrderStep(all.chief, order, "assign", { personId: person.uid }),
          () => dismissStaff(operator, person),
        );
        const won = given.code === 200;
        expect([given, gone].map(refusalOf)).toEqual(
          won ? ["accepted", "staffHasWork"] : ["workorderNotStaff", "accepted"],
        );
        expect((await viewWorkOrder(all.chief, order)).assignee?.id ?? null).toBe(won ? person.uid : null);
      }
    },
  );

  it("of the alternate leaves the transfer to another person open", async () => {
    const all = await setupAfterSales();
    const operator = await all.testServer.createUser("operator");
    const order = await createStartedWorkOrder(all, { alternateId: all.colleague.uid });
    expect(order.actions).toContain("handOver");
    expect((await dismissStaff(operator, all.colleague)).code).toBe(200);
    const now = await viewWorkOrder(all.technician, order);
    expect([now.actions.includes("handOver"), now.actions.includes("askTransfer")]).toEqual([false, true]);
    expect(refusalOf(await askWorkOrderStep(all.technician, now, "handOver", { reason: "Ill" }))).toBe(
      "workorderNoAlternate",
    );
    expect((await takeWorkOrderStep(all.technician, now, "askTransfer", { reason: "Ill" })).state).toBe(
      "transfer_review",
    );
  });
});

describe("the finished work", () => {
  it("is accepted once by two administrators at the same time, and logged once", async () => {
    const all = await setupAfterSales();
    const order = await submitWork(all);
    const both = await runTogether(
      0,
      () => askWorkOrderStep(all.chief, order, "pass"),
      () => askWorkOrderStep(all.deputy, order, "pass"),
    );
    expect(both.map(refusalOf).toSorted()).toEqual(["accepted", "workorderChanged"]);
    const { log, state } = await viewWorkOrder(all.chief, order);
    expect([state, log.filter(({ action }) => action === "pass").length]).toEqual(["finished", 1]);
  });

  it("accepts one of four concurrent images after the ninth, up to its limit of ten", async () => {
    const all = await setupAfterSales();
    const order = await createStartedWorkOrder(all, { type: "moveMachine", toAddress: "Second floor" });
    for (let at = 0; at < 9; at++) await addWorkOrderFile(all.technician, order, "picture", await randomJpeg(at * 20));
    const { max: most } = workorderRules.pictures.moveMachine;
    const add = () =>
      all.technician.ask("workorder.addFile", { id: order.id, role: "picture", name: "more.jpg", bytes: 100 });
    const answers = await runTogether(1, add, add, add, add);
    expect(answers.map(refusalOf).toSorted()).toEqual(["accepted", ...[1, 2, 3].map(() => "workorderPicturesMany")]);
    expect((await viewWorkOrder(all.technician, order)).files).toHaveLength(most);
  });
});

const submitWork = async (all: AfterSalesSetup) =>
  takeWorkOrderStep(all.technician, await fillCompletion(all.technician, await createStartedWorkOrder(all)), "submit");
