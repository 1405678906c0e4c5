import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, limited, nullOutput, required } from "../kernel/fields.ts";
import { managerRoles } from "../kernel/roles.ts";
import { institutionTypes } from "../institution/institution-types.ts";
import { dataExportRules } from "./data-export.rules.ts";

export const dataExportStates = ["waiting", "running", "done", "failed", "cancelled", "expired"] as const;
/** A data export of an institution into one archive, and the archive while it is kept. */
export const dataExport = z.object({
  id,
  kind: z.enum(["everything", "trail", "orders", "patients", "fhir"]),
  state: z.enum(dataExportStates),
  /** 0 to 1. */
  progress: z.number(),
  bytes: z.number().nullable(),
  /** The name of a refusal, where it failed. */
  refusal: z.string().nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
  expiresAt: instant.nullable(),
  /** A short-lived address while the file is kept. */
  url: z.string().nullable(),
});
export type DataExport = z.output<typeof dataExport>;

export const dataImportStates = ["sending", "checking", "checked", "importing", "done", "failed", "cancelled"] as const;
/** The result of an archive's check. */
export const checkedArchive = z.object({
  institution: z.object({ id, name: z.string(), number: z.string(), type: z.enum(institutionTypes) }),
  exportedAt: instant,
  tables: z.record(z.string(), z.int()),
  files: z.int(),
  bytes: z.number(),
  /** Files that were missing or damaged where the archive was made. */
  lacking: z.int(),
  members: z.int(),
  /** Members who have an account here already. */
  known: z.int(),
});
export type CheckedArchive = z.output<typeof checkedArchive>;
export const dataImport = z.object({
  id,
  name: z.string(),
  bytes: z.number(),
  /** The number of bytes received. */
  offset: z.number(),
  state: z.enum(dataImportStates),
  progress: z.number(),
  found: checkedArchive.nullable(),
  refusal: z.string().nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
});
export type DataImport = z.output<typeof dataImport>;

export const dataExportCalls = {
  export: call({
    method: "POST",
    path: "/v1/institution/export",
    access: managerRoles,
    summary:
      "Begins to put everything that the session's organisation owns into one archive; asks for the password again, or for the code of a second factor.",
    input: z.object({ password: limited(200).optional(), code: limited(20).optional() }),
    output: dataExport,
  }),
  exportJob: call({
    method: "GET",
    path: "/v1/institution/exportJob",
    access: managerRoles,
    summary: "How far an export is; done, with a short-lived address of the archive.",
    input: z.object({ id }),
    output: dataExport,
  }),
  exports: call({
    method: "GET",
    path: "/v1/institution/exports",
    access: managerRoles,
    summary: "The organisation's latest exports.",
    input: z.object({}),
    output: z.array(dataExport),
  }),
  cancelExport: call({
    method: "POST",
    path: "/v1/institution/cancelExport",
    access: managerRoles,
    summary: "Stops an export that runs.",
    input: z.object({ id }),
    output: dataExport,
  }),
  arrivals: call({
    method: "GET",
    path: "/v1/institution/imports",
    access: ["operator"],
    summary: "Archives that were brought in lately.",
    input: z.object({}),
    output: z.array(dataImport),
  }),
  import: call({
    method: "POST",
    path: "/v1/institution/import",
    access: ["operator"],
    summary: "Announces an archive; its bytes follow by PUT /imports/<id> with the header upload-offset.",
    isIdempotent: true,
    input: z.object({ name: required(200), bytes: z.int().min(1).max(dataExportRules.archiveBytes) }),
    output: dataImport,
  }),
  arrivalStep: call({
    method: "POST",
    path: "/v1/institution/importStep",
    access: ["operator"],
    summary: "Checks an archive that has come, takes in one that was checked, or gives one up.",
    input: z.object({ id, step: z.enum(["check", "import", "cancel"]) }),
    output: dataImport,
  }),
  forgetArrival: call({
    method: "POST",
    path: "/v1/institution/forgetImport",
    access: ["operator"],
    summary: "Takes an ended import from the list.",
    input: z.object({ id }),
    output: nullOutput,
  }),
} as const;
