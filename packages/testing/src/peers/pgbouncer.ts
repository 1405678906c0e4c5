import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import { isAlive, readPid, waitUntil } from "../../../../apps/server/src/platform/postgres/postmaster.ts";
import { findBinaries } from "../../../../apps/server/src/platform/postgres/find-binaries.ts";
import { changeOwner, findLauncher } from "../../../../apps/server/src/platform/postgres/unprivileged-launcher.ts";
import { databaseUrl } from "../setup/database-url.ts";
import { cleanUpAfterFile } from "../setup/file-cleanup.ts";
import { freePort } from "../setup/product-process.ts";

export interface Pooler {
  connection: pg.PoolConfig;
  stop(): Promise<void>;
}

/** One that was built here comes before that of the distribution. */
const places = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/sbin", "/usr/bin"];
/** PgBouncer keeps prepared statements since this version. */
const preparingVersion = [1, 21] as const;

type Settings = Record<string, string | number>;

/**
 * PgBouncer in transaction mode, with so few sessions of the server that clients meet those of others. It keeps prepared
 * statements if its version can. `settings`: lines of its configuration that add to these. Answers why not if
 * `findPooler` finds none for them.
 */
export async function startPooler(
  server: pg.PoolConfig,
  settings: Settings = {},
): Promise<Pooler | { skipped: string }> {
  const found = findPooler(settings);
  if ("skipped" in found) return found;
  if (server.connectionString)
    return { skipped: "the test run has a PostgreSQL of its own, which may need a password" };
  const { program, canPrepare } = found;
  const launcher = findLauncher();
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-pooler-"));
  const port = await freePort();
  const pidFile = path.join(folder, "pid");
  const lines = Object.entries({
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: 2,
    pidfile: pidFile,
    max_prepared_statements: 200,
    ...settings,
  })
    // An older version refuses to start with a setting that it does not know.
    .filter(([name]) => canPrepare || name !== "max_prepared_statements")
    .map(([name, value]) => `${name} = ${value}`);
  const file = path.join(folder, "pgbouncer.ini");
  const target = `* = host=${server.host} port=${server.port} user=${server.user}`;
  writeFileSync(file, ["[databases]", target, "[pgbouncer]", ...lines, ""].join("\n"));
  changeOwner(launcher, folder);
  // The launcher names programs relative to those of PostgreSQL. PgBouncer, too, refuses to run as root.
  launcher.start(path.relative(findBinaries().folder, program), [file], path.join(folder, "log"));
  if (!(await waitUntil(() => readPid(pidFile) > 0, 10_000))) throw new Error("PgBouncer did not start");
  const { user, database } = server;
  return {
    connection: { host: "127.0.0.1", port, user: user ?? "", database: database ?? "" },
    stop: async () => {
      const pid = readPid(pidFile);
      if (pid > 0) process.kill(pid, "SIGKILL");
      await waitUntil(() => !isAlive(pid), 5000);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * PgBouncer for the server of a test file, with ARCADA_TEST_POOLER: returns the settings that lead the server's
 * transactions through it. Each costs one more round trip, so tests that count round trips fail. Throws if there is none.
 */
export async function openPoolerForFile(connection: pg.PoolConfig): Promise<Record<string, string>> {
  const pooler = await startPooler(connection, { default_pool_size: 20 });
  if ("skipped" in pooler) throw new Error(pooler.skipped);
  cleanUpAfterFile(() => pooler.stop());
  return { DATABASE_URL: databaseUrl(pooler.connection), DATABASE_DIRECT_URL: databaseUrl(connection) };
}

/** Answers why not if PgBouncer is not installed, or too old to keep the prepared statements that the settings ask for. */
export function findPooler({
  max_prepared_statements: kept = 0,
}: Settings): { program: string; canPrepare: boolean } | { skipped: string } {
  const program = places.map((place) => path.join(place, "pgbouncer")).find((file) => existsSync(file));
  if (!program) return { skipped: "PgBouncer is not installed" };
  const version = execFileSync(program, ["--version"], { encoding: "utf8" });
  const [major = 0, minor = 0] = (/^PgBouncer (\d+)\.(\d+)/.exec(version)?.slice(1) ?? []).map(Number);
  const canPrepare = major > preparingVersion[0] || (major === preparingVersion[0] && minor >= preparingVersion[1]);
  return canPrepare || kept === 0
    ? { program, canPrepare }
    : { skipped: "PgBouncer is too old to keep prepared statements" };
}
