import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

/** The metrics of this process that are counted where something happens. */
export const processRegistry = new Registry();

let collectsDefaults = false;
/** Memory, CPU time, garbage collection and file handles. The observers of these are started on the first call only. */
export function collectProcessDefaults(): void {
  if (collectsDefaults) return;
  collectsDefaults = true;
  collectDefaultMetrics({ register: processRegistry });
}

export const requestSeconds = new Histogram({
  name: "arcada_request_seconds",
  help: "Time to answer a request",
  labelNames: ["method", "route", "status"],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [processRegistry],
});

export const refusedRequests = new Counter({
  name: "arcada_refusals_total",
  help: "Requests that were refused, by the name of the refusal",
  labelNames: ["refusal"],
  registers: [processRegistry],
});

export const signInFailures = new Counter({
  name: "arcada_sign_in_failures_total",
  help: "Attempts to sign in that were refused, by the name of the refusal",
  labelNames: ["refusal"],
  registers: [processRegistry],
});

export const jobSeconds = new Histogram({
  name: "arcada_job_seconds",
  help: "Duration of one attempt of a job in this process",
  labelNames: ["queue", "outcome"],
  buckets: [0.01, 0.1, 0.5, 1, 5, 30, 120, 600, 3600],
  registers: [processRegistry],
});

export const taskFailures = new Counter({
  name: "arcada_task_failures_total",
  help: "Failed runs of a repeated task in this process",
  labelNames: ["task"],
  registers: [processRegistry],
});

export const hl7Messages = new Counter({
  name: "arcada_hl7_messages_total",
  help: "Messages of HL7 version 2, by direction and outcome",
  labelNames: ["direction", "outcome"],
  registers: [processRegistry],
});

export const hl7Faults = new Counter({
  name: "arcada_hl7_connection_faults_total",
  help: "Connections for HL7 that broke the rules of MLLP or TLS, by the fault",
  labelNames: ["fault"],
  registers: [processRegistry],
});
