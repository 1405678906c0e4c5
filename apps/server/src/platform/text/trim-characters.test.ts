import { expect, it } from "vitest";
import { trimEndMatching, trimMatching } from "./trim-characters.ts";

it("drops the characters at the end of a text and keeps them inside", () => {
  expect(trimEndMatching("Li^Ming ^ ^", /[\s^]/)).toBe("Li^Ming");
  expect(trimEndMatching("^^", /\^/)).toBe("");
});

it("drops the characters at both ends of a text", () => {
  expect(trimMatching(" ..a. b. ", /[\s.]/)).toBe("a. b");
  expect(trimMatching(" . ", /[\s.]/)).toBe("");
});
