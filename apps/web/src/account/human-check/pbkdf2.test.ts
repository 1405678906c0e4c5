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
});
