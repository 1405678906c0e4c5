import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { slices } from "../../apps/server/src/slices.ts";
import { platformRetention } from "../../apps/server/src/platform/runtime/platform-retention.ts";

const root = path.join(import.meta.dirname, "../..");
const folder = path.join(root, "docs/compliance");
const readPage = (name: string): string => readFileSync(path.join(folder, name), "utf8");
const files = globSync("{apps,packages,docs,tests,scripts,demo,bench,lint}/**/*.{ts,tsx,js,md,json,sql}", {
  cwd: root,
  exclude: ["**/node_modules/**", "**/dist/**"],
});
const known = new Set([...files, ...globSync("*.{md,json,ts}", { cwd: root })]);
const isKnown = (name: string): boolean => known.has(name) || files.some((file) => file.endsWith(`/${name}`));
/** The files that a page names: paths from the root or, shortened, from any folder. */
const namedFiles = (text: string): string[] =>
  [...text.matchAll(/`(\w[\w./-]*\.(?:tsx?|md|json|sql))`/g)].map(([, name]) => name);
const states = ["met", "partly", "not met", "operator"];
const rowsOf = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| article") && !line.startsWith("| rule"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe("the pages about compliance", () => {
  const pages = globSync("*.md", { cwd: folder });

  it.each(pages)("name only files that exist: %s", (page) => {
    expect(namedFiles(readPage(page)).filter((name) => !isKnown(name))).toEqual([]);
  });

  it.each(["gdpr.md", "pipl.md", "hipaa.md"])("state for each rule what is met and by which evidence: %s", (page) => {
    const rows = rowsOf(readPage(page)).filter((cells) => cells.length === 6);
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((cells) => !states.includes(cells[2]))).toEqual([]);
    const unproven = rows.filter(
      ([, , state, , evidence]) => state !== "operator" && namedFiles(evidence).length === 0,
    );
    expect(unproven).toEqual([]);
  });

  it("name for each period of retention the file that deletes the data", () => {
    const rules = [...platformRetention, ...slices.flatMap(({ retention = [] }) => retention)];
    expect(rules.length).toBeGreaterThan(15);
    expect(rules.filter(({ enforcedIn }) => !known.has(`apps/server/src/${enforcedIn}`))).toEqual([]);
    for (const { enforcedIn } of rules)
      expect(readFileSync(path.join(root, "apps/server/src", enforcedIn), "utf8"), enforcedIn).toMatch(
        /delete|remove|purge|drop|expired/i,
      );
  });
});
