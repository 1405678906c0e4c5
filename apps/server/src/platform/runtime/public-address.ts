import { sql } from "kysely";
import type { Config } from "./config.ts";
import type { Database, Db } from "../database/database.ts";

const name = "publicUrl";

/**
 * Gives the configuration the public address that an operator stored, unless the environment sets `PUBLIC_URL`. Called
 * once at start, before anything uses the address.
 */
export async function loadPublicAddress(config: Config, database: Database): Promise<void> {
  if (config.isPublicUrlFixed) return;
  const stored = await database.asSystem((db) =>
    db.selectFrom("installation_setting").select("value").where("name", "=", name).executeTakeFirst(),
  );
  setAddress(config, stored?.value ?? null);
}

/**
 * Stores the public address, or removes it (null). Needs the rights of the system. This process uses it after the
 * transaction by `useAddress`; other processes read it when they start.
 */
export async function storePublicAddress(db: Db, url: string | null): Promise<void> {
  if (url === null) await db.deleteFrom("installation_setting").where("name", "=", name).execute();
  else
    await db
      .insertInto("installation_setting")
      .values({ name, value: url })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: url, changed_at: sql`now()` }))
      .execute();
}

/** Everything in this process reads the address from the one configuration object when it needs it. */
export function setAddress(config: Config, url: string | null): void {
  if (url === null) delete config.PUBLIC_URL;
  else config.PUBLIC_URL = url;
}
