import { pacsRules } from "@arcada/contract/pacs/pacs.rules";
import type { Slice } from "../platform/runtime/slice.ts";
import { pacsRoutes } from "./pacs.routes.ts";
import { registerSending } from "./send-task.ts";
import { deleteOldTasks } from "./task.store.ts";

export const pacsSlice: Slice = {
  name: "pacs",
  tables: ["pacs_destination", "pacs_task"],
  reads: ["study", "patient", "dicom_instance", "instance", "intake"],
  retention: [
    {
      data: "the log of what was sent to PACS",
      tables: ["pacs_task"],
      period: `${pacsRules.logDays} days`,
      from: "the request",
      enforcedIn: "pacs/task.store.ts",
    },
  ],
  routes: pacsRoutes,
  registerJobs: ({ config, database, jobs }) => registerSending(jobs, config, database),
  tasks: ({ database }) => [
    {
      name: "pacs.deleteOldTasks",
      everyMs: 600_000,
      toleratedMs: 86_400_000,
      run: () => deleteOldTasks(database),
    },
  ],
};
