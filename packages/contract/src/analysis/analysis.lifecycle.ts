import { defineLifecycle } from "../kernel/lifecycle.ts";

export const analysisStates = ["queued", "running", "done", "failed", "cancelled"] as const;
export type AnalysisState = (typeof analysisStates)[number];
/**
 * clinician: any member of the clinic; system: uploads that are measured automatically, and the processes that run the
 * engines.
 */
export type AnalysisParty = "clinician" | "system";

const openStates = ["queued", "running"] as const satisfies readonly AnalysisState[];

export const analysisLifecycle = defineLifecycle<AnalysisState, AnalysisParty>(analysisStates, [
  "done",
  "failed",
  "cancelled",
])({
  start: { id: "N1", from: [], to: ["queued"], by: ["clinician", "system"] },
  begin: { id: "N2", from: ["queued"], to: ["running"], by: ["system"] },
  finish: { id: "N3", from: ["running"], to: ["done"], by: ["system"] },
  fail: { id: "N4", from: openStates, to: ["failed"], by: ["system"] },
  cancel: { id: "N5", from: openStates, to: ["cancelled"], by: ["clinician"] },
});
export type AnalysisAction = keyof typeof analysisLifecycle.steps;
