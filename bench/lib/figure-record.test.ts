import { expect, it } from "vitest";
import { addSection, formatRecord, readRecord } from "./figure-record.ts";

const heading = "# Figures\n\nCommit abc.";
const table = "| figure | Arcada |\n| - | - |\n| a list | 3 ms |";
const both = addSection(addSection(null, heading, "list", table), heading, "upload", table);

it("a record is read as it was written", () => {
  expect(readRecord(formatRecord(both))).toEqual(both);
});

it("a command that is run again replaces its own figures alone", () => {
  const again = addSection(both, heading, "list", "| anew |");
  expect([...again.sections]).toEqual([
    ["list", "| anew |"],
    ["upload", table],
  ]);
});

it("figures of another commit are dropped", () => {
  const later = addSection(both, "# Figures\n\nCommit def.", "list", table);
  expect([...later.sections.keys()]).toEqual(["list"]);
});
