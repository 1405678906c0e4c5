import { truncateSync, writeFileSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { roles } from "@arcada/contract/kernel/roles";
import { fileKey } from "../../../apps/server/src/platform/storage/file-store.ts";
import type { Db } from "../../../apps/server/src/platform/database/database.ts";
import type { Product } from "@arcada/testing/setup/product-process";
import { withProductDatabase } from "./product-database.ts";

/** Makes a user the operator of an instance; this requires access to its database. */
export const makeOperator = (product: Product, email: string): Promise<unknown> =>
  withProductDatabase(product, (db) =>
    sql`insert into membership (id, institution_id, user_id, authority_id, state)
      select gen_random_uuid(), null, user_id, ${operator}, 'normal' from contact where value = ${email}`.execute(db),
  );
const operator = roles.operator.authorityId;

/**
 * Adds a volume so large that its export takes some seconds, without using disk space. Returns a function that removes
 * it.
 */
export async function addLargeVolume(product: Product, iid: string): Promise<() => Promise<void>> {
  const [sha256, bytes] = ["a".repeat(64), 20_000_000_000];
  const file = path.join(product.folder, "files", fileKey("originals", iid, sha256));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "");
  truncateSync(file, bytes);
  const write = (statement: (db: Db) => Promise<unknown>) => withProductDatabase(product, statement);
  await write((db) =>
    sql`insert into stored_file (institution_id, sha256, bytes) values (${iid}, ${sha256}, ${bytes})`.execute(db),
  );
  return async () => {
    await write((db) => sql`delete from stored_file where sha256 = ${sha256}`.execute(db));
    rmSync(file);
  };
}
