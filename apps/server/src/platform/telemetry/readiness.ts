import { open, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import type { Config } from "../runtime/config.ts";

const minimumFreeBytes = 200 * 1024 * 1024;

const timeoutReason = "no answer within 3 s";
const diskFullReason = "less than 200 MB free";
/** Anybody may read the result of a check, so it contains only our own reasons and nothing of a system message. */
export const toPublicReason = (says: string): string =>
  ["ok", timeoutReason, diskFullReason].includes(says) ? says : "failed";

/** The conditions for accepting requests, jobs or images, each "ok" or the fault. */
export const checkReadiness = async (config: Config, database: Database) => ({
  database: await runCheck(() => checkDatabase(database)),
  storage: await runCheck(() => checkStorage(config)),
  disk: await runCheck(() => checkDiskSpace(config)),
});

async function runCheck(check: () => Promise<void>): Promise<string> {
  try {
    await Promise.race([
      check(),
      new Promise((_, reject) => setTimeout(() => reject(new Error(timeoutReason)), 3000).unref()),
    ]);
    return "ok";
  } catch (error) {
    return (error as Error).message;
  }
}

const checkDatabase = (database: Database): Promise<void> =>
  database.asSystem(async (db) => {
    await sql`insert into readiness (id, at) values (1, now()) on conflict (id) do update set at = now()`.execute(db);
  });
async function checkStorage(config: Config): Promise<void> {
  const file = path.join(config.dataDir, `.ready-${process.pid}`);
  const handle = await open(file, "w");
  try {
    await handle.write("ready");
    await handle.sync();
  } finally {
    await handle.close();
    await rm(file, { force: true });
  }
}
async function checkDiskSpace(config: Config): Promise<void> {
  const { bavail, bsize } = await statfs(config.dataDir);
  if (bavail * bsize < minimumFreeBytes) throw new Error(diskFullReason);
}
