import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { OrderRow } from "@arcada/contract/order/order.calls";
import { orderLifecycle, orderStates, orderStateKey } from "@arcada/contract/order/order.lifecycle";
import { translate } from "../../i18n/translate.ts";
import type { Texts, Values } from "../../i18n/translate.ts";
import { getDueStatus, describeTurn } from "./order-status-text.ts";

const order = (language: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../../../packages/texts/${language}/order.json`, import.meta.url), "utf8"),
  ) as Texts;
const speak = (language: string) => {
  const texts = { order: order(language) };
  return (key: string, values?: Values) => translate(texts, language, key, values);
};
const en = speak("en");
const clinic = { iid: "1", name: "Clinic", number: "1" };
const lab = { iid: "2", name: "Lab", number: "2" };
const row = (change: Partial<OrderRow>): OrderRow =>
  ({
    state: "awaiting_design",
    step: "preparing",
    turn: "receiver",
    myTurn: false,
    mine: "sender",
    sender: clinic,
    receiver: lab,
    schemeRevision: 0,
    designRevision: 0,
    dueDate: "2030-05-10",
    promisedDate: null,
    ...change,
  }) as OrderRow;

it("names the scheme and design stages by who works, and never calls an unfinished design one to be confirmed", () => {
  const named = (t: typeof en, change: Partial<OrderRow>) => t(`order.${orderStateKey(row(change))}`);
  expect([named(en, { step: "returned" }), named(en, { step: "submitted" })]).toEqual(["In design", "Design review"]);
  expect(named(speak("zh"), { step: "preparing" })).toBe("设计制作中");
  expect(named(speak("zh"), { step: "submitted" })).toBe("待诊所确认设计");
  expect(named(en, { state: "pending" })).toBe("Awaiting acceptance");
});

describe("the line with the current step and whose turn it is", () => {
  it("names the next revision after a design was returned, never a rejection", () => {
    expect(describeTurn(en, row({ step: "returned", designRevision: 1 }))).toBe(
      "design 2 in preparation, laboratory's turn",
    );
    expect(describeTurn(en, row({ step: "returned", designRevision: 1, mine: "receiver", myTurn: true }))).toBe(
      "design 2 in preparation, your turn",
    );
  });

  it("shows the sender a submitted revision and a question", () => {
    expect(describeTurn(en, row({ step: "submitted", designRevision: 2, turn: "sender", myTurn: true }))).toBe(
      "design 2 submitted, your turn",
    );
    expect(describeTurn(en, row({ turn: "sender", myTurn: true }))).toBe("the laboratory has a question, your turn");
  });

  it("has a text for every state and step in both languages", () => {
    for (const language of ["en", "zh"])
      for (const state of orderStates)
        for (const step of ["preparing", "submitted", "returned", "production", "uploading", "send_failed"] as const)
          expect(describeTurn(speak(language), row({ state, step })), `${language} ${state} ${step}`).not.toMatch(
            /order\./,
          );
  });

  it("has a text in both languages for every action that a user may take", () => {
    for (const t of [en, speak("zh")])
      for (const action of Object.keys(orderLifecycle.steps))
        expect(t(`order.action.${action}`), action).not.toMatch(/^order\./);
  });
});

describe("the due day", () => {
  const on = (day: string) => getDueStatus(en, row({}), new Date(`${day}T15:00:00`));

  it("counts whole days and marks late orders", () => {
    expect(on("2030-05-07")).toMatchObject({ text: "in 3 days", urgency: "none" });
    expect(on("2030-05-10")).toMatchObject({ text: "today", urgency: "soon" });
    expect(on("2030-05-11")).toMatchObject({ text: "1 day late", urgency: "late" });
  });

  it("is the promised date if there is one, and is not urgent after the order has ended", () => {
    expect(getDueStatus(en, row({ promisedDate: "2030-05-20" }), new Date("2030-05-19T01:00:00"))?.text).toBe(
      "tomorrow",
    );
    expect(getDueStatus(en, row({ state: "completed" }), new Date("2031-01-01"))).toMatchObject({ urgency: "none" });
  });
});
