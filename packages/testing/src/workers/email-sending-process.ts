import type pg from "pg";
import { readConfig } from "../../../../apps/server/src/platform/runtime/config.ts";
import { openJobs } from "../../../../apps/server/src/platform/jobs/jobs.ts";
import { registerEmailJobs } from "../../../../apps/server/src/platform/mail/email-queue.ts";
import { openMail } from "../../../../apps/server/src/platform/mail/open-mail.ts";
import { provideServices } from "../../../../apps/server/src/platform/runtime/services.ts";

/** A process that only sends emails, until it is killed. */
const { connection, smtp } = JSON.parse(process.env.LETTER_WORKER ?? "{}") as {
  connection: pg.PoolConfig;
  smtp: string;
};
const config = readConfig({ SMTP_URL: smtp });
const jobs = await openJobs(connection, { longestWaitSeconds: 1 });
provideServices({ jobs, mail: openMail(config) });
await registerEmailJobs(jobs, config);
process.stdout.write("ready\n");
