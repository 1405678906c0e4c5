import { expect, it } from "vitest";
import { trimEndOf, trimEndsOf } from "./trim.ts";

it("drops the characters at the end of a text and keeps them inside", () => {
  expect(trimEndOf("Li^Ming ^ ^", /[\s^]/)).toBe("Li^Ming");
  expect(trimEndOf("^^", /\^/)).toBe("");
});

it("drops the characters at both ends of a text", () => {
  expect(trimEndsOf(" ..a. b. ", /[\s.]/)).toBe("a. b");
  expect(trimEndsOf(" . ", /[\s.]/)).toBe("");
});
