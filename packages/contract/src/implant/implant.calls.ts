import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, int32, nullOutput, required } from "../kernel/fields.ts";
import { offeredLanguages } from "../kernel/languages.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { implantLibrary } from "./implant-library.schema.ts";
import { guideSettings, planPicture, planReportContent, planReportRules } from "./plan-report.schema.ts";

const institutionLibrary = z.object({
  id,
  library: implantLibrary,
  importedBy: z.string(),
  importedAt: instant,
});
export type InstitutionLibrary = z.output<typeof institutionLibrary>;

export const planDocumentKinds = ["report", "picture", "guide"] as const;
export type PlanDocumentKind = (typeof planDocumentKinds)[number];

const planDocument = z.object({
  id,
  kind: z.enum(["report", "guide"]),
  name: z.string(),
  bytes: z.int(),
  madeBy: z.string(),
  madeAt: instant,
  /** True if the measurements and plans of the study have been changed since. */
  isOutdated: z.boolean(),
  url: z.string(),
});
export type PlanDocument = z.output<typeof planDocument>;

export const implantCalls = {
  libraries: call({
    method: "GET",
    path: "/v1/implant/libraries",
    access: clinicRoles,
    summary: "The implant libraries that the organisation has imported; the product's own is part of the contract.",
    input: z.object({}),
    output: z.array(institutionLibrary),
  }),
  importLibrary: call({
    method: "POST",
    path: "/v1/implant/importLibrary",
    access: ["clinicAdmin"],
    summary: "Imports an implant library file; one of the same name is replaced.",
    isIdempotent: true,
    audit: "implant.importLibrary",
    input: z.object({ library: implantLibrary }),
    output: institutionLibrary,
  }),
  removeLibrary: call({
    method: "POST",
    path: "/v1/implant/removeLibrary",
    access: ["clinicAdmin"],
    summary: "Removes an imported implant library. Plans keep the sizes that they took from it.",
    isIdempotent: true,
    audit: "implant.removeLibrary",
    input: z.object({ id }),
    output: nullOutput,
  }),
  documents: call({
    method: "GET",
    path: "/v1/implant/documents",
    access: clinicRoles,
    summary: "The reports and guides that were made of the implant plan of a study, the newest first.",
    audit: "study.read",
    input: z.object({ studyId: id }),
    output: z.array(planDocument),
  }),
  saveReport: call({
    method: "POST",
    path: "/v1/implant/saveReport",
    access: clinicRoles,
    summary: "Writes a study's implant plan as a PDF with pictures, and keeps it with the study and the patient.",
    isIdempotent: true,
    audit: "implant.report",
    maxBodyBytes: planReportRules.body,
    input: z.object({
      studyId: id,
      /** The version of the study's marks that the report states. */
      version: int32,
      content: planReportContent,
      pictures: z.array(planPicture).max(planReportRules.maxPictures),
      lang: z.enum(offeredLanguages),
    }),
    output: planDocument,
  }),
  saveGuide: call({
    method: "POST",
    path: "/v1/implant/saveGuide",
    access: clinicRoles,
    summary: "Keeps an uploaded STL of a surgical guide with the study of its plan.",
    isIdempotent: true,
    audit: "implant.guide",
    input: z.object({ studyId: id, version: int32, upload: required(36).pipe(id), settings: guideSettings }),
    output: planDocument,
  }),
  attach: call({
    method: "POST",
    path: "/v1/implant/attach",
    access: clinicRoles,
    summary:
      "Offers a plan's newest report, its pictures and its newest guide as uploads for an order; those of an earlier plan are left out and named.",
    isIdempotent: true,
    audit: "study.read",
    input: z.object({ studyId: id }),
    output: z.object({
      files: z.array(z.object({ upload: id, role: z.enum(["document", "image"]), name: z.string() })),
      outdated: z.array(z.enum(["report", "guide"])),
    }),
  }),
} as const;
