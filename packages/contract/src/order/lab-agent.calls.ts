import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, limited } from "../kernel/fields.ts";
import { preparedDownload } from "./download.calls.ts";
import { labAgentRules } from "./lab-agent.rules.ts";
import { orderStates } from "./order.lifecycle.ts";

const sha256 = limited(64, "sumShape").regex(/^[0-9a-f]{64}$/, "sumShape");

/** An order as a laboratory's agent needs it: no patient, no text that somebody wrote. */
export const agentOrder = z.object({
  id,
  number: z.string(),
  state: z.enum(orderStates),
  step: z.string(),
  designRevision: z.int(),
  /** Files that the sender attached: an order from a physical impression may have none, and then no case. */
  files: z.int(),
  /** A hash of the prescription's version and the files of the sender: another value means another case. */
  content: z.string(),
});
export type AgentOrder = z.output<typeof agentOrder>;

export const labAgentCalls = {
  orders: call({
    method: "POST",
    path: "/v1/agent/orders",
    access: ["factoryAdmin"],
    summary:
      "The received orders that a laboratory designs now, and the present state of the others that its agent has delivered.",
    input: z.object({ known: z.array(id).max(labAgentRules.maxKnown).default([]) }),
    output: z.object({ wanted: z.array(agentOrder), known: z.array(agentOrder) }),
  }),
  fetch: call({
    method: "POST",
    path: "/v1/agent/fetch",
    access: ["factoryAdmin"],
    summary:
      "Prepares the archive of an order that is designed now, as a project of exocad, for the laboratory's agent.",
    audit: "order.download",
    input: z.object({ id }),
    output: preparedDownload,
  }),
  submit: call({
    method: "POST",
    path: "/v1/agent/submit",
    access: ["factoryAdmin"],
    summary:
      "Submits a design that the laboratory's agent found in the case's folder, as a new revision. A design that still waits for its approval is withdrawn first; the files of the newest revision make none.",
    isIdempotent: true,
    audit: "order.step",
    input: z.object({
      id,
      files: z
        .array(z.object({ upload: id, sha256 }))
        .min(1)
        .max(labAgentRules.maxDesignFiles),
    }),
    output: z.object({ revision: z.int(), isNew: z.boolean() }),
  }),
} as const;
