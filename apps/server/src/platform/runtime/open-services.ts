import type pg from "pg";
import { runsJobs } from "./config.ts";
import type { Config } from "./config.ts";
import type { Database } from "../database/database.ts";
import { openFileStore, loadSecretKey } from "../storage/open-file-store.ts";
import { openJobs } from "../jobs/jobs.ts";
import { openMail } from "../mail/open-mail.ts";
import { warmUpPinyin } from "../text/pinyin-warm-up.ts";
import { provideServices } from "./services.ts";
import type { Services } from "./services.ts";
import { openUploadParts } from "../upload/open-upload-parts.ts";

/** Opens all services from the configuration; a process that only serves requests does not take jobs. */
export async function openServices(config: Config, database: Database, connection: pg.PoolConfig): Promise<Services> {
  const services: Services = {
    secret: await loadSecretKey(config),
    mail: openMail(config),
    freeQuota: { gigabytes: config.FREE_STORAGE_GB, analyses: config.FREE_ANALYSES },
    files: await openFileStore(config, database),
    parts: await openUploadParts(config),
    jobs: await openJobs(connection, { isWorker: runsJobs(config) }),
  };
  provideServices(services);
  warmUpPinyin();
  return services;
}
