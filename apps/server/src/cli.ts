import type pg from "pg";
import {
  createBackupFromCommand,
  releaseFromCommand,
  restoreBackupFromCommand,
  verifyBackupFromCommand,
} from "./platform/backup/backup.cli.ts";
import { emailDeliveries } from "./platform/mail/email-queue.ts";
import { webhookDeliveries } from "./integrations/webhook.queue.ts";
import { readConfig, StartError } from "./platform/runtime/config.ts";
import type { Config } from "./platform/runtime/config.ts";
import { version } from "./platform/runtime/version.ts";
import { openDatabase } from "./platform/database/database.ts";
import type { Database } from "./platform/database/database.ts";
import { scrubStorage } from "./retention/scrub.cli.ts";
import { describeAdminCommands, readAdminCommand, runAdminCommand } from "./admin-commands.ts";
import { subscribeSlices } from "./slices.ts";
import { prepareDataFolder, startDatabase } from "./start-database.ts";
import { exportToFile, importFromFile } from "./data-export/data-export.cli.ts";
import { acceptAuditLog, verifyAuditLog } from "./operator/audit.cli.ts";

/**
 * The commands that an operator may run on a data folder, whether Arcada runs on it or not. The arguments after the
 * verb are passed on. Each verb returns the exit code.
 */
type Verb = (database: Database, given: string[], config: Config, connection: pg.PoolConfig) => Promise<number>;
const verbs: Record<string, Verb> = {
  "audit verify": (database, given, config) => verifyAuditLog(database, given, config),
  "audit accept": (database, given, config) => acceptAuditLog(database, given, config),
  "institution export": (database, given, config) => exportToFile(database, given, config),
  "storage scrub": (database, given, config, connection) => {
    // Damage that is found is published to subscribers, and the file is made again where possible.
    subscribeSlices(config);
    return scrubStorage(database, given, config, connection);
  },
  "institution import": (database, given, config) => importFromFile(database, given, config),
  "backup create": createBackupFromCommand,
  "backup release": releaseFromCommand([emailDeliveries, webhookDeliveries]),
};

/** The commands that need no running database, and no data folder either. */
const offlineVerbs: Record<string, (given: string[], config: Config) => Promise<number>> = {
  "backup verify": verifyBackupFromCommand,
  "backup restore": restoreBackupFromCommand([emailDeliveries, webhookDeliveries]),
};

try {
  const [noun, doing, ...given] = process.argv.slice(2);
  process.exitCode =
    noun === "admin" ? await runAdmin(doing === undefined ? [] : [doing, ...given]) : await runVerb(noun, doing, given);
} catch (error) {
  process.stderr.write(`Arcada: ${error instanceof StartError ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = 2;
  // Resources that were opened before the failure must not keep the process alive.
  setTimeout(() => process.exit(), 3000).unref();
}

async function runVerb(noun: string | undefined, doing: string | undefined, given: string[]): Promise<number> {
  const offlineVerb = offlineVerbs[`${noun} ${doing}`];
  const verb = verbs[`${noun} ${doing}`];
  const known = ["admin help", ...Object.keys(verbs), ...Object.keys(offlineVerbs)];
  if (!verb && !offlineVerb) throw new StartError(`Known: ${known.join(", ")}.`);
  const config = readConfig();
  if (!verb) return offlineVerb!(given, config);
  await prepareDataFolder(config);
  return withConnection(config, async (connection) => {
    const database = openDatabase(connection, 2);
    try {
      return await verb(database, given, config, connection);
    } finally {
      await database.close();
    }
  });
}

async function runAdmin(words: string[]): Promise<number> {
  if (["help", "--help", "-h"].includes(words[0] ?? "")) {
    process.stdout.write(`${describeAdminCommands()}\n`);
    return 0;
  }
  if (words[0] === "--version") {
    process.stdout.write(`Arcada ${version}\n`);
    return 0;
  }
  // The arguments are checked before anything is opened.
  const command = readAdminCommand(words);
  const config = readConfig();
  await prepareDataFolder(config);
  return runAdminCommand(command, config, (work) => withConnection(config, work));
}

async function withConnection<T>(config: Config, work: (connection: pg.PoolConfig) => Promise<T>): Promise<T> {
  const database = await startDatabase(config);
  try {
    return await work(database.connection);
  } finally {
    await database.stop();
  }
}
