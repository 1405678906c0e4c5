import { mkdirSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { isExchanging } from "./platform/backup/exchange-folders.ts";
import { externalDatabase } from "./platform/database/external-database.ts";
import { startPostgres } from "./platform/postgres/embedded-postgres.ts";
import { mostConnections } from "./platform/postgres/embedded-postgres-settings.ts";
import { StartError } from "./platform/runtime/config.ts";
import type { Config } from "./platform/runtime/config.ts";
import { formerDataDir, containsData, findOrphanedFolders, markDataFolder } from "./platform/runtime/data-folder.ts";
import { moveDataFolder } from "./platform/runtime/move-data-folder.ts";
import { archiveSettings } from "./platform/wal-archive/archive-folder.ts";

export interface StartedDatabase {
  connection: pg.PoolConfig;
  stop(): Promise<void>;
}

/** So many processes may share the embedded database. Each connection that is allowed takes 100 kB, used or not. */
const processes = 4;
/** For events, jobs and locks of uploads, and for the commands of an operator. */
const connectionsBesidePool = 15;
const countConnections = ({ DATABASE_POOL }: Config): number =>
  Math.min(mostConnections, processes * (DATABASE_POOL + connectionsBesidePool));

/** Starts the embedded database in a prepared data folder; an external one runs already. */
export async function startDatabase(config: Config, onLaunch?: () => void): Promise<StartedDatabase> {
  const external = externalDatabase(config);
  if (external) return { connection: external, stop: async () => {} };
  return startPostgres({
    folder: path.join(config.dataDir, "postgres"),
    archive: archiveSettings(config),
    onLaunch,
    settings: { max_connections: String(countConnections(config)) },
  });
}

/** Creates the data folder; the default one first takes over the data that an earlier version kept in the checkout. */
export async function prepareDataFolder(config: Config): Promise<void> {
  const isDefault = config.DATA_DIR === undefined;
  const log = (line: string) => void process.stderr.write(`Arcada: ${line}\n`);
  if (isDefault) {
    await moveDataFolder({ from: formerDataDir, to: config.dataDir, log });
    if (!containsData(config.dataDir))
      for (const other of findOrphanedFolders(config.dataDir))
        log(`${other} holds data of a checkout that is gone. To go on with it, set DATA_DIR=${other}.`);
  }
  createDataFolder(config.dataDir, isDefault);
  if (isExchanging(config.dataDir))
    throw new StartError(
      `A restore into ${config.dataDir} was interrupted: run the same backup restore command again. It goes on where it stopped.`,
    );
}

function createDataFolder(folder: string, isDefault: boolean): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isDefault) markDataFolder(folder);
  } catch (error) {
    throw new StartError(
      `The data folder ${folder} cannot be made: ${(error as NodeJS.ErrnoException).code}. Set DATA_DIR to a folder that may be written.`,
    );
  }
}
