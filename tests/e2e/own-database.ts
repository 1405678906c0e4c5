import path from "node:path";
import { openDatabase } from "../../apps/server/src/kernel/db.ts";
import type { Db } from "../../apps/server/src/kernel/db.ts";
import { startPostgres } from "../../apps/server/src/kernel/postgres.ts";
import type { Product } from "../product.ts";

/** Works in the running product's own database, past all walls: for what no call can bring about. */
export async function withDatabase<T>(product: Product, work: (db: Db) => Promise<T>): Promise<T> {
  const attached = await startPostgres({ folder: path.join(product.folder, "postgres") });
  const database = openDatabase(attached.connection, 1);
  try {
    return await database.asSystem(work);
  } finally {
    await database.close();
    await attached.stop();
  }
}
