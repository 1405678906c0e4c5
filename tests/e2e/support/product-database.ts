import path from "node:path";
import { openDatabase } from "../../../apps/server/src/platform/database/database.ts";
import type { Db } from "../../../apps/server/src/platform/database/database.ts";
import { startPostgres } from "../../../apps/server/src/platform/postgres/embedded-postgres.ts";
import type { Product } from "@arcada/testing/setup/product-process";

/** Accesses the running product's own database without the tenant scope, for states that no call can produce. */
export async function withProductDatabase<T>(product: Product, work: (db: Db) => Promise<T>): Promise<T> {
  const attached = await startPostgres({ folder: path.join(product.folder, "postgres") });
  const database = openDatabase(attached.connection, 1);
  try {
    return await database.asSystem(work);
  } finally {
    await database.close();
    await attached.stop();
  }
}
