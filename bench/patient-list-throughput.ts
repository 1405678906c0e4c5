import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { EmbeddedPostgres } from "../apps/server/src/platform/postgres/embedded-postgres.ts";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import type { BareRoute } from "./peers/bare-route.ts";
import type { Clinic } from "./data/clinic.ts";
import { interleave, roundSeconds } from "./lib/figure-table.ts";
import type { Figure } from "./lib/figure-table.ts";
import { patientListQuery } from "./lib/patient-list-query.ts";
import type { Query } from "./lib/patient-list-query.ts";
import { startPeer } from "./peers/peer-process.ts";
import { peerEnvironment } from "./lib/peer-environment.ts";

type Connection = EmbeddedPostgres["connection"];
const run = promisify(execFile);
const connections = 20;

/**
 * Measures the pages per second of a signed-in clinic's patient list, in comparison with a bare route and pgbench on
 * the same database.
 */
export async function measurePatientList(address: string, clinic: Clinic, connection: Connection): Promise<Figure[]> {
  const query = patientListQuery(clinic.iid);
  // The view `patient_living` is filtered by the reader's institution; the bare connection sets it once for its
  // lifetime.
  const options = `-c arcada.iid=${clinic.iid}`;
  const bare = await startPeer("bare-route.ts", { connection: { ...connection, options }, query } satisfies BareRoute);
  const pgbench = findPgbench();
  const list = `${address}${patientCalls.list.path}?pageSize=20`;
  try {
    const runs: Record<string, () => Promise<number>> = {
      ours: () => measureRequests(list, { token: clinic.token }),
      bare: () => measureRequests(bare.address, {}),
    };
    if (pgbench) runs.pgbench = () => runPgbench(pgbench, connection, options, query);
    return toFigures(await interleave(runs));
  } finally {
    await bare.stop();
  }
}

function toFigures(seen: Record<string, number>): Figure[] {
  const row = {
    what: "signed-in patient list, page of 20 of 10,000 patients, 20 connections",
    ours: seen.ours,
    unit: "req/s",
  };
  const bare = { what: "bare Fastify route, the same query", value: seen.bare };
  const pgbench = { what: "pgbench, the same query, no HTTP", value: seen.pgbench };
  const figures: Figure[] = [{ ...row, peer: bare, goal: { least: 0.6 } }];
  return "pgbench" in seen
    ? [...figures, { ...row, peer: pgbench }]
    : [...figures, { ...row, what: "(no pgbench on this machine)" }];
}

const autocannon = fileURLToPath(import.meta.resolve("autocannon"));

async function measureRequests(url: string, headers: Record<string, string>): Promise<number> {
  const given = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}=${value}`]);
  const options = ["-j", "-n", "-c", String(connections), "-d", String(roundSeconds), ...given, url];
  const { stdout } = await run(process.execPath, [autocannon, ...options]);
  const seen = JSON.parse(stdout) as { requests: { average: number }; non2xx: number; errors: number };
  if (seen.non2xx > 0 || seen.errors > 0) throw new Error(`${url}: ${seen.non2xx} refused, ${seen.errors} failed`);
  return seen.requests.average;
}

export function findPgbench(): string | undefined {
  const folders = [...(process.env.PATH ?? "").split(path.delimiter), ...globSync("/usr/lib/postgresql/*/bin")];
  return folders.map((folder) => path.join(folder, "pgbench")).find((file) => existsSync(file));
}

async function runPgbench(
  pgbench: string,
  { host, port, user, database }: Connection,
  options: string,
  query: Query,
): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), "arcada-bench-"));
  try {
    const file = path.join(folder, "list.sql");
    writeFileSync(file, `${inlineParameters(query).replaceAll("\n", " ")};\n`);
    const where = ["-h", host, "-p", String(port), "-U", user, database];
    const how = ["-n", "-f", file, "-c", String(connections), "-j", "2", "-M", "extended", "-T", String(roundSeconds)];
    const { stdout } = await run(pgbench, [...how, ...where], { env: { ...peerEnvironment(), PGOPTIONS: options } });
    return Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1] ?? Number.NaN);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** pgbench knows no parameters from outside; ours are an identifier and a number. */
const inlineParameters = ({ text, values }: Query): string =>
  text.replace(/\$(\d+)/g, (_, place: string) => {
    const value = values[Number(place) - 1];
    return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
  });
