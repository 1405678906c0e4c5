import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { searchTerms } from "../../platform/text/search-terms.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { FhirReader } from "../fhir-context.ts";
import { parseDateRange } from "./date-range.ts";
import type { DateRange } from "./date-range.ts";

export type Condition = RawBuilder<unknown>;
export const searchRules = {
  usual: 20,
  most: 100,
  /** Parameters of one search, values of one parameter and of all together, and characters of one value. */
  maxParameters: 40,
  maxValues: 100,
  maxAllValues: 200,
  maxLength: 1000,
  /** A total that nobody asked for is counted up to this, and left out beyond. */
  maxUnaskedTotal: 1000,
} as const;

/** A parameter of a search in the database: the condition for one value, which may hold several with commas. */
export interface SearchParameter {
  type: "token" | "date" | "string" | "reference";
  description: string;
  /** Suffixes that it understands: `name:exact`. */
  modifiers?: readonly string[];
  /** The type of resource that a reference leads to. */
  target?: string;
  /** True if it asks for elements of the patient, whom the reader must then be allowed to read. */
  readsPatients?: true;
  where(value: string, reader: FhirReader, modifier: string | null): Condition;
}

const never = sql`false`;
export const isUuid = (text: string): boolean => uuidShape.test(text);
const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Splits at commas; a comma after a backslash belongs to the value. */
export function splitValues(value: string): string[] {
  if (value.length > searchRules.maxLength * 4) refuse("badInput", { value: "tooLong" });
  const values = value.match(/(?:\\.|[^,\\])+/gs)?.map((one) => one.replace(/\\([,$|\\])/g, "$1")) ?? [];
  if (values.length > searchRules.maxValues) refuse("badInput", { value: "tooMany" });
  return values;
}

const anyOf = (value: string, toCondition: (one: string) => Condition): Condition => {
  const conditions = splitValues(value).map(toCondition);
  return conditions.length === 0 ? never : sql`(${sql.join(conditions, sql` or `)})`;
};

/** A token's system and code; `system` is null where the value has none, and "" where the value asks for none. */
export function parseToken(value: string): { system: string | null; code: string } {
  const at = value.lastIndexOf("|");
  return at < 0 ? { system: null, code: value } : { system: value.slice(0, at), code: value.slice(at + 1) };
}

/** A code in a column, with the system of its codes. */
export const tokenParameter = (
  description: string,
  codes: readonly { system: string; column: Condition }[],
): SearchParameter => ({
  type: "token",
  description,
  where: (value) =>
    anyOf(value, (one) => {
      const { system, code } = parseToken(one);
      const fitting = codes.filter((each) => system === null || each.system === system);
      if (fitting.length === 0) return never;
      const conditions = fitting.map(({ column }) =>
        code === "" ? sql`${column} is not null` : sql`${column} = ${code}`,
      );
      return sql`(${sql.join(conditions, sql` or `)})`;
    }),
});

/** A code that follows from the row in another way: the condition of each code, null for one that does not exist. */
export const codeParameter = (
  description: string,
  system: string,
  toCondition: (code: string) => Condition | null,
): SearchParameter => ({
  type: "token",
  description,
  where: (value) =>
    anyOf(value, (one) => {
      const token = parseToken(one);
      return token.system === null || token.system === system ? (toCondition(token.code) ?? never) : never;
    }),
});

export const idParameter = (column: Condition): SearchParameter => ({
  type: "token",
  description: "Ids of resources",
  where: (value) => anyOf(value, (id) => (isUuid(id) ? sql`${column} = ${id}::uuid` : never)),
});

export const referenceParameter = (description: string, target: string, column: Condition): SearchParameter => ({
  type: "reference",
  description,
  target,
  modifiers: [target],
  where: (value) =>
    anyOf(value, (one) => {
      const id = readReference(one, target);
      return id !== null && isUuid(id) ? sql`${column} = ${id}::uuid` : never;
    }),
});

/** Returns the id of `Patient/id`, of the same with an address before it, or of a bare id; null for another type. */
export function readReference(value: string, target: string): string | null {
  const parts = value.split("/");
  const id = parts.at(-1) ?? "";
  return parts.length === 1 || parts.at(-2) === target ? id : null;
}

/** Columns of an instant are compared as instants; those of a day or a local time by the clock of the value. */
export const dateParameter = (
  description: string,
  column: Condition,
  kind: "instant" | "day" | "local" = "instant",
): SearchParameter => ({
  type: "date",
  description,
  where: (value, { timeZone }) => {
    if (value.length > searchRules.maxLength) refuse("badInput", { date: "dateShape" });
    return anyOf(value, (one) => {
      const range = parseDateRange(one, timeZone) ?? refuse("badInput", { [description]: "dateShape" });
      return dateCondition(column, range, kind);
    });
  },
});

function dateCondition(column: Condition, range: DateRange, kind: "instant" | "day" | "local"): Condition {
  const [start, end] =
    kind === "instant"
      ? [sql`${range.start}::timestamptz`, sql`${range.end}::timestamptz`]
      : [sql`${range.localStart}::timestamp`, sql`${range.localEnd}::timestamp`];
  const within = sql`(${column} >= ${start} and ${column} < ${end})`;
  const conditions: Record<DateRange["prefix"], Condition> = {
    eq: within,
    ne: sql`not ${within}`,
    gt: sql`${column} >= ${end}`,
    sa: sql`${column} >= ${end}`,
    ge: sql`${column} >= ${start}`,
    lt: sql`${column} < ${start}`,
    eb: sql`${column} < ${start}`,
    le: sql`${column} < ${end}`,
  };
  return conditions[range.prefix];
}

/** A name in a column, and found by the search columns of its table as the product's own search finds it. */
export const nameParameter = (description: string, name: Condition, table: string): SearchParameter => ({
  type: "string",
  description,
  modifiers: ["exact", "contains"],
  where: (value, _, modifier) =>
    anyOf(value, (one) => {
      if (modifier === "exact") return sql`${name} = ${one}`;
      const { grams, patterns } = searchTerms(one);
      const conditions = [
        ...(grams.length > 0 ? [sql`${sql.ref(`${table}.grams`)} @> ${grams}::text[]`] : []),
        ...patterns.map((pattern) => sql`${sql.ref(`${table}.haystack`)} like ${pattern}`),
      ];
      return conditions.length > 0 ? sql`(${sql.join(conditions, sql` and `)})` : never;
    }),
});

/** A text without search columns, by its beginning, or by a part of it. */
export const textParameter = (description: string, column: Condition): SearchParameter => ({
  type: "string",
  description,
  modifiers: ["exact", "contains"],
  where: (value, _, modifier) =>
    anyOf(value, (one) => {
      if (modifier === "exact") return sql`${column} = ${one}`;
      const pattern = `${modifier === "contains" ? "%" : ""}${one.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
      return sql`lower(${column}) like ${pattern}`;
    }),
});
