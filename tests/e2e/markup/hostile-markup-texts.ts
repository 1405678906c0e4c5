import { sql } from "kysely";
import { z } from "zod";
import { everyCall } from "@arcada/contract/calls";
import type { Database, Db } from "../../../apps/server/src/platform/database/database.ts";
import type { CallName } from "@arcada/testing/setup/test-server";

/** A host that must never be requested. A request means that typed text was executed or loaded. */
export const canaryHost = "canary.invalid";
/**
 * Text that breaks out of an element, an attribute, a script, a template or a spreadsheet cell; with a right-to-left
 * override.
 */
const longMarkup = `=1+1"'><img src=//${canaryHost}/i onerror=__xss(1)><svg onload=__xss(2)></title></script><script src=//${canaryHost}/s></script>{{__xss(3)}}\u202e`;
const shortMarkup = `=x"'><img src=//${canaryHost} onerror=__xss()>`;
const shortestMarkup = `=<b onclick=__xss()>`;
/** A page that shows a seeded text contains this string. */
export const markupSign = "onerror=__xss(";

/** The longest text that still fits. */
export const markup = (most = Number.POSITIVE_INFINITY): string =>
  [longMarkup, shortMarkup, shortestMarkup].find((text) => text.length <= most) ?? "=<b>".slice(0, most);

interface Schema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  maxLength?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
const inputs = new Map<string, Schema>(
  everyCall().map(({ name, row }) => [
    name,
    z.toJSONSchema(row.input, { io: "input", unrepresentable: "any" }) as Schema,
  ]),
);
// Texts that open something or find something: another word would be refused, and nobody is shown it.
const keyFields =
  /^(account|answer|card|carrier|code|confirm|country|cursor|email|engine|factor|human|id|kinds|licence|mine|number|oldPassword|password|province|queue|rawId|search|secret|sourceOrder|states|step|ticket|token|url|zone|phone(Area)?|fixedLine|serialNumber|headerImg|filter|city)$/;

const isText = ({ type, format, pattern, enum: names, const: fixed }: Schema): boolean =>
  type === "string" && !format && !pattern && !names && fixed === undefined;

/** The input of a call with markup in every text that a person may write there, also in those that the input leaves out. */
export function withMarkup(call: CallName, input: Record<string, unknown>): Record<string, unknown> {
  return fillTexts(inputs.get(call) ?? {}, input) as Record<string, unknown>;
}

function fillTexts(schema: Schema, value: unknown, name = ""): unknown {
  const kinds = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const text = kinds.find(isText);
  if (text && !keyFields.test(name) && (value === undefined || typeof value === "string"))
    return markup(text.maxLength);
  if (Array.isArray(value)) {
    const items = kinds.find((kind) => kind.items)?.items;
    return items ? value.map((one) => fillTexts(items, one, name)) : value;
  }
  const shape = kinds.find((kind) => kind.properties)?.properties;
  if (!shape || value === null || typeof value !== "object") return value;
  const given = value as Record<string, unknown>;
  return {
    ...given,
    ...Object.fromEntries(
      Object.entries(shape)
        .map(([key, part]) => [key, fillTexts(part, given[key], key)] as const)
        .filter(([, one]) => one !== undefined),
    ),
  };
}

/** Names of the texts that people write, as JSON in the database has them too. */
const writtenNames = new Set<string>(["title", "description", "name", "label"]);
for (const schema of inputs.values())
  (function collect(part: Schema): void {
    for (const [name, one] of Object.entries(part.properties ?? {})) {
      if ([one, ...(one.anyOf ?? []), ...(one.oneOf ?? [])].some(isText) && !keyFields.test(name))
        writtenNames.add(name);
      collect(one);
    }
    for (const one of [part.items, ...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? [])])
      if (one) collect(one);
  })(schema);

// The program itself writes these columns: names of states and kinds, hashes, keys, signed addresses.
const programColumns =
  /^(.*_)?(id|hash|sha256|secret|key|uid|state|action|kind|language|country|country_code|code|token|type|role|stage|plan|step|layout|box|modality|syntax|sop_class|thumbnail|avatar|purpose|target|begins|refusal|fault|algorithm|signature|class|bears|haystack|metadata|attributes|method|unit|content|call|fingerprint|original|source|subject|issuer|value|event|body|email|scopes|host|url|params|intended_role|province|city|text_version|engine_version|terms_version|place|sealed|norms|resume_state|licence|serial_number)$/;
const tables =
  /^(migration|idempotency|session|storage|readiness|repeated_task|audit|dicom_instance|arrival|login_failure|totp)$/;

interface Column {
  table: string;
  column: string;
  kind: "text" | "jsonb";
}
const listColumns = async (db: Db): Promise<Column[]> =>
  (
    await sql<Column>`select c.table_name as "table", c.column_name as "column", c.data_type as kind
      from information_schema.columns c join pg_class g on g.relname = c.table_name and g.relkind in ('r', 'p') and not g.relispartition
        and g.relnamespace = 'public'::regnamespace
      where c.table_schema = 'public' and c.data_type in ('text', 'jsonb') and c.is_generated = 'NEVER'`.execute(db)
  ).rows;

/**
 * Writes markup to every text of every row, bypassing the validation of the calls. A future column is included, unless
 * the program itself writes its content. Returns the number of columns that hold markup. A text that the database
 * itself refuses cannot be stored by anyone.
 */
export async function writeMarkupEverywhere(database: Database): Promise<number> {
  let changedColumns = 0;
  for (const { table, column, kind } of await database.asSystem(listColumns)) {
    if (tables.test(table)) continue;
    const [at, name] = [sql.table(table), sql.ref(column)];
    if (kind === "jsonb")
      changedColumns += await database.asSystem((db) => writeMarkupToJson(db, table, column)).catch(() => 0);
    else if (!programColumns.test(column))
      for (const text of [longMarkup, shortMarkup, shortestMarkup]) {
        // Rows with a unique text get a distinct suffix.
        const done = await database
          .asSystem((db) =>
            sql`update ${at} set ${name} = ${text} || left(md5(ctid::text), 4) where coalesce(${name}, '') <> ''`.execute(
              db,
            ),
          )
          .catch(() => null);
        if (!done) continue;
        changedColumns += Number(done.numAffectedRows ?? 0n) > 0 ? 1 : 0;
        break;
      }
  }
  return changedColumns;
}

async function writeMarkupToJson(db: Db, table: string, column: string): Promise<number> {
  const [at, name] = [sql.table(table), sql.ref(column)];
  const { rows } = await sql<{ place: string; value: unknown }>`select ctid::text as place, ${name} as value from ${at}
    where ${name} is not null`.execute(db);
  let changed = 0;
  for (const { place, value } of rows) {
    const planted = JSON.stringify(replaceTexts(value, table === "notice"));
    if (planted === JSON.stringify(value)) continue;
    changed = 1;
    await sql`update ${at} set ${name} = ${planted}::jsonb where ctid = ${place}::tid`.execute(db);
  }
  return changed;
}

function replaceTexts(value: unknown, every: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceTexts(one, every));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      typeof one === "string" && one !== "" && (every || writtenNames.has(name))
        ? longMarkup
        : replaceTexts(one, every),
    ]),
  );
}
