import fc from "fast-check";
import { expect, it } from "vitest";
import { matchesWildcards } from "./wildcard-matching.ts";

it("matches patterns with stars and question marks, and stays fast for any pattern", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "^"), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "^"), maxLength: 6 });
  fc.assert(
    fc.property(pattern, letters, (wanted, text) => {
      const plain = wanted
        .replaceAll("^", String.raw`\^`)
        .replaceAll("*", ".*")
        .replaceAll("?", ".");
      expect(matchesWildcards(wanted, text)).toBe(new RegExp(`^${plain}$`).test(text));
    }),
  );
  const used = process.cpuUsage();
  expect(matchesWildcards(`*${"a*".repeat(90)}b`, "a".repeat(200))).toBe(false);
  expect(process.cpuUsage(used).user / 1000).toBeLessThan(100);
});
