import path from "node:path";
import type pg from "pg";
import type { Product } from "@arcada/testing/setup/product-process";
import { openDatabase, type Db } from "../../../apps/server/src/platform/database/database.ts";
import { startPostgres } from "../../../apps/server/src/platform/postgres/embedded-postgres.ts";

/** Works in the database of a product that runs as another process, beside it, with no limit to one organisation. */
export async function inProductDatabase<T>(
  product: Product,
  work: (db: Db, connection: pg.PoolConfig) => Promise<T>,
): Promise<T> {
  const postgres = await startPostgres({ folder: path.join(product.folder, "postgres") });
  const database = openDatabase(postgres.connection, 2);
  try {
    return await database.asSystem((db) => work(db, postgres.connection));
  } finally {
    await database.close();
    await postgres.stop();
  }
}
