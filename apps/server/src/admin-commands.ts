import type pg from "pg";
import { openDatabase } from "./platform/database/database.ts";
import { requireMigrated } from "./platform/database/migrate.ts";
import { addPartitions } from "./platform/database/partitions.ts";
import { migrationCommands } from "./platform/database/migration.commands.ts";
import { postgresCommands } from "./platform/postgres-upgrade/postgres-upgrade.commands.ts";
import { Refused } from "./platform/http/refuse.ts";
import { openJobs } from "./platform/jobs/jobs.ts";
import { openMail } from "./platform/mail/open-mail.ts";
import { describeCommands, parseOptions } from "./platform/runtime/admin-command.ts";
import type { AdminCommand, AdminServices, MaintenanceServices } from "./platform/runtime/admin-command.ts";
import { StartError } from "./platform/runtime/config.ts";
import type { Config } from "./platform/runtime/config.ts";
import { promptPassword } from "./platform/runtime/password-input.ts";
import { provideServices } from "./platform/runtime/services.ts";
import { loadSecretKey } from "./platform/storage/open-file-store.ts";
import { translate } from "./platform/text/texts.ts";
import { slices, subscribeSlices } from "./slices.ts";

/** Every command of the platform and of every slice, by name. */
export const adminCommands: readonly AdminCommand[] = [
  ...migrationCommands,
  ...postgresCommands,
  ...slices.flatMap((slice) => slice.adminCommands ?? []),
].toSorted((a, b) => a.name.localeCompare(b.name, "en"));

export const describeAdminCommands = (): string => describeCommands(adminCommands);

/** A command with its checked arguments. */
export type ReadCommand =
  | { run: (services: AdminServices) => Promise<number> }
  | { maintain: (services: MaintenanceServices) => Promise<number> };

/** Returns the command and its checked arguments; throws one sentence for anything that is none. */
export function readAdminCommand([name, ...args]: readonly string[]): ReadCommand {
  const command = adminCommands.find((one) => one.name === name);
  if (!command)
    throw new StartError(
      `${name === undefined ? "A command is missing" : `There is no command ${name}`}. Known: help, ${adminCommands.map((one) => one.name).join(", ")}.`,
    );
  const options = parseOptions(command, args);
  return "run" in command
    ? { run: (services) => command.run(options, services) }
    : { maintain: (services) => command.maintain(options, services) };
}

type Output = Pick<AdminServices, "print" | "promptPassword">;
const terminal: Output = { print: (line) => void process.stdout.write(`${line}\n`), promptPassword };

/**
 * Runs a command on the database of this configuration. A running server is not disturbed: it keeps its connections,
 * and learns of changes as of those by another process.
 */
export async function runAdminCommand(
  command: ReadCommand,
  config: Config,
  withConnection: MaintenanceServices["withConnection"],
  output: Output = terminal,
): Promise<number> {
  if ("maintain" in command) return command.maintain({ config, print: output.print, withConnection });
  return withConnection(async (connection) => {
    await requireMigrated(connection);
    const database = openDatabase(connection, 2);
    try {
      // The instance may have been off past the last partition of the audit log.
      await addPartitions(database);
      return await withServices(config, connection, () => command.run({ config, database, ...output }));
    } finally {
      await database.close();
    }
  });
}

async function withServices<T>(config: Config, connection: pg.PoolConfig, work: () => Promise<T>): Promise<T> {
  subscribeSlices(config);
  const mail = openMail(config);
  const jobs = await openJobs(connection, { isWorker: false });
  provideServices({
    secret: await loadSecretKey(config),
    mail,
    jobs,
    freeQuota: { gigabytes: config.FREE_STORAGE_GB, analyses: config.FREE_ANALYSES },
  });
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refused ? new StartError(translate("en", "refusals", error.refusal)) : error;
  } finally {
    await jobs.stop(1);
    mail.close();
  }
}
