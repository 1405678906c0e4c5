import type { Catalogue, CatalogueColumn, CatalogueTable } from "./catalogue.ts";

/**
 * Writes one interface for each table. `narrowed` holds the columns (`table.column`) whose types `ColumnTypes` declares.
 */
export function renderRowTypes(catalogue: Catalogue, narrowed: string[]): string {
  // The table of the migration runner, which no query of the product reads.
  const tables = catalogue.tables.filter(({ name }) => name !== "migration");
  const known = new Set(tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column.name}`)));
  const unknown = narrowed.filter((column) => !known.has(column));
  if (unknown.length > 0) throw new Error(`ColumnTypes names columns that do not exist: ${unknown.join(", ")}.`);
  const kysely = tables.some(({ columns }) => columns.some(({ generated }) => generated !== null))
    ? "Generated, GeneratedAlways"
    : "Generated";
  return [
    "// Generated from the database catalogue by `node scripts/generate-schema.ts`; a test compares the two.",
    `import type { ${kysely} } from "kysely";`,
    'import type { ColumnTypes } from "./column-types.ts";',
    "",
    ...tables.map((table) => renderInterface(table, new Set(narrowed))),
    "",
    "/** Every table of the database, by the name that SQL uses. */",
    "export interface Tables {",
    ...tables.map(({ name }) => `  ${name}: ${interfaceName(name)};`),
    "}",
    "",
  ].join("\n");
}

const renderInterface = ({ name, columns }: CatalogueTable, narrowed: Set<string>): string =>
  [
    `export interface ${interfaceName(name)} {`,
    ...columns.map((column) => `  ${column.name}: ${columnType(column, name, narrowed)};`),
    "}",
  ].join("\n");

/** The name of a table's interface: `order_file` becomes `OrderFileTable`. */
const interfaceName = (table: string): string =>
  `${table
    .split("_")
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join("")}Table`;

function columnType(column: CatalogueColumn, table: string, narrowed: Set<string>): string {
  const key = `${table}.${column.name}`;
  const plain = narrowed.has(key)
    ? `ColumnTypes["${key}"]`
    : (column.values?.map(quote).join(" | ") ?? valueType(column));
  const type = column.nullable && plain !== "unknown" ? `${plain} | null` : plain;
  if (column.generated !== null) return `GeneratedAlways<${type}>`;
  return column.default !== null || column.identity ? `Generated<${type}>` : type;
}

const quote = (value: string): string => JSON.stringify(value);

/** The JavaScript type of a value, as the type parsers of platform/database/database.ts read it. */
function valueType({ type }: CatalogueColumn): string {
  const element = type.replace(/\(.*?\)/, "").replace("[]", "");
  const value = valueTypes[element];
  if (value === undefined) throw new Error(`No JavaScript type is known for ${type}.`);
  return type.endsWith("[]") ? `${value}[]` : value;
}

const valueTypes: Record<string, string> = {
  bigint: "number",
  boolean: "boolean",
  bytea: "Buffer",
  date: "string",
  "double precision": "number",
  integer: "number",
  jsonb: "unknown",
  real: "number",
  text: "string",
  "timestamp without time zone": "string",
  "timestamp with time zone": "string",
  uuid: "string",
};
