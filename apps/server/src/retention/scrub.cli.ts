import type pg from "pg";
import type { Config } from "../platform/runtime/config.ts";
import { StartError } from "../platform/runtime/config.ts";
import type { Database } from "../platform/database/database.ts";
import { openFileStore } from "../platform/storage/open-file-store.ts";
import { openJobs } from "../platform/jobs/jobs.ts";
import { provideServices } from "../platform/runtime/services.ts";
import { scrubStore } from "./scrub-stored-files.ts";

/** `storage scrub [MB a second]`: reads everything in the store; exit status 0 if all of it is intact. */
export async function scrubStorage(
  database: Database,
  [rate]: string[],
  config: Config,
  connection: pg.PoolConfig,
): Promise<number> {
  const megabytes = rate === undefined ? Number.POSITIVE_INFINITY : Number(rate);
  if (!(megabytes > 0)) throw new StartError("Wanted: storage scrub [MEGABYTES A SECOND]");
  const jobs = await openJobs(connection, { isWorker: false });
  provideServices({ files: await openFileStore(config, database), jobs });
  try {
    const { files, bytes, broken, missing } = await scrubStore(database, {
      bytesPerSecond: megabytes * 1e6,
      onFault: ({ area, store, sha256 }, fault) => process.stdout.write(`${fault}: ${area}/${store}/${sha256}\n`),
    });
    process.stdout.write(
      `Read ${files} files, ${(bytes / 1e6).toFixed(1)} MB: ${broken} broken, ${missing} missing.\n`,
    );
    return broken + missing === 0 ? 0 : 1;
  } finally {
    await jobs.stop(1);
  }
}
