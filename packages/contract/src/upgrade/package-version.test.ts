import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isLowerVersion, versionKey } from "./package-version.ts";

describe("versions", () => {
  it("sort as in Semantic Versioning: a pre-release before its release", () => {
    const rising = ["1.0-alpha", "1.0-alpha.1", "1.0-alpha.beta", "1.0-beta.2", "1.0-beta.11", "1.0-rc.1", "1.0"];
    const order = [...rising, "1.0.1", "1.2", "1.10", "1.10.0.1", "2.0-1", "2.0"];
    for (const [at, version] of order.entries())
      for (const later of order.slice(at + 1))
        expect([version, later, isLowerVersion(version, later)]).toEqual([version, later, true]);
  });

  it("are equal with and without a zero at their end", () => {
    expect(versionKey("1.2")).toBe(versionKey("1.2.0"));
  });

  it("sort number by number", () => {
    const numbers = fc.array(fc.nat(999_999_999), { minLength: 2, maxLength: 4 });
    const compare = (one: number[], other: number[]): number =>
      [0, 1, 2, 3].map((at) => (one[at] ?? 0) - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
    fc.assert(
      fc.property(
        numbers,
        numbers,
        (one, other) => isLowerVersion(one.join("."), other.join(".")) === compare(one, other) < 0,
      ),
    );
  });
});
