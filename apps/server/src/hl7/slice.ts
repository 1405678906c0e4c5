import { hl7Rules } from "@arcada/contract/hl7/hl7.rules";
import type { Slice } from "../platform/runtime/slice.ts";
import { hl7Routes } from "./hl7.routes.ts";
import { deleteOldMessages } from "./message.store.ts";
import { registerSending, reportSubscriber } from "./send-report.ts";

export const hl7Slice: Slice = {
  name: "hl7",
  tables: ["hl7_connection", "hl7_order", "hl7_message"],
  reads: ["patient", "report", "report_paper", "institution"],
  retention: [
    {
      data: "the log of HL7 messages",
      tables: ["hl7_message"],
      period: `${hl7Rules.logDays} days; ${hl7Rules.waitingDays} days while a person has to decide`,
      from: "the message",
      enforcedIn: "hl7/message.store.ts",
    },
  ],
  routes: hl7Routes,
  subscribers: () => [reportSubscriber],
  registerJobs: ({ config, database, jobs }) => registerSending(jobs, config, database),
  tasks: ({ database }) => [
    {
      name: "hl7.deleteOldMessages",
      everyMs: 600_000,
      toleratedMs: 86_400_000,
      run: () => deleteOldMessages(database),
    },
  ],
};
