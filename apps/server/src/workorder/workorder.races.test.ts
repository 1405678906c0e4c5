import { describe, expect, it } from "vitest";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import type { Person } from "../../../../tests/world.ts";
import {
  finishes,
  madeOrder,
  picture,
  brings,
  seen,
  service,
  started,
  step,
  stepped,
} from "../../../../tests/workorders.ts";
import type { Service } from "../../../../tests/workorders.ts";

const code = (name: RefusalName) => refusals[name].code;
const rounds = process.env.ARCADA_PROOF === "full" ? 100 : 4;

const dismissed = async (operator: Person, person: Person) => {
  const { id, version } = (await operator.gets("operator.staff", {})).find(({ userId }) => userId === person.uid)!;
  return operator.asks("operator.dismiss", { id, version });
};
/** Both begin at the same moment, one of them a little later in each round. */
const together = (round: number, ...asks: (() => Promise<{ code: number }>)[]): Promise<{ code: number }[]> =>
  Promise.all(
    asks.map(async (ask, place) => {
      await new Promise((resolve) => setTimeout(resolve, place === round % 2 ? round % 5 : 0));
      return ask();
    }),
  );

describe("a dismissal", () => {
  it(
    `and an assignment at one moment: work is given, or the person goes, never both; ${rounds} times`,
    { timeout: 120_000 },
    async () => {
      const all = await service();
      const operator = await all.here.person("operator");
      for (let round = 0; round < rounds; round++) {
        const person = await all.here.person("afterSalesMember");
        const order = await madeOrder(all, { assigneeId: undefined });
        const [given, gone] = await together(
          round,
          () => step(all.chief, order, "assign", { personId: person.uid }),
          () => dismissed(operator, person),
        );
        const won = given!.code === 200;
        expect([given!.code, gone!.code]).toEqual(won ? [200, code("staffHasWork")] : [code("workorderNotStaff"), 200]);
        expect((await seen(all.chief, order)).assignee?.id ?? null).toBe(won ? person.uid : null);
      }
    },
  );

  it("of whoever would take over leaves the way to another person open", async () => {
    const all = await service();
    const operator = await all.here.person("operator");
    const order = await started(all, { alternateId: all.colleague.uid });
    expect(order.actions).toContain("handOver");
    expect((await dismissed(operator, all.colleague)).code).toBe(200);
    const now = await seen(all.technician, order);
    expect([now.actions.includes("handOver"), now.actions.includes("askTransfer")]).toEqual([false, true]);
    expect((await step(all.technician, now, "handOver", { reason: "Ill" })).code).toBe(code("workorderNoAlternate"));
    expect((await stepped(all.technician, now, "askTransfer", { reason: "Ill" })).state).toBe("transfer_review");
  });
});

describe("the finished work", () => {
  it("is accepted once by two administrators at one moment, and told once", async () => {
    const all = await service();
    const order = await handedIn(all);
    const both = await together(
      0,
      () => step(all.chief, order, "pass"),
      () => step(all.deputy, order, "pass"),
    );
    expect(both.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([200, code("workorderChanged")]);
    const { log, state } = await seen(all.chief, order);
    expect([state, log.filter(({ action }) => action === "pass").length]).toEqual(["finished", 1]);
  });

  it("takes nine pictures and a tenth, and of three more at one moment none", async () => {
    const all = await service();
    const order = await started(all, { type: "moveMachine", toAddress: "Second floor" });
    for (let at = 0; at < 9; at++) await brings(all.technician, order, "picture", await picture(at * 20));
    const { most } = workorderRules.pictures.moveMachine;
    const add = () =>
      all.technician.asks("workorder.addFile", { id: order.id, role: "picture", name: "more.jpg", bytes: 100 });
    const answers = await together(1, add, add, add, add);
    expect(answers.map((answer) => answer.code).toSorted((a, b) => a - b)).toEqual([
      200,
      ...[1, 2, 3].map(() => code("workorderPicturesMany")),
    ]);
    expect((await seen(all.technician, order)).files).toHaveLength(most);
  });
});

const handedIn = async (all: Service) =>
  stepped(all.technician, await finishes(all.technician, await started(all)), "submit");
