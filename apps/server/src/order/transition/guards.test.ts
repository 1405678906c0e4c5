import { describe, expect, it } from "vitest";
import type { Role } from "@arcada/contract/kernel/roles";
import { actionsFrom } from "@arcada/contract/kernel/lifecycle";
import { orderLifecycle, orderStates } from "@arcada/contract/order/order.lifecycle";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { transitionTable } from "./transition-table.ts";
import type { ActionInput, OrderFacts } from "./transition-types.ts";
import { emptyActionInput } from "./apply-transition.ts";
import { decideTransition, findMissingInput, openActions, findRefusal } from "./guards.ts";

const now = new Date("2030-05-10T12:00:00Z");
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
const rx: OrderFacts["rx"] = {
  items: [],
  workKinds: ["design", "machining"],
  jaws: [],
  implantSystem: null,
  fixType: null,
  torque: null,
  gingiva: null,
  antagonist: null,
  sourceOrder: null,
  instructions: null,
  schemeRequired: false,
  maskName: false,
  mayForward: null,
  namePasses: false,
  labShares: false,
  noDigitalFiles: false,
  studies: [],
};
const order = (change: Partial<OrderFacts> = {}): OrderFacts => ({
  institution_id: "clinic",
  receiver_id: "lab",
  creator_id: "dentist",
  made_by: null,
  assignee_id: "designer",
  state: "pending",
  turn: "receiver",
  turn_after: "receiver",
  step: "preparing",
  rx,
  rx_revision: 1,
  scheme_revision: 0,
  design_revision: 0,
  redelivery_count: 0,
  due_date: "2030-05-20",
  promised_date: null,
  info_request: null,
  info_asked_at: null,
  cancel_request: null,
  change_request: null,
  holder: "sender",
  parent_id: null,
  resume_state: null,
  straight: false,
  submitted_at: null,
  dispatched_at: null,
  ...change,
});
const given = (change: Partial<ActionInput> = {}): ActionInput => ({
  ...emptyActionInput,
  now,
  uid: "someone",
  ...change,
});
const principal = (uid: string, iid: string, role: Role) => ({ uid, iid, role });
const dentist = principal("dentist", "clinic", "clinicMember");
const colleague = principal("colleague", "clinic", "clinicMember");
const manager = principal("manager", "clinic", "clinicAdmin");
const designer = principal("designer", "lab", "factoryMember");
const labManager = principal("labManager", "lab", "factoryAdmin");
const after = (facts: Partial<OrderFacts>, action: OrderAction, what: Partial<ActionInput> = {}) =>
  decideTransition(order(facts), action, given(what));

describe("who may do what", () => {
  it("lets the creator and the clinic's manager act, and other members only read", () => {
    expect(openActions(order(), dentist, now)).toEqual(["cancel"]);
    expect(openActions(order(), manager, now)).toEqual(["cancel"]);
    expect(openActions(order(), colleague, now)).toEqual([]);
  });

  it("lets any member of the lab accept or refuse, but only the assignee and the manager work", () => {
    const other = principal("other", "lab", "factoryMember");
    expect(openActions(order(), other, now)).toEqual(["accept", "refuse"]);
    expect(openActions(order({ state: "awaiting_design" }), other, now)).toEqual([]);
    expect(openActions(order({ state: "awaiting_design" }), designer, now)).toEqual(["requestInfo", "submitDesign"]);
    expect(openActions(order({ state: "awaiting_design" }), labManager, now)).toEqual([
      "requestInfo",
      "submitDesign",
      "cancelByReceiver",
      "prepareForward",
    ]);
  });

  it("offers the system's own steps to nobody", () => {
    for (const state of orderStates)
      for (const who of [dentist, manager, designer, labManager])
        for (const action of openActions(
          order({ state, dispatched_at: ago(1), step: "submitted", info_request: "?", cancel_request: "!" }),
          who,
          now,
        ))
          expect(orderLifecycle.steps[action].by, action).not.toEqual(["system"]);
  });

  it("opens no action that the table does not open in that state", () => {
    for (const state of orderStates)
      for (const action of Object.keys(orderLifecycle.steps) as OrderAction[]) {
        const open =
          findRefusal(
            order({ state, dispatched_at: ago(1) }),
            action,
            ["creator", "senderAdmin", "receiverAdmin", "assignee", "acceptor", "system"],
            now,
          ) === null;
        if (open) expect(actionsFrom(orderLifecycle, state), `${action} in ${state}`).toContain(action);
      }
  });
});

describe("the refusals of an action", () => {
  const why = (facts: Partial<OrderFacts>, action: OrderAction) =>
    findRefusal(order(facts), action, ["creator", "receiverAdmin"], now);

  it("allow one open question at a time and an answer only to an open one", () => {
    expect(why({ info_request: "which shade?" }, "requestInfo")).toBe("orderRequestOpen");
    expect(why({}, "supplyInfo")).toBe("orderNoRequest");
  });

  it("allow a decision on a cancellation only if one was requested, and no dispatch while the request is open", () => {
    expect(why({ state: "awaiting_dispatch" }, "decideCancel")).toBe("orderNoRequest");
    expect(why({ state: "awaiting_dispatch", cancel_request: "moved" }, "requestCancel")).toBe("orderRequestOpen");
    expect(why({ state: "awaiting_dispatch", cancel_request: "moved" }, "dispatch")).toBe("orderRequestOpen");
  });

  it("leave no open request that would keep a dispatched order from completing automatically", () => {
    const asked = order({ state: "awaiting_dispatch", info_request: "which shade?" });
    const passedOn = order({ state: "forwarded", cancel_request: "moved", resume_state: "awaiting_dispatch" });
    const child = { digital: false, straight: true };
    for (const facts of [
      { ...asked, ...decideTransition(asked, "dispatch", given()) },
      { ...passedOn, ...decideTransition(passedOn, "childDelivered", given({ child })) },
    ]) {
      expect(facts.state).toBe("awaiting_receipt");
      expect(findRefusal({ ...facts, straight: false }, "autoComplete", ["system"], now)).toBeNull();
    }
  });

  it("allow a parcel to be recalled within 24 hours only", () => {
    expect(why({ state: "awaiting_receipt", dispatched_at: ago(23.9) }, "recallDispatch")).toBeNull();
    expect(why({ state: "awaiting_receipt", dispatched_at: ago(24.1) }, "recallDispatch")).toBe("orderRecallTooLate");
  });

  it("allow only a submitted design to be confirmed, returned or withdrawn, and only one submission", () => {
    for (const step of ["preparing", "returned"] as const) {
      expect(why({ state: "awaiting_design", step }, "submitDesign")).toBeNull();
      for (const action of ["confirmDesign", "returnDesign", "withdraw"] as const)
        expect(why({ state: "awaiting_design", step }, action)).toBe("orderActionNotAllowed");
    }
    expect(why({ state: "awaiting_design", step: "submitted" }, "submitDesign")).toBe("orderActionNotAllowed");
    expect(why({ state: "awaiting_design", step: "submitted" }, "confirmDesign")).toBeNull();
  });

  it("allow a digital delivery of a design only if nothing is machined", () => {
    const facts = { state: "awaiting_design", step: "submitted" } as const;
    const digital = { ...facts, rx: { ...rx, workKinds: ["design" as const] } };
    expect([why(facts, "confirmDelivery"), why(digital, "confirmDelivery")]).toEqual(["orderActionNotAllowed", null]);
    expect([why(facts, "confirmDesign"), why(digital, "confirmDesign")]).toEqual([null, "orderActionNotAllowed"]);
  });

  it("allow a return to a scheme or a design only if one belongs to the work", () => {
    expect(why({ state: "awaiting_design" }, "backToScheme")).toBe("orderActionNotAllowed");
    expect(why({ state: "awaiting_design", rx: { ...rx, schemeRequired: true } }, "backToScheme")).toBeNull();
    expect(why({ state: "awaiting_dispatch", rx: { ...rx, workKinds: ["machining"] } }, "backToDesign")).toBe(
      "orderActionNotAllowed",
    );
  });
});

describe("the required input of an action", () => {
  const lacks = (action: OrderAction, what: Partial<ActionInput> = {}) =>
    findMissingInput(orderLifecycle.steps[action].asks ?? [], given(what));

  it("is a reason to refuse, return, cancel and decline", () => {
    for (const action of [
      "refuse",
      "returnScheme",
      "returnDesign",
      "cancel",
      "backToScheme",
      "backToDesign",
      "redeliver",
      "requestCancel",
      "cancelByReceiver",
    ] as const) {
      expect(lacks(action), action).toBe("orderReasonMissing");
      expect(lacks(action, { reason: "so" }), action).toBeNull();
    }
    expect(lacks("requestInfo")).toBe("orderReasonMissing");
    expect(lacks("decideCancel")).toBe("badInput");
    expect(lacks("decideCancel", { approve: false })).toBe("orderReasonMissing");
    expect(lacks("decideCancel", { approve: true })).toBeNull();
  });

  it("is words or files for a scheme, and files for a design", () => {
    expect(lacks("submitScheme")).toBe("orderFilesMissing");
    expect(lacks("submitScheme", { text: "screw at 11" })).toBeNull();
    expect(lacks("submitDesign", { text: "done" })).toBe("orderFilesMissing");
    expect(lacks("submitDesign", { files: 1 })).toBeNull();
    expect(lacks("redeliver", { reason: "broken" })).toBeNull();
  });

  it("is carrier and number for a dispatch, or delivery by hand", () => {
    expect(lacks("dispatch", { carrier: "SF" })).toBe("orderShipmentMissing");
    expect(lacks("dispatch", { carrier: "SF", trackingNumber: "1" })).toBeNull();
    expect(lacks("dispatch", { handDelivery: true })).toBeNull();
  });
});

describe("the turn of an order", () => {
  it("is the sender's while a question is open, and then the previous side's again", () => {
    const asked = after({ state: "awaiting_design" }, "requestInfo", { text: "?" });
    expect(asked).toMatchObject({ turn: "sender", turn_after: "receiver" });
    expect(
      after({ ...asked, info_request: "?", step: "submitted", turn_after: "sender" }, "supplyInfo", { text: "!" }),
    ).toMatchObject({ turn: "sender", info_request: null });
    expect(
      after({ state: "awaiting_design", info_request: "?", turn: "sender" }, "supplyInfo", { text: "!" }),
    ).toMatchObject({ turn: "receiver" });
    expect(after({ state: "awaiting_design", info_request: "?" }, "submitDesign", { files: 1 })).toMatchObject({
      turn: "sender",
      turn_after: "sender",
    });
  });

  it("is nobody's once the order has ended, and no question stays open", () => {
    const open = { info_request: "?", cancel_request: "!" };
    for (const [state, action, what] of [
      ["pending", "refuse", {}],
      ["pending", "cancel", {}],
      ["awaiting_design", "decideCancel", { approve: true }],
      ["awaiting_design", "confirmDelivery", {}],
      ["awaiting_receipt", "confirmReceipt", {}],
    ] as const)
      expect(after({ state, ...open }, action, what), action).toMatchObject({
        turn: "nobody",
        info_request: null,
        cancel_request: null,
      });
  });
});

describe("the effect of an action", () => {
  it("assigns the work to the user who accepts it, unless another is named, and promises the due date unless another is given", () => {
    expect(after({ info_request: "?" }, "accept", { uid: "designer" })).toMatchObject({
      state: "awaiting_design",
      assignee_id: "designer",
      promised_date: "2030-05-20",
      info_request: null,
      turn: "receiver",
    });
    expect(after({}, "accept", { assigneeId: "other", promisedDate: "2030-06-01" })).toMatchObject({
      assignee_id: "other",
      promised_date: "2030-06-01",
    });
  });

  it("postpones the promised date by the whole days that the work waited for the sender", () => {
    const waited = { state: "awaiting_design", promised_date: "2030-05-30" } as const;
    expect(
      after({ ...waited, info_request: "?", info_asked_at: ago(49) }, "supplyInfo", { text: "!" }).promised_date,
    ).toBe("2030-06-01");
    expect(
      after({ ...waited, step: "submitted", submitted_at: ago(23) }, "returnDesign", { reason: "margin" })
        .promised_date,
    ).toBe("2030-05-30");
  });

  it("keeps a design from being confirmed if its scheme is given up", () => {
    expect(
      transitionTable.backToScheme.revisions?.(order({ state: "awaiting_design", step: "submitted" }), given()),
    ).toEqual({
      scheme: "voided",
      design: "voided",
    });
    expect(transitionTable.backToScheme?.revisions?.(order({ state: "awaiting_design" }), given())).toEqual({
      scheme: "voided",
    });
  });

  it("removes a shipment that came back", () => {
    const gone = { carrier: null, tracking_number: null, dispatched_at: null, state: "awaiting_dispatch" };
    expect(after({ state: "awaiting_receipt" }, "redeliver", { reason: "broken" })).toMatchObject({
      ...gone,
      redelivery_count: 1,
      step: "returned",
    });
    expect(after({ state: "awaiting_receipt", dispatched_at: ago(1) }, "recallDispatch")).toMatchObject(gone);
  });
});
