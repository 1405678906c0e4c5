import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { generateSchemaFiles } from "../../../../../scripts/generate-schema.ts";
import { readCatalogue } from "../../../../../scripts/schema/catalogue.ts";
import { renderRowTypes } from "../../../../../scripts/schema/row-types.ts";
import { createTestDatabase } from "@arcada/testing/setup/test-database";

const root = path.join(import.meta.dirname, "../../../../..");

describe("the schema in the repository", () => {
  it("is that of a migrated database; `node scripts/generate-schema.ts` writes it", async () => {
    const { connection } = await createTestDatabase();
    const { version } = await readCatalogue(connection);
    for (const [file, content] of Object.entries(await generateSchemaFiles(connection))) {
      // Earlier versions of PostgreSQL print views differently.
      if (file.endsWith(".sql") && version < 180_000) continue;
      expect(readFileSync(path.join(root, file), "utf8"), file).toBe(content);
    }
  });

  it("narrows only columns that exist", async () => {
    const { connection } = await createTestDatabase();
    const catalogue = await readCatalogue(connection);
    expect(() => renderRowTypes(catalogue, ["patient.sex", "patient.shoe_size"])).toThrow(
      "ColumnTypes names columns that do not exist: patient.shoe_size.",
    );
  });
});
