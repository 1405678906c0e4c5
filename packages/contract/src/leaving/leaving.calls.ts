import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, limited, nothing, required } from "../kernel/fields.ts";
import { managerRoles } from "../kernel/roles.ts";
import { institutionTypes } from "../institution/institution.calls.ts";
import { leavingRules } from "./leaving.rules.ts";

export const takingStates = ["waiting", "running", "done", "failed", "cancelled", "expired"] as const;
/** A data export of an institution into one archive, and the archive while it is kept. */
export const taking = z.object({
  id,
  kind: z.enum(["everything", "trail", "orders", "patients"]),
  state: z.enum(takingStates),
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
export type Taking = z.output<typeof taking>;

export const arrivalStates = ["sending", "checking", "checked", "importing", "done", "failed", "cancelled"] as const;
/** The result of an archive's check. */
export const foundArchive = z.object({
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
export type FoundArchive = z.output<typeof foundArchive>;
export const arrival = z.object({
  id,
  name: z.string(),
  bytes: z.number(),
  /** The number of bytes received. */
  offset: z.number(),
  state: z.enum(arrivalStates),
  progress: z.number(),
  found: foundArchive.nullable(),
  refusal: z.string().nullable(),
  createdAt: instant,
  finishedAt: instant.nullable(),
});
export type Arrival = z.output<typeof arrival>;

export const leavingCalls = {
  export: call({
    method: "POST",
    path: "/v1/institution/export",
    access: managerRoles,
    says: "Begins to put everything that the session's organisation owns into one archive; asks for the password again, or for the code of a second factor.",
    input: z.object({ password: limited(200).optional(), code: limited(20).optional() }),
    output: taking,
  }),
  exportJob: call({
    method: "GET",
    path: "/v1/institution/exportJob",
    access: managerRoles,
    says: "How far an export is; done, with a short-lived address of the archive.",
    input: z.object({ id }),
    output: taking,
  }),
  exports: call({
    method: "GET",
    path: "/v1/institution/exports",
    access: managerRoles,
    says: "The organisation's latest exports.",
    input: z.object({}),
    output: z.array(taking),
  }),
  cancelExport: call({
    method: "POST",
    path: "/v1/institution/cancelExport",
    access: managerRoles,
    says: "Stops an export that runs.",
    input: z.object({ id }),
    output: taking,
  }),
  arrivals: call({
    method: "GET",
    path: "/v1/institution/imports",
    access: ["operator"],
    says: "Archives that were brought in lately.",
    input: z.object({}),
    output: z.array(arrival),
  }),
  import: call({
    method: "POST",
    path: "/v1/institution/import",
    access: ["operator"],
    says: "Announces an archive; its bytes follow by PUT /imports/<id> with the header upload-offset.",
    command: true,
    input: z.object({ name: required(200), bytes: z.int().min(1).max(leavingRules.archiveBytes) }),
    output: arrival,
  }),
  arrivalStep: call({
    method: "POST",
    path: "/v1/institution/importStep",
    access: ["operator"],
    says: "Checks an archive that has come, takes in one that was checked, or gives one up.",
    input: z.object({ id, step: z.enum(["check", "import", "cancel"]) }),
    output: arrival,
  }),
  forgetArrival: call({
    method: "POST",
    path: "/v1/institution/forgetImport",
    access: ["operator"],
    says: "Takes an ended import from the list.",
    input: z.object({ id }),
    output: nothing,
  }),
} as const;
