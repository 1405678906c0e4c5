import { beforeAll, describe, expect, it } from "vitest";
import type { Order } from "@arcada/contract/order/order.calls";
import { addDays } from "@arcada/contract/kernel/time-zone";
import { groupFilter, groupsOfView } from "@arcada/contract/order/order-today.calls";
import type { OrderGroup, TodayRow } from "@arcada/contract/order/order-today.calls";
import {
  crownOrderInput,
  latestRevisionHash,
  sendOrder,
  smallScanStl,
  takeStep,
} from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestSetup, TestUser } from "@arcada/testing/setup/test-server";

type Input = { view?: "board"; personId?: string };
async function readGroups(
  who: TestUser,
  input: Input = {},
): Promise<Map<OrderGroup, { total: number; list: TodayRow[] }>> {
  const { groups } = await who.call("order.today", input);
  return new Map(groups.map((one) => [one.group, one]));
}
const numbersIn = async (who: TestUser, group: OrderGroup, input: Input = {}): Promise<string[]> =>
  present((await readGroups(who, input)).get(group), group).list.map(({ number }) => number);

describe("the orders of the day", () => {
  let env: TestSetup;
  const orders: Record<"waiting" | "asked" | "designed" | "produced" | "shipped" | "reviewed", Order> = {} as never;
  let today = "";
  beforeAll(async () => {
    env = await setup();
    const { lab, dentist, designer } = env;
    today = (await lab.call("order.today", {})).day;
    const patientId = await createPatient(env.clinic);
    const send = (dueDate = "2090-01-01") => sendOrder(env, { patientId, dueDate });
    const acceptFor = async (order: Order, promisedDate = "2090-01-01") =>
      takeStep(lab, order, "accept", { assigneeId: designer.uid, promisedDate });
    orders.waiting = await send();
    orders.asked = await takeStep(lab, await acceptFor(await send()), "requestInfo", { text: "Which shade?" });
    orders.designed = await acceptFor(await send(), today);
    const design = {
      files: [{ upload: await designer.upload("design.stl", smallScanStl()), role: "design" as const }],
    };
    orders.reviewed = await takeStep(designer, await acceptFor(await send()), "submitDesign", design);
    const submitted = await takeStep(designer, await acceptFor(await send()), "submitDesign", design);
    const confirmed = await takeStep(
      dentist,
      await dentist.call("order.detail", { id: submitted.id }),
      "confirmDesign",
      {
        revisionHash: latestRevisionHash(submitted),
      },
    );
    orders.produced = await lab.call("order.detail", { id: confirmed.id });
    const machined = await acceptFor(await sendOrder(env, { patientId, workKinds: ["machining"] }));
    orders.shipped = await takeStep(lab, machined, "dispatch", { handDelivery: true });
  });

  it("stand for the laboratory under what is to be done with them", async () => {
    const { lab } = env;
    expect(await numbersIn(lab, "accept")).toEqual([orders.waiting.number]);
    expect(await numbersIn(lab, "design")).toEqual([orders.designed.number]);
    expect(await numbersIn(lab, "dueToday")).toEqual([orders.designed.number]);
    expect(await numbersIn(lab, "ship")).toEqual([orders.produced.number]);
    expect(await numbersIn(lab, "shipped", { view: "board" })).toEqual([orders.shipped.number]);
    expect((await numbersIn(lab, "atClinic", { view: "board" })).toSorted()).toEqual(
      [orders.asked.number, orders.reviewed.number].toSorted(),
    );
  });

  it("stand for the clinic under what is to be done with them, a question before the design that it holds up", async () => {
    const { dentist } = env;
    expect(await numbersIn(dentist, "answer")).toEqual([orders.asked.number]);
    expect(await numbersIn(dentist, "reviewDesign")).toEqual([orders.reviewed.number]);
    expect(await numbersIn(dentist, "receive")).toEqual([orders.shipped.number]);
    expect(await numbersIn(dentist, "dueSoon")).toEqual([orders.designed.number]);
  });

  it("are as many as the list that a group leads to", async () => {
    for (const who of [env.lab, env.dentist])
      for (const personId of [undefined, env.designer.uid, env.dentist.uid])
        for (const [group, { total }] of await readGroups(who, personId === undefined ? {} : { personId }))
          expect((await who.call("order.list", groupFilter(group, today, personId))).total, group).toBe(total);
    for (const [group, { total }] of await readGroups(env.lab, { view: "board" }))
      expect((await env.lab.call("order.list", groupFilter(group, today))).total, group).toBe(total);
  });

  it("are late from the day after they were due", async () => {
    const { lab } = env;
    const late = await env.dentist.call(
      "order.save",
      crownOrderInput(await createPatient(env.clinic), lab.iid, { dueDate: today }),
    );
    await takeStep(env.dentist, late, "submit");
    expect(await numbersIn(lab, "late")).toEqual([]);
    expect(groupFilter("late", addDays(today, 1)).dueTo).toBe(today);
    expect(
      (await lab.call("order.list", groupFilter("late", addDays(today, 1)))).list.map(({ number }) => number),
    ).toContain(late.number);
  });

  it("can be moved on the board to the stages that the life cycle opens, and no others", async () => {
    const rows = [...(await readGroups(env.lab, { view: "board" })).values()].flatMap(({ list }) => list);
    const movesOf = ({ id }: Order) =>
      present(rows.find((row) => row.id === id)).moves.map(({ action, to }) => `${action} ${to}`);
    expect(movesOf(orders.waiting)).toEqual(["accept design", "requestInfo atClinic"]);
    expect(movesOf(orders.designed)).toEqual(["submitDesign atClinic"]);
    expect(movesOf(orders.reviewed)).toEqual(["withdraw design"]);
    expect(movesOf(orders.asked)).toEqual([]);
    expect(movesOf(orders.produced)).toEqual(["backToDesign design", "dispatch shipped", "requestInfo atClinic"]);
    expect(movesOf(orders.shipped)).toEqual(["recallDispatch ship"]);
    expect([...(await readGroups(env.lab, { view: "board" })).keys()]).toEqual([...groupsOfView.board]);
  });

  it("count for the person to whom they are assigned", async () => {
    const { load } = await env.lab.call("order.today", {});
    expect(load.find(({ id }) => id === env.designer.uid)).toMatchObject({ open: 4, week: 1, late: 0 });
    expect((await env.dentist.call("order.today", {})).load).toEqual([]);
  });

  it("belong to the organisation alone", async () => {
    const stranger = await setup();
    for (const who of [stranger.lab, stranger.clinic])
      for (const { total } of (await readGroups(who, { personId: env.designer.uid })).values()) expect(total).toBe(0);
    expect((await stranger.lab.call("order.today", {})).load.map(({ id }) => id)).not.toContain(env.designer.uid);
  });
});

describe("assigning an order", () => {
  it("gives it to a designer before or after it was accepted, tells them, and names them in the history", async () => {
    const env = await setup();
    const { lab, designer } = env;
    const waiting = await lab.call("order.detail", { id: (await sendOrder(env)).id });
    const assigned = await takeStep(lab, waiting, "assign", { assigneeId: designer.uid });
    expect(assigned).toMatchObject({ state: "pending", assigneeId: designer.uid, assigneeName: designer.name });
    expect(assigned.events.at(-1)).toMatchObject({ action: "assign", text: designer.name });
    const told = await designer.call("notice.query", {});
    expect(JSON.stringify(told)).toContain("orderAssigned");
    const accepted = await takeStep(lab, assigned, "accept", { promisedDate: "2090-01-01" });
    expect(accepted.assigneeId).toBe(designer.uid);
    expect(await takeStep(lab, accepted, "assign", { assigneeId: lab.uid })).toMatchObject({ assigneeId: lab.uid });
  });

  it("is refused without a person, for a stranger to the laboratory, and to a designer", async () => {
    const env = await setup();
    const { lab, designer, dentist } = env;
    const order = await lab.call("order.detail", { id: (await sendOrder(env)).id });
    const assign = (who: TestUser, given: Record<string, unknown>) =>
      who.ask("order.step", { id: order.id, version: order.version, action: "assign", ...given });
    expect(refusalOf(await assign(lab, {}))).toBe("badInput");
    expect(refusalOf(await assign(lab, { assigneeId: dentist.uid }))).toBe("notFound");
    expect(refusalOf(await assign(designer, { assigneeId: designer.uid }))).toBe("orderActionNotAllowed");
    expect((await dentist.call("order.detail", { id: order.id })).assigneeId).toBeNull();
  });
});
