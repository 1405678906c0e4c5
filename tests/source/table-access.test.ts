import { describe, expect, it } from "vitest";
import { listTableAccess, listTables } from "../../scripts/table-access.ts";
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
    "are the only ones that %s writes to, besides those that it declares",
    (name, { tables = [], writes = [] }) => {
      const foreign = foundIn(name, "write").filter((table) => !(tables as readonly string[]).includes(table));
      expect(foreign).toEqual([...writes].toSorted());
    },
  );

  it.each(slices.map((slice) => [slice.name, slice] as const))(
    "are the only ones that %s reads, besides those that it declares",
    (name, { tables = [], writes = [], reads = [] }) => {
      const known: readonly string[] = [...tables, ...writes];
      expect(foundIn(name, "read").filter((table) => !known.includes(table))).toEqual([...reads].toSorted());
    },
  );

  it("are found in queries of the builder and in raw SQL", () => {
    expect(foundIn("retention", "write")).toContain("notice");
    expect(foundIn("dashboard", "read")).toContain("orders");
  });
});
