import { pbkdf2Sync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { pbkdf2 } from "./pbkdf2.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("the key derivation for browsers without https", () => {
  it.each([
    ["password", "salt", 1, 32],
    ["password", "salt", 1000, 32],
    ["a".repeat(90), "s".repeat(70), 3, 50],
  ] as const)("equals the platform's for %s, %s, %d rounds, %d bytes", (password, salt, rounds, length) => {
    const theirs = pbkdf2Sync(password, salt, rounds, length, "sha256").toString("hex");
    expect(Buffer.from(pbkdf2(bytes(password), bytes(salt), rounds, length)).toString("hex")).toBe(theirs);
  });

  it("is quick enough for a proof on an ordinary machine: some hundred derivations within seconds", () => {
    const start = performance.now();
    for (let turn = 0; turn < 20; turn++) pbkdf2(bytes(String(turn)), bytes("salt"), 1000, 32);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
