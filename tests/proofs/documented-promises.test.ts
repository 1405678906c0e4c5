import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const readPage = (name: string): string => readFileSync(path.join(root, "docs", name), "utf8");
const parseRows = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => /^\| (T-\d|\d+\.\d)/.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe("T-20: the tables of promises", () => {
  it("name existing tests, and each promise once", () => {
    const rows = parseRows(readPage("security/proofs.md"));
    const named = rows.flatMap(([, , , tests = ""]) => [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file));
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    expect(rows.filter(([, , , tests = ""]) => !tests.includes("`") && tests !== "no test")).toEqual([]);
    const ids = rows.map(([id]) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(ids).toContain("T-31");
  });

  it("give each requirement of the standard a state and its evidence, and list the open ones", () => {
    const text = readPage("compliance/asvs.md");
    const rows = parseRows(text);
    const promised = new Set(parseRows(readPage("security/proofs.md")).map(([id]) => id));
    expect(rows.filter(([, , , state = ""]) => !["met", "partly", "open", "not applicable"].includes(state))).toEqual(
      [],
    );
    expect(rows.filter(([, , , , evidence = ""]) => evidence === "" || evidence.includes("<fill>"))).toEqual([]);
    for (const [, , , , evidence = ""] of rows)
      for (const [id] of evidence.matchAll(/T-\d\db?c?/g)) expect(promised, evidence).toContain(id);
    const counts = ["met", "partly", "open", "not applicable"].map(
      (state) => `${rows.filter((row) => row[3] === state).length} ${state}`,
    );
    expect(text).toContain(`${rows.length} requirements`);
    expect(text).toContain(counts.join(", "));
    for (const [id, , , state] of rows) if (state === "open") expect(text, "the list on top").toContain(`- **${id}**`);
  });
});
