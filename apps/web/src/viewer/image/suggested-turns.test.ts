import { expect, it } from "vitest";
import { findSuggestedTurn, listSuggestedTurns } from "./suggested-turns.ts";

const analysis = (instanceId: string, turn: number | null, state: "done" | "running" = "done") => ({
  instanceId,
  turn,
  state,
});

it("takes the turn of the newest analysis of the image that has one, in quarters clockwise", () => {
  const newestFirst = [
    analysis("a", 180, "running"),
    analysis("b", 90),
    analysis("a", null),
    analysis("a", 270),
    analysis("a", 90),
  ];
  expect(findSuggestedTurn(newestFirst, "a")).toBe(3);
});

it("tells an upright image, which needs no turn, from one that no engine knows", () => {
  expect(findSuggestedTurn([analysis("a", 0)], "a")).toBe(0);
  expect(findSuggestedTurn([analysis("a", 0)], "b")).toBeNull();
});

it("offers no turn for an image that a person has turned another way", () => {
  const found = [analysis("a", 90), analysis("b", 90), analysis("c", 0)];
  const turnsOf = (image: string) => (image === "b" ? 2 : 0);
  expect(listSuggestedTurns(found, ["a", "b", "c", "unknown"], turnsOf)).toEqual({ a: 1 });
});
