import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { copyCluster } from "@arcada/testing/setup/copy-cluster";
import { Product } from "@arcada/testing/setup/product-process";
import { createClinic } from "./data/clinic.ts";
import { createRadiograph } from "./data/imaging-files.ts";
import type { Figure } from "./lib/figure-table.ts";
import { readCpuMs } from "./lib/compare-runs.ts";
import { measureStow } from "./peers/dicom-send-throughput.ts";

const studies = Number(process.env.ARCADA_BENCH_STUDIES ?? 1500);
const connections = 4;
/** The first studies warm up the process and are not measured. */
const warmUp = Math.min(40, studies);

/**
 * Measures how soon studies of one image can be found after they were acknowledged, and what they cost: processor time of
 * the server and its database, statements, and PostgreSQL's time for planning them.
 */
export async function measureSearchDelay(say: (line: string) => void): Promise<Figure[]> {
  const product = new Product({ NODE_ENV: "production", LOGIN_STEP_UP: "off", ANALYSIS_AUTO: "off" });
  // The cluster is started here, so that it counts statements; the product joins it.
  await copyCluster(process.execPath, product.folder);
  const postgres = await startPostgres({
    folder: path.join(product.folder, "postgres"),
    settings: {
      shared_preload_libraries: "pg_stat_statements",
      "pg_stat_statements.track_planning": "on",
      "pg_stat_statements.max": "10000",
    },
  });
  const client = new pg.Client(postgres.connection);
  try {
    await client.connect();
    await client.query("create extension pg_stat_statements");
    await product.start();
    const clinic = await createClinic(postgres.connection, 1);
    const target = {
      base: `${product.address}/dicomweb`,
      token: clinic.token,
      dicomPort: 0,
      calledTitle: "ARCADA",
      pids: [product.pid, product.postmasterPid()],
    };
    const count = async () => {
      const { rows } = await client.query<{ n: number }>("select count(*)::int as n from dicom_study where shown");
      return rows[0].n;
    };
    const send = (from: number, to: number) =>
      measureStow(
        target,
        Array.from({ length: to - from }, (_, place) => createRadiograph(from + place)),
        connections,
      );
    await send(0, warmUp);
    while ((await count()) < warmUp) await sleep(100);
    await waitUntilIdle(client);
    await client.query("select pg_stat_statements_reset()");
    const cpuBefore = readCpuMs(target.pids)!;
    const found: [ms: number, count: number][] = [];
    const began = performance.now();
    let acknowledged = 0;
    const sending = send(warmUp, warmUp + studies).then((speed) => {
      acknowledged = performance.now() - began;
      return speed;
    });
    for (let last = 0; last < studies; await sleep(100)) {
      last = (await count()) - warmUp;
      found.push([performance.now() - began, last]);
    }
    const all = performance.now() - began;
    const speed = await sending;
    const cpuFound = readCpuMs(target.pids)! - cpuBefore;
    say(
      `findable: ${found
        .filter((_, at) => at % 10 === 0)
        .map(([ms, n]) => `${Math.round(ms)} ms ${n}`)
        .join(", ")}`,
    );
    const statements = await readStatements(client);
    await waitUntilIdle(client);
    const megabytes = peakMegabytes(product.pid);
    const converted = performance.now() - began;
    const cpuAll = readCpuMs(target.pids)! - cpuBefore;
    for (const line of await listDearestStatements(client)) say(line);
    const what = `${studies} studies of one image by STOW-RS`;
    return [
      { what: `${what}: acknowledged`, ours: speed, unit: "studies/s" },
      { what: `${what}: findable`, ours: (studies * 1000) / all, unit: "studies/s", goal: { least: 300 } },
      {
        what: `${what}: from the last acknowledgement until all can be found`,
        ours: (all - acknowledged) / 1000,
        unit: "s",
        goal: { most: 2 },
      },
      { what: `${what}: processor time until all can be found, for each`, ours: cpuFound / studies, unit: "ms" },
      { what: `${what}: statements until then, for each`, ours: statements.calls / studies, unit: "statements" },
      { what: `${what}: PostgreSQL's planning until then, for each`, ours: statements.planMs / studies, unit: "ms" },
      { what: `${what}: PostgreSQL's execution until then, for each`, ours: statements.execMs / studies, unit: "ms" },
      { what: `${what}: until all are converted`, ours: converted / 1000, unit: "s" },
      { what: `${what}: processor time until then, for each`, ours: cpuAll / studies, unit: "ms" },
      { what: `${what}: memory of the server at most`, ours: megabytes, unit: "MB" },
    ];
  } finally {
    await client.end();
    await product.stop();
    await postgres.stop();
    await product.remove();
  }
}

async function waitUntilIdle(client: pg.Client): Promise<void> {
  for (let calm = 0; calm < 2; await sleep(500)) {
    const { rows } = await client.query<{ busy: number }>(`select count(*)::int as busy from pgboss.job
      where name in ('intake.open', 'ingest', 'dicomweb.index') and state in ('created', 'retry', 'active')`);
    calm = rows[0]?.busy === 0 ? calm + 1 : 0;
  }
}

interface StatementSums {
  calls: number;
  planMs: number;
  execMs: number;
}
async function readStatements(client: pg.Client): Promise<StatementSums> {
  const { rows } = await client.query<StatementSums>(`select sum(calls)::float8 as calls,
      sum(total_plan_time) as "planMs", sum(total_exec_time) as "execMs" from pg_stat_statements
    where query !~ 'pg_stat_statements|from dicom_study where shown$|pgboss.job$'`);
  return rows[0];
}

/** The statements that took the most time, and how many had a mean planning time of more than five milliseconds. */
async function listDearestStatements(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{
    line: string;
  }>(`select calls || ' × ' || round(mean_plan_time::numeric, 2) || ' + '
      || round(mean_exec_time::numeric, 2) || ' ms: ' || left(regexp_replace(query, '\\s+', ' ', 'g'), 160) as line
    from pg_stat_statements order by total_plan_time + total_exec_time desc limit 25`);
  const { rows: dear } = await client.query<{ n: number }>(
    "select count(*)::int as n from pg_stat_statements where calls > 1 and mean_plan_time > 5",
  );
  return [...rows.map(({ line }) => line), `planned for more than 5 ms: ${dear[0].n} statements`];
}

/** The most memory that a process held since its start, in MB. */
const peakMegabytes = (pid: number): number =>
  (Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) * 1024) / 1e6;
