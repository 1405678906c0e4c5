import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { studyRow } from "./study.schema.ts";

export const binRow = studyRow.extend({
  removedAt: instant,
  /** From then on it can be deleted for good. */
  goesAt: instant,
});
export type BinRow = z.output<typeof binRow>;

export const studyBinCalls = {
  bin: call({
    method: "GET",
    path: "/v1/study/bin",
    access: clinicRoles,
    summary: "The removed studies of a patient, or without one of the inbox, that can still be restored.",
    audit: "study.list",
    input: z.object({ patientId: id.optional() }),
    output: z.array(binRow),
  }),
  restore: call({
    method: "POST",
    path: "/v1/study/restore",
    access: clinicRoles,
    summary: "Takes a study out of the bin.",
    isIdempotent: true,
    audit: "study.restore",
    input: z.object({ id }),
    output: studyRow,
  }),
} as const;
