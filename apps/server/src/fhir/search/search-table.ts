import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Resource } from "@medplum/fhirtypes";
import { z } from "zod";
import { day, localDateTime, timestampInput } from "@arcada/contract/kernel/fields";
import { isStorable } from "@arcada/contract/kernel/storable-text";
import { searchRules } from "./search-parameters.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { countUpTo, selectValue } from "../../platform/database/select-value.ts";
import type { Row } from "../../tables/row.ts";
import type { FhirContext } from "../fhir-context.ts";
import type { Sorting, TableDefinition } from "../resource-definition.ts";
import type { SearchRequest } from "./search-request.ts";

export interface SearchPage {
  resources: Resource[];
  /** Null if it was not asked for. */
  total: number | null;
  /** The cursor of the next page; null on the last. */
  next: string | null;
}

/** Searches the rows of a table; the next page begins behind the last row, whatever came or went before it. */
export async function searchTable(
  context: FhirContext,
  definition: TableDefinition,
  search: SearchRequest,
): Promise<SearchPage> {
  const { db } = context;
  const sort = findSorting(definition, search.sort);
  const conditions = [
    ...listVisible(context, definition),
    ...search.filters.map(({ name, modifier, value }) => definition.parameters[name]!.where(value, context, modifier)),
  ];
  const after = search.cursor === null ? null : readCursor(search.cursor, sort);
  const total = search.hasTotal
    ? await countMatches(db, search, sql`from ${definition.from} where ${both(conditions)}`)
    : null;
  if (search.isCountOnly) return { resources: [], total, next: null };
  const [way, beyond] = sort.isAscending ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const range = after
    ? [sql`(${sort.column}, r.id) ${beyond} (${after.key}::${sqlTypes[sort.type]}, ${after.id}::uuid)`]
    : [];
  const { rows } = await sql<{ id: string; key: string }>`select r.id, (${sort.column})::text as key
    from ${definition.from} where ${both([...conditions, ...range])}
    order by ${sort.column} ${way}, r.id ${way} limit ${search.count + 1}`.execute(db);
  const page = rows.slice(0, search.count);
  const last = rows.length > page.length ? page.at(-1) : undefined;
  return {
    resources: inOrder(
      await definition.load(
        context,
        page.map(({ id }) => id),
      ),
      page.map(({ id }) => id),
    ),
    total,
    next: last ? writeCursor(sort, last) : null,
  };
}

/** Counts all matches if the client asks for it; otherwise only as far as that costs little. Null: there are more. */
async function countMatches(
  db: FhirContext["db"],
  { isTotalExact }: SearchRequest,
  matches: RawBuilder<unknown>,
): Promise<number | null> {
  if (isTotalExact) return selectValue(db, sql<number>`(select count(*)::int ${matches})`);
  const counted = await selectValue(db, countUpTo(searchRules.maxUnaskedTotal + 1, matches));
  return counted > searchRules.maxUnaskedTotal ? null : counted;
}

/** The rows that the reader may know. */
const listVisible = (context: FhirContext, definition: TableDefinition): RawBuilder<unknown>[] => {
  const patientId = context.patientOf(definition.type);
  return [definition.visible(context), ...(patientId === null ? [] : [definition.ofPatient(patientId, context)])];
};

/** Returns those of the rows that the reader may know. */
export async function loadVisible(
  context: FhirContext,
  definition: TableDefinition,
  ids: readonly string[],
): Promise<Resource[]> {
  const { rows } = await sql<Row<"users", "id">>`select r.id from ${definition.from}
    where ${both([...listVisible(context, definition), sql`r.id = any(${ids}::uuid[])`])}`.execute(context.db);
  return definition.load(
    context,
    rows.map(({ id }) => id),
  );
}

const both = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(conditions, sql` and `);

function inOrder(resources: readonly Resource[], ids: readonly string[]): Resource[] {
  const byId = new Map(resources.map((resource) => [resource.id, resource]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const sqlTypes: Record<Sorting["type"], RawBuilder<unknown>> = {
  instant: sql`timestamptz`,
  day: sql`date`,
  local: sql`timestamp`,
  text: sql`text`,
};
const keyShapes: Record<Sorting["type"], (key: string) => boolean> = {
  instant: (key) => key.endsWith("+00") && timestampInput.safeParse(`${key.slice(0, -3).replace(" ", "T")}Z`).success,
  day: (key) => day.safeParse(key).success,
  local: (key) => localDateTime.safeParse(key.replace(" ", "T")).success,
  text: (key) => key.length <= 400 && isStorable(key),
};

interface ChosenSorting extends Sorting {
  name: string;
  isAscending: boolean;
}
function findSorting({ sorts, usualSort }: TableDefinition, wanted: string | null): ChosenSorting {
  const text = wanted ?? usualSort;
  const name = text.replace(/^-/, "");
  const sort = Object.hasOwn(sorts, name) ? sorts[name]! : refuse("badInput", { _sort: "invalid" });
  return { ...sort, name, isAscending: !text.startsWith("-") };
}

const cursorShape = z.tuple([z.string().max(40), z.boolean(), z.string().max(400), z.uuid()]);
const writeCursor = ({ name, isAscending }: ChosenSorting, { key, id }: { key: string; id: string }): string =>
  Buffer.from(JSON.stringify([name, isAscending, key, id])).toString("base64url");

function readCursor(cursor: string, sort: ChosenSorting): { key: string; id: string } {
  const read = cursorShape.safeParse(parseJson(Buffer.from(cursor, "base64url").toString()));
  if (!read.success) return refuse("badInput", { _cursor: "invalid" });
  const [name, isAscending, key, id] = read.data;
  const fits = name === sort.name && isAscending === sort.isAscending && keyShapes[sort.type](key);
  return fits ? { key, id } : refuse("badInput", { _cursor: "invalid" });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
