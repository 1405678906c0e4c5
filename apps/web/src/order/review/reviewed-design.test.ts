import { describe, expect, it } from "vitest";
import { findDesignToReview, joinPinReasons } from "./reviewed-design.ts";

type ReviewedOrder = Parameters<typeof findDesignToReview>[0];
const revision = (number: number, state: ReviewedOrder["revisions"][number]["state"]) => ({
  id: `design ${number}`,
  kind: "design" as const,
  number,
  state,
  time: `2030-01-0${number}`,
  hash: "",
  text: null,
  who: "",
  decided: null,
  seen: false,
});
const order = (change: Partial<ReviewedOrder> = {}): ReviewedOrder => ({
  state: "awaiting_design",
  step: "submitted",
  mine: "sender",
  revisions: [revision(1, "returned"), revision(2, "submitted")],
  ...change,
});

describe("the design to review", () => {
  it("is the submitted one, for the side that decides", () => {
    expect(findDesignToReview(order())?.number).toBe(2);
    expect(findDesignToReview(order({ mine: "receiver" }))).toBeNull();
    expect(findDesignToReview(order({ step: "returned" }))).toBeNull();
  });
});

it("lists the reader's comments as reasons, one in each line", () => {
  const t = (_: string, values: Record<string, unknown> = {}) => `${values["number"]}: ${values["text"]}`;
  expect(
    joinPinReasons(t, [
      { number: 1, text: "margin" },
      { number: 3, text: "contact" },
    ]),
  ).toBe("1: margin\n3: contact");
});
