import { defineLifecycle } from "../kernel/lifecycle.ts";

export const reportStates = ["draft", "in_review", "signed", "amended", "withdrawn"] as const;
export type ReportState = (typeof reportStates)[number];
/** Written manually, or started from measurements of engines that a dentist confirmed. */
export const reportSources = ["manual", "ai"] as const;
export type ReportSource = (typeof reportSources)[number];

/** The people of a report. Writer: any member of the clinic; dentist: one who may sign; author: the person who signed it, or the clinic's managers. */
export type ReportParty = "writer" | "dentist" | "author" | "system";

export const reportLifecycle = defineLifecycle<ReportState, ReportParty, "reason">(reportStates, [
  "amended",
  "withdrawn",
])({
  create: { id: "H1", from: [], to: ["draft"], by: ["writer"] },
  submit: { id: "H2", from: ["draft"], to: ["in_review"], by: ["writer"] },
  takeBack: { id: "H3", from: ["in_review"], to: ["draft"], by: ["writer"] },
  sign: { id: "H4", from: ["draft", "in_review"], to: ["signed"], by: ["dentist"] },
  // The correction is a separate report; this one counts until the correction is signed.
  amend: { id: "H5", from: ["signed"], to: ["signed"], by: ["writer"] },
  replace: { id: "H6", from: ["signed"], to: ["amended"], by: ["system"] },
  withdraw: { id: "H7", from: ["signed"], to: ["withdrawn"], by: ["author"], asks: ["reason"] },
  remove: { id: "H8", from: ["draft", "in_review"], to: [], by: ["writer"], removes: true },
});
export type ReportAction = keyof typeof reportLifecycle.steps;
/** The actions that a person performs by `report.step`; signing requires further input. */
export const reportSteps = ["submit", "takeBack", "amend", "withdraw", "remove"] as const satisfies ReportAction[];
export type ReportStep = (typeof reportSteps)[number];
