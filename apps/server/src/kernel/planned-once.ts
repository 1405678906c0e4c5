import { sql } from "kysely";
import type { PostgresPool, PostgresPoolClient, RawBuilder } from "kysely";
import type pg from "pg";

const mark = "/* planned once */";

/**
 * Begins a statement that every connection plans once and keeps: planning a page of patients behind its walls takes
 * 0.5 ms, running it 0.1. Only for a statement whose best plan does not hang on its values: a search keeps its own.
 */
export const planOnce: RawBuilder<unknown> = sql.raw(mark);

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
  const query = (text: string, values: unknown[]) =>
    client.query(text.startsWith(mark) ? { name: nameOf(text), text, values } : { text, values });
  return { query: query as unknown as PostgresPoolClient["query"], release: (destroy) => client.release(destroy) };
}

// Statements are written in the source, so there are few; a name is given once and means one text for ever.
const names = new Map<string, string>();
function nameOf(text: string): string {
  const name = names.get(text) ?? `arcada_${names.size}`;
  names.set(text, name);
  return name;
}
