import type pg from "pg";
import { openDatabase } from "./database.ts";
import { migrate, readMigrationStatus, tryMigrations } from "./migrate.ts";
import { recordCommand } from "../audit/command-audit.ts";
import { formatTable, maintenanceCommand } from "../runtime/admin-command.ts";
import { StartError } from "../runtime/config.ts";
import { version } from "../runtime/version.ts";

export const migrationCommands = [
  maintenanceCommand({
    name: "migrate",
    summary: "Brings the database to this version, as a start of the server does.",
    options: {
      "dry-run": {
        help: "apply what is missing, then take it back. Exit code 1: something is missing. Running servers wait meanwhile",
      },
      status: {
        help: "list the migrations and change nothing. Exit code 1: some are missing, or no upgrade is possible",
      },
    },
    maintain: async ({ "dry-run": dryRun, status }, { withConnection, print }) => {
      if (dryRun && status) throw new StartError("Give either --dry-run or --status.");
      return withConnection((connection) => {
        if (status) return printStatus(connection, print);
        return dryRun ? tryOut(connection, print) : migrateNow(connection, print);
      });
    },
  }),
];

type Print = (line: string) => void;

async function printStatus(connection: pg.PoolConfig, print: Print): Promise<number> {
  const { migrations, release, refusal } = await readMigrationStatus(connection);
  const missing = migrations.filter(({ at }) => at === null).length;
  const rows = migrations.map(({ name, at }) => [name, at?.toISOString() ?? "missing"]);
  for (const line of formatTable([["MIGRATION", "APPLIED"], ...rows])) print(line);
  if (release !== null) print(`The database has all migrations of Arcada ${release}.`);
  print(refusal ?? describeMissing(missing));
  return refusal === null && missing === 0 ? 0 : 1;
}

const describeMissing = (missing: number): string =>
  missing === 0
    ? `Nothing is missing for Arcada ${version}.`
    : `Missing migrations: ${missing}. The next start of the server applies them, or admin migrate.`;

async function tryOut(connection: pg.PoolConfig, print: Print): Promise<number> {
  const tried = await tryMigrations(connection);
  for (const { name, milliseconds } of tried) print(`${name} can be applied (${milliseconds} ms)`);
  print(tried.length === 0 ? "Nothing is to be applied." : "Nothing was changed.");
  return tried.length === 0 ? 0 : 1;
}

async function migrateNow(connection: pg.PoolConfig, print: Print): Promise<number> {
  const applied = await migrate(connection);
  for (const name of applied) print(`${name} was applied`);
  if (applied.length === 0) print("Nothing is to be applied.");
  else await recordMigration(connection, applied);
  return 0;
}

async function recordMigration(connection: pg.PoolConfig, applied: readonly string[]): Promise<void> {
  const database = openDatabase(connection, 1);
  try {
    await database.asSystem((db) => recordCommand(db, "migrate", null, { version, applied }));
  } finally {
    await database.close();
  }
}
