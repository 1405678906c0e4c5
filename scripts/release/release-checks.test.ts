import { describe, expect, it } from "vitest";
import { findReleaseFaults } from "./release-checks.ts";
import type { ReleaseState } from "./release-checks.ts";

const ready: ReleaseState = {
  version: "1.0.0",
  changelog: "# Changelog\n\n## 1.0.0 - 2026-12-01\n\n- all\n\n## 0.9.0 - 2026-01-01\n",
  changes: "",
  tags: ["v1.0.0"],
  statedIn: { "compose.yaml": "image: arcada:1.0.0" },
};

describe("a release", () => {
  it("is made of a clean commit whose changelog and manifests state the version", () => {
    expect(findReleaseFaults(ready)).toEqual([]);
  });

  it.each([
    ["a version that is none", { version: "1.0" }, "is not like"],
    ["a changed tree", { changes: " M README.md\n" }, "not committed"],
    ["a changelog without a date", { changelog: "## 1.0.0 - unreleased\n" }, "YYYY-MM-DD"],
    ["a changelog whose first heading is an earlier version", { changelog: "## 0.9.0 - 2026-01-01\n" }, "YYYY-MM-DD"],
    ["a manifest of an earlier version", { statedIn: { "compose.yaml": "arcada:0.9.0" } }, "compose.yaml"],
    ["another tag", { tags: ["v0.9.0"] }, "v0.9.0"],
  ])("is refused for %s", (_, change, reason) => {
    const faults = findReleaseFaults({ ...ready, ...change });
    expect(faults.some((fault) => fault.includes(reason))).toBe(true);
  });
});
