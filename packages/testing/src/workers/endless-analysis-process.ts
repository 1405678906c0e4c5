import type pg from "pg";
import { runAnalysis } from "../../../../apps/server/src/analysis/runs/run-analysis.ts";
import { readConfig } from "../../../../apps/server/src/platform/runtime/config.ts";
import { openDatabase } from "../../../../apps/server/src/platform/database/database.ts";
import { openServices } from "../../../../apps/server/src/platform/runtime/open-services.ts";

export interface AnalysisWork {
  connection: pg.PoolConfig;
  folder: string;
  iid: string;
  id: string;
}

/** Runs one analysis whose engine never finishes, and reports when it is running. */
const { connection, folder, iid, id } = JSON.parse(process.env.ANALYSIS_WORK ?? "{}") as AnalysisWork;
const included = { folder: "/nowhere", trust: { keys: [], unsigned: false } };
const database = openDatabase(connection, 4);
await openServices(readConfig({ DATA_DIR: folder, ARCADA_ROLE: "web", LOG_LEVEL: "silent" }), database, connection);
await runAnalysis(
  {
    database,
    trust: { packs: { keys: [], unsigned: true }, reach: { hosts: [], networks: [] }, included },
    run: () => {
      process.stdout.write("at work\n");
      return new Promise(() => {});
    },
  },
  { iid, id },
  new AbortController().signal,
);
