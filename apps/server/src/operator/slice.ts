import { operatorNamed } from "../account/account.events.ts";
import { on } from "../platform/events/events.ts";
import { operatorCommands } from "./operator.commands.ts";
import { addOperator } from "./staff.store.ts";
import { registerAuditCheck } from "./audit-check.jobs.ts";
import { auditSealer, registerHeadEmail, sealTaskName } from "./audit.sealer.ts";
import { operatorGauges } from "./operator.gauges.ts";
import { openGrowthSheet } from "./growth-spreadsheet.ts";
import { operatorRoutes } from "./operator.routes.ts";
import type { Slice } from "../platform/runtime/slice.ts";

export const operatorSlice: Slice = {
  name: "operator",
  tables: ["audit_check"],
  reads: [
    "audit",
    "capacity_period",
    "clinic",
    "contact",
    "device",
    "engine_pack_permission",
    "error_report",
    "file_fault",
    "institution",
    "membership",
    "relation",
    "scrub",
    "institution_quota",
    "session",
    "storage_tally",
    "stored_file",
    "users",
    "work_order",
  ],
  routes: operatorRoutes,
  documents: (database) => ({ growth: openGrowthSheet(database) }),
  adminCommands: operatorCommands,
  subscribers: () => [on(operatorNamed, addOperator)],
  retention: [
    {
      data: "the audit log",
      tables: ["audit"],
      period: "`AUDIT_YEARS`; without it, for ever",
      from: "the end of the calendar year of the entry",
      enforcedIn: "platform/audit/audit-retention.ts",
    },
  ],
  registerJobs: async ({ config, database, jobs, chain }) => {
    await registerAuditCheck(jobs, database, { chain, keptYears: config.AUDIT_YEARS });
    await registerHeadEmail(jobs, database, chain);
  },
  gauges: operatorGauges,
  tasks: ({ database, chain }) => {
    const sealer = auditSealer(database, chain);
    return [
      { name: sealTaskName, everyMs: 1000, toleratedMs: 120_000, run: sealer.seal, logsErrors: true },
      { name: "audit.anchor", everyMs: 60_000, toleratedMs: 600_000, run: sealer.anchor, logsErrors: true },
    ];
  },
};
