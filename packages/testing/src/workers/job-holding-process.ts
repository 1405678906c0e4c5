import type pg from "pg";
import { defineQueue, openJobs } from "../../../../apps/server/src/platform/jobs/jobs.ts";

/** A worker that takes one job and holds it until it is killed. */
const jobs = await openJobs(JSON.parse(process.env.JOB_WORKER ?? "{}") as pg.PoolConfig);
await jobs.work(defineQueue("mortal"), () => {
  process.stdout.write("begun\n");
  return new Promise(() => {});
});
process.stdout.write("ready\n");
