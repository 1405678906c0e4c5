import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import { inject } from "vitest";
import { openDatabase } from "../../../../apps/server/src/platform/database/database.ts";
import type { Database } from "../../../../apps/server/src/platform/database/database.ts";
import { newDigits, newId } from "../../../../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { cleanUpAfterFile } from "./file-cleanup.ts";
import { copyTemplate } from "./template-database.ts";

export interface TestDatabase {
  database: Database;
  connection: pg.PoolConfig;
  /** An empty folder of this test file. */
  folder: string;
}

/** A migrated database and a folder, for tests of the platform that need no running server. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const connection = await copyTemplate(inject("postgres"), `t_${newId().replaceAll("-", "")}`);
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-platform-"));
  cleanUpAfterFile(() => rmSync(folder, { recursive: true, force: true }));
  const database = openDatabase(connection, 5);
  cleanUpAfterFile(() => database.close());
  return { database, connection, folder };
}

/** Creates a dentist, by default in a new clinic. */
export async function createClinician(
  database: Database,
  iid: string = newId(),
): Promise<{ uid: string; iid: string }> {
  const uid = newId();
  await database.asSystem(async (db) => {
    await db.insertInto("users").values({ id: uid, nick_name: "dentist" }).execute();
    await db
      .insertInto("institution")
      .values({ id: iid, number: newDigits(9), name: "Clinic", type: "clinic", country: "CN", created_by: uid })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await db
      .insertInto("membership")
      .values({ id: newId(), institution_id: iid, user_id: uid, authority_id: 233, state: "normal" })
      .execute();
  });
  return { uid, iid };
}
