import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type pg from "pg";
import { isAlive, readPid, waitUntil } from "../../../../apps/server/src/platform/postgres/postmaster.ts";
import { findBinaries } from "../../../../apps/server/src/platform/postgres/find-binaries.ts";
import { changeOwner, findLauncher } from "../../../../apps/server/src/platform/postgres/unprivileged-launcher.ts";
import { freePort } from "../setup/product-process.ts";

export interface Pooler {
  connection: pg.PoolConfig;
  stop(): Promise<void>;
}

const places = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/**
 * PgBouncer in transaction mode, with so few sessions of the server that clients meet those of others. `settings`: lines
 * of its configuration that add to these. Answers why not if it is not installed.
 */
export async function startPooler(
  server: pg.PoolConfig,
  settings: Record<string, string | number> = {},
): Promise<Pooler | { skipped: string }> {
  const program = places.map((place) => path.join(place, "pgbouncer")).find((file) => existsSync(file));
  if (!program) return { skipped: "PgBouncer is not installed" };
  if (server.connectionString)
    return { skipped: "the test run has a PostgreSQL of its own, which may need a password" };
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
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`);
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
