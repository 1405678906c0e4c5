import { globSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { longJourneys, longProofs, longServerTests, proofGroups, shortenedJourneys } from "./long-tests.mjs";

const root = path.join(import.meta.dirname, "../..");
const files = globSync(["tests/{proofs,e2e}/*.test.ts", "apps/server/src/**/*.test.ts"], { cwd: root });

it("each list of long tests names files that exist", () => {
  const named = [
    ...longProofs.map((name) => `tests/proofs/${name}.test.ts`),
    ...longServerTests.map((name) => `apps/server/src/${name}.test.ts`),
    ...[...longJourneys, ...shortenedJourneys].map((name) => `tests/e2e/${name}.test.ts`),
  ];
  expect(named.filter((name) => !files.includes(name))).toEqual([]);
});

it("each name in a group of proofs selects one file", () => {
  const counts = Object.values(proofGroups)
    .flat()
    .map((name) => [name, files.filter((file) => file.includes(name)).length]);
  expect(counts.filter(([, count]) => count !== 1)).toEqual([]);
});
