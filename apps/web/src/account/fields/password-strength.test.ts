import { describe, expect, it } from "vitest";
import { estimateStrength } from "./password-strength.ts";

describe("the strength of a new password", () => {
  it.each([
    ["", 0],
    ["123456", 1],
    ["aaaaaaaaaaaa", 1],
    ["qwertyuiop", 1],
    ["kx7#pq", 2],
    ["kx7#mw2!vd", 3],
    ["correct-horse-7-battery", 4],
    ["密码密码", 1],
  ])("rates %s as %i of 4", (password, strength) => expect(estimateStrength(password)).toBe(strength));
});
