import { z } from "zod";
import { call } from "../kernel/call.ts";
import { instant, int32, text } from "../kernel/fields.ts";
import { labAgentProblems, labAgentRules } from "../order/lab-agent.rules.ts";

/** The state of an agent, in figures and numbers of orders alone. */
export const agentReport = z.object({
  version: text(60),
  /** Cases that it has put into the folder, and designs that it has sent, since it was set up. */
  delivered: int32.min(0),
  designs: int32.min(0),
  /** Orders and designs that wait for the folder or the connection. */
  waiting: int32.min(0),
  problem: z.enum(labAgentProblems).nullable(),
  /** The numbers of the orders that the problem concerns. */
  numbers: z.array(text(40)).max(labAgentRules.maxNumbers).default([]),
});
export const labAgent = agentReport.extend({ seenAt: instant });
export type LabAgent = z.output<typeof labAgent>;

export const labAgentReportCalls = {
  report: call({
    method: "POST",
    path: "/v1/agent/report",
    access: ["factoryAdmin"],
    summary: "Says how a laboratory's agent does; its managers see it beside the agent's key.",
    input: agentReport,
    output: z.object({ key: z.string(), laboratory: z.string() }),
  }),
} as const;
