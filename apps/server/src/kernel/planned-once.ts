import { sql } from "kysely";
import type { CompiledQuery, PostgresPool, PostgresPoolClient, RawBuilder } from "kysely";
import type pg from "pg";
import { pageRules } from "@arcada/contract/kernel/fields";

export const planMark = "/* planned once */";

/**
 * Begins a statement that every connection plans once and keeps: planning a page of patients behind its walls takes
 * 0.5 ms, running it 0.1. Only for a statement whose best plan does not hang on its values: a search keeps its own.
 */
export const planOnce: RawBuilder<unknown> = sql.raw(planMark);

/** What our own pages ask for. */
const usualSizes: readonly number[] = [pageRules.usual, pageRules.orders, pageRules.growing];
/**
 * The same for a page of a usual size; its limit has to be written as it is (`sql.lit`): of an unknown one PostgreSQL
 * thinks it a tenth of everything, and rather plans anew each time.
 */
export const planPage = (pageSize: number): RawBuilder<unknown> => (usualSizes.includes(pageSize) ? planOnce : sql``);

/** The same for a statement that was built. */
export const planned = <O>(query: CompiledQuery<O>): CompiledQuery<O> => ({
  ...query,
  sql: `${planMark} ${query.sql}`,
});

/** The pool as Kysely sees it, giving a name to each statement that wants to be kept. */
export function namingPool(pool: pg.Pool): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  const connect = async () => {
    const client = await pool.connect();
    const naming = known.get(client) ?? namingClient(client);
    known.set(client, naming);
    return naming;
  };
  return { connect, end: () => pool.end(), options: pool.options };
}

function namingClient(client: pg.PoolClient): PostgresPoolClient {
  const query = (text: string, values: unknown[]) => askBy(client, text, values);
  return { query: query as unknown as PostgresPoolClient["query"], release: (destroy) => client.release(destroy) };
}

/** Asks by the statement's name where it wants to be kept. */
export async function askBy(client: pg.PoolClient, text: string, values: unknown[]): Promise<pg.QueryResult> {
  try {
    return await client.query(kept(text, values));
  } catch (error) {
    if (isOutdated(error)) names.clear();
    throw error;
  }
}
const kept = (text: string, values: unknown[]): pg.QueryConfig =>
  text.startsWith(planMark) ? { name: nameOf(text), text, values } : { text, values };

/** A kept statement answers with other columns since another process has migrated: it is planned anew when it is asked again. */
export const isOutdated = (error: unknown): boolean => {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === "0A000" && routine === "RevalidateCachedQuery";
};

// Statements are written in the source, so there are few; a name is given once and means one text for ever.
const names = new Map<string, string>();
let given = 0;
function nameOf(text: string): string {
  const name = names.get(text) ?? `arcada_${given++}`;
  names.set(text, name);
  return name;
}
