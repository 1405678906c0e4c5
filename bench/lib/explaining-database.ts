import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { CompiledQuery, DatabaseConnection, Driver } from "kysely";
import pg from "pg";
import type { Db } from "../../apps/server/src/platform/database/database.ts";
import type { Tables } from "../../apps/server/src/tables/schema.generated.ts";

/** The cost of the statements of one list. Pages of 8 kB do not depend on the load of the machine; the time does. */
export interface ListCost {
  pages: number;
  /** Planning and execution. */
  milliseconds: number;
}

export interface ExplainingDatabase {
  /** Runs a list and returns the sum of its statements. */
  measure(list: (db: Db) => Promise<unknown>): Promise<ListCost>;
  close(): Promise<void>;
}

/** Explains and executes every statement that a list sends, in the given role and tenant scope. */
export async function openExplainingDatabase(
  connection: pg.PoolConfig,
  { role, iid = "", uid = "" }: { role: "arcada_app" | "arcada_system"; iid?: string; uid?: string },
): Promise<ExplainingDatabase> {
  const options = `-c TimeZone=UTC -c role=${role} -c arcada.iid=${iid} -c arcada.uid=${uid} -c random_page_cost=1.1`;
  const client = new pg.Client({ ...connection, options });
  await client.connect();
  const cost = { pages: 0, milliseconds: 0 };
  const driver = explainingDriver(client, (more) => {
    cost.pages += more.pages;
    cost.milliseconds += more.milliseconds;
  });
  const kysely = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return {
    async measure(list) {
      Object.assign(cost, { pages: 0, milliseconds: 0 });
      await list(kysely as unknown as Db);
      return { ...cost };
    },
    close: () => client.end(),
  };
}

interface Explained {
  "Planning Time": number;
  "Execution Time": number;
  Plan: Record<"Shared Hit Blocks" | "Shared Read Blocks", number>;
}

function explainingDriver(client: pg.Client, add: (cost: ListCost) => void): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      // A setting before a search cannot be explained.
      if (/^\s*set /.test(sql)) return { rows: (await client.query(sql)).rows as Row[] };
      const explained = await client.query<{ "QUERY PLAN": [Explained] }>(
        `explain (analyze, buffers, format json) ${sql}`,
        [...parameters],
      );
      const [found] = explained.rows[0]!["QUERY PLAN"];
      add({
        pages: found.Plan["Shared Hit Blocks"] + found.Plan["Shared Read Blocks"],
        milliseconds: found["Planning Time"] + found["Execution Time"],
      });
      return { rows: (await client.query(sql, [...parameters])).rows as Row[] };
    },
    streamQuery: () => {
      throw new Error("A list is not streamed.");
    },
  };
  const nothing = async (): Promise<void> => {};
  return {
    init: nothing,
    acquireConnection: async () => connection,
    releaseConnection: nothing,
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    destroy: nothing,
  };
}
