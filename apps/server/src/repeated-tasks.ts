import type { Database } from "./platform/database/database.ts";
import { deleteOldResponses } from "./platform/http/idempotency.ts";
import type { RepeatedTask } from "./platform/jobs/repeated-tasks.ts";
import type { JobServices } from "./platform/runtime/slice.ts";
import { codeKeyEveryMs, publishCodeKey } from "./platform/security/verification-code-key.ts";
import { slices } from "./slices.ts";

/** The work that is repeated in every process that runs jobs, beside the schedule of the queues. */
export const listRepeatedTasks = (services: JobServices): RepeatedTask[] => [
  {
    name: "platform.deleteOldResponses",
    everyMs: 600_000,
    toleratedMs: 7_200_000,
    run: () => deleteOldResponses(services.database),
  },
  ...slices.flatMap((slice) => slice.tasks?.(services) ?? []),
];

/** Runs in every process that serves requests. */
export const createKeyTask = (database: Database): RepeatedTask => ({
  name: "platform.publishCodeKey",
  everyMs: codeKeyEveryMs,
  toleratedMs: 600_000,
  run: () => publishCodeKey(database),
});
