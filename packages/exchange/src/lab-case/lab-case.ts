import type { z } from "zod";
import type { fileRoles, orderItem } from "@arcada/contract/order/order.calls";
import type { CaseType } from "@arcada/contract/order/order.rules";

export const casePrograms = ["exocad", "threeShape", "scanFolder"] as const;
export type CaseProgram = (typeof casePrograms)[number];

export type CaseItem = z.output<typeof orderItem>;
export type CaseFileRole = (typeof fileRoles)[number];

/** A case as another program keeps it, in the words of an Arcada order. */
export interface LabCase {
  program: CaseProgram;
  /** The program's own name of the case, which begins the names of its files. */
  name: string | null;
  /** The number of the order in the books of whoever wrote it. */
  orderNumber: string | null;
  patient: CasePatient;
  practice: string | null;
  /** The day of the case, YYYY-MM-DD. */
  date: string | null;
  /** The day on which the work is wanted, YYYY-MM-DD. */
  dueDate: string | null;
  notes: string | null;
  caseType: CaseType;
  fixType: "screw" | null;
  items: CaseItem[];
  remarks: CaseRemark[];
}

export interface CasePatient {
  /** The number in the program that wrote the case; not necessarily the clinic's. */
  number: string | null;
  lastName: string | null;
  firstName: string | null;
}

/** Points that a person has to check, since the programs do not say the same: shown before anything is stored. */
export const caseRemarkKinds = [
  "unknownWork",
  "workNearlyEqual",
  "unknownMaterial",
  "materialNotForWork",
  "severalMaterials",
  "unknownShade",
  "shadeWithoutUse",
  "unknownTooth",
  "toothTwice",
  "connectorWithoutNeighbour",
  "workWithoutPlace",
  "arrangedAsWritten",
  "nameInOneField",
] as const;
export interface CaseRemark {
  kind: (typeof caseRemarkKinds)[number];
  /** FDI numbers of the teeth that it concerns. */
  teeth: number[];
  /** The word of the other program. */
  word: string | null;
}

export const emptyCase = (program: CaseProgram, name: string | null): LabCase => ({
  program,
  name,
  orderNumber: null,
  patient: { number: null, lastName: null, firstName: null },
  practice: null,
  date: null,
  dueDate: null,
  notes: null,
  caseType: "restoration",
  fixType: null,
  items: [],
  remarks: [],
});
