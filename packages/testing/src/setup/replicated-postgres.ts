import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import {
  clusterOwner,
  clusterPaths,
  makeCluster,
  prepareFolder,
} from "../../../../apps/server/src/platform/postgres/make-cluster.ts";
import type { ClusterPaths } from "../../../../apps/server/src/platform/postgres/make-cluster.ts";
import { findPostmaster, isAlive, waitUntil } from "../../../../apps/server/src/platform/postgres/postmaster.ts";
import {
  changeOwner,
  findLauncher,
  prepareSocketFolder,
  readLastErrors,
} from "../../../../apps/server/src/platform/postgres/unprivileged-launcher.ts";
import { present } from "../require-present.ts";

export interface PostgresServer {
  connection: pg.PoolConfig;
  /** Ends every process of the server at once, as the loss of its machine would. */
  kill(): Promise<void>;
}

export interface ReplicatedPostgres {
  primary: PostgresServer;
  replica: PostgresServer;
  /** Makes the replica the primary, as a failover does. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const standbyName = "standby";

/**
 * Two PostgreSQL servers of this machine's programs, the second a streaming replica of the first, with an empty database
 * `arcada`. `isSynchronous`: the first acknowledges a commit only when the second has it on its disk. The replica begins
 * with a copy of the stopped primary, which needs no program beside the server itself.
 */
export async function startReplicatedPostgres({ isSynchronous = false } = {}): Promise<ReplicatedPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-replicated-"));
  const first = clusterPaths(path.join(folder, "first"));
  const second = clusterPaths(path.join(folder, "second"));
  const launcher = findLauncher();
  prepareFolder(first);
  makeCluster(first, launcher);
  appendFileSync(path.join(first.folder, "pg_hba.conf"), "local replication all trust\n");
  cpSync(first.folder, second.folder, { recursive: true });
  chmodSync(second.folder, 0o700);
  writeFileSync(path.join(second.folder, "standby.signal"), "");
  const primary = await startServer(first);
  const admin = await connect(primary.connection, "postgres");
  await admin.query("create database arcada");
  const replica = await startServer(second, {
    primary_conninfo: `host=${first.socket} user=${clusterOwner} application_name=${standbyName}`,
    // A transaction that reads must not end because the primary removes old rows.
    hot_standby_feedback: "on",
  });
  if (isSynchronous) {
    await admin.query(`alter system set synchronous_standby_names = '${standbyName}'`);
    await admin.query("select pg_reload_conf()");
  }
  await untilReplicated(admin);
  await admin.end();
  return {
    primary,
    replica,
    promote: async () => {
      const client = await connect(replica.connection, "postgres");
      await client.query("select pg_promote()");
      await client.end();
    },
    stop: async () => {
      await Promise.all([primary.kill(), replica.kill()]);
      for (const place of [folder, first.socket, second.socket]) rmSync(place, { recursive: true, force: true });
    },
  };
}

async function startServer(paths: ClusterPaths, settings: Record<string, string> = {}): Promise<PostgresServer> {
  const launcher = findLauncher();
  prepareSocketFolder(launcher, paths.socket);
  changeOwner(launcher, paths.folder);
  const all = { listen_addresses: "", fsync: "off", max_connections: "100", ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  launcher.start("postgres", ["-D", paths.folder, "-k", paths.socket, ...options], paths.log);
  if (!(await waitUntil(() => findPostmaster(paths.folder)?.ready ?? false, 60_000)))
    throw new Error(`PostgreSQL did not start: ${readLastErrors(paths.log)}`);
  const { pid } = present(findPostmaster(paths.folder), "postmaster");
  return {
    connection: { host: paths.socket, port: 5432, user: clusterOwner, database: "arcada" },
    kill: async () => {
      for (const one of [pid, ...listChildren(pid)]) killIfAlive(one);
      await waitUntil(() => !isAlive(pid), 10_000);
    },
  };
}

function listChildren(parent: number): number[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name of the program, in brackets, may contain anything; the parent's number is the second field behind it.
      const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1)?.split(" ");
      return Number(fields?.[1]) === parent ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended already.
  }
}

async function connect(connection: pg.PoolConfig, database: string): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, database });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function untilReplicated(admin: pg.Client): Promise<void> {
  for (const until = Date.now() + 30_000; Date.now() < until; await sleep(50)) {
    const { rowCount } = await admin.query(
      "select from pg_stat_replication where state = 'streaming' and replay_lsn >= pg_current_wal_lsn()",
    );
    if (rowCount === 1) return;
  }
  throw new Error("The replica does not follow the primary.");
}
