import { describe, expect, it } from "vitest";
import { listTableAccess, listTables } from "../../scripts/list-table-access.ts";
import { platformTables, slices } from "../../apps/server/src/slices.ts";

const found = listTableAccess();
const foundIn = (folder: string, kind: "read" | "write"): string[] =>
  [...new Set(found.filter((one) => one.folder === folder && one.kind === kind).map(({ table }) => table))].toSorted();

describe("the tables of a slice", () => {
  it("belong to it alone, and every table belongs to somebody", () => {
    const owned = [...platformTables, ...slices.flatMap(({ tables }) => tables ?? [])];
    expect(owned.toSorted()).toEqual(listTables().toSorted());
  });

  it.each(slices.map((slice) => [slice.name, slice] as const))(
    "are the only ones that %s writes to",
    (name, { tables = [] }) => {
      expect(foundIn(name, "write").filter((table) => !(tables as readonly string[]).includes(table))).toEqual([]);
    },
  );

  it.each(slices.map((slice) => [slice.name, slice] as const))(
    "are the only ones that %s reads, besides those that it declares",
    (name, { tables = [], reads = [] }) => {
      const known: readonly string[] = tables;
      expect(foundIn(name, "read").filter((table) => !known.includes(table))).toEqual([...reads].toSorted());
    },
  );

  it("are written by nobody else: the platform writes its own tables, and the shared rules none", () => {
    expect(
      foundIn("platform", "write").filter((table) => !(platformTables as readonly string[]).includes(table)),
    ).toEqual([]);
    expect(foundIn("domain", "write")).toEqual([]);
  });

  it("are found in queries of the builder and in raw SQL", () => {
    expect(foundIn("notice", "write")).toContain("notice");
    expect(foundIn("dashboard", "read")).toContain("orders");
  });
});
