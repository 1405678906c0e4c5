import { z } from "zod";
import { call } from "../kernel/call.ts";
import { id, instant, limited, nullOutput, required } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { pacsRules, titlePattern } from "./pacs.rules.ts";

/**
 * Reasons for an attempt that failed. `forbidden`: this server may not connect to the address; `rejected`: the other
 * application does not know us; `objects`: it did not take every object; `gone`: the study has no DICOM objects any
 * more.
 */
export const pacsProblems = [
  "address",
  "forbidden",
  "refused",
  "timeout",
  "tls",
  "rejected",
  "aborted",
  "network",
  "objects",
  "gone",
] as const;
export type PacsProblem = (typeof pacsProblems)[number];

const problem = z.enum(pacsProblems).nullable();
const endpoint = {
  name: required(60),
  /** The AE title of the other application. */
  title: limited(16).trim().regex(titlePattern, "titleShape"),
  /** A host name or an address, without a port. */
  host: limited(253)
    .trim()
    .regex(/^[A-Za-z0-9._:-]{1,253}$/, "hostShape"),
  port: z.int().min(1).max(65_535),
  tls: z.boolean(),
};

export const pacsDestination = z.object({
  id,
  ...endpoint,
  /** The time at which it last accepted a connection, and at which it last did not. */
  reachedAt: instant.nullable(),
  failedAt: instant.nullable(),
  problem,
});
export type PacsDestination = z.output<typeof pacsDestination>;

export const pacsTaskStates = ["waiting", "sending", "sent", "failed", "cancelled"] as const;
export type PacsTaskState = (typeof pacsTaskStates)[number];
export const pacsTask = z.object({
  id,
  destinationId: id,
  destination: z.string(),
  /** Null: a report that objects are safely stored. */
  studyId: id.nullable(),
  patientId: id.nullable(),
  patientName: z.string().nullable(),
  description: z.string(),
  state: z.enum(pacsTaskStates),
  tries: z.int(),
  /** Objects of the study, those that the other application has taken, and those among them with a warning. */
  total: z.int(),
  done: z.int(),
  warnings: z.int(),
  problem,
  /** The reason in English, as the other application or the network gave it. */
  detail: z.string().nullable(),
  createdAt: instant,
  /** Null: not tried again by itself. */
  nextAt: instant.nullable(),
  finishedAt: instant.nullable(),
});
export type PacsTask = z.output<typeof pacsTask>;

export const pacsCalls = {
  destinations: call({
    method: "GET",
    path: "/v1/pacs/destinations",
    access: clinicRoles,
    summary: "The PACS and other DICOM applications to which the clinic sends.",
    input: z.object({}),
    output: z.array(pacsDestination),
  }),
  saveDestination: call({
    method: "POST",
    path: "/v1/pacs/saveDestination",
    access: ["clinicAdmin"],
    summary: "Adds an application, or changes the one with this id.",
    isIdempotent: true,
    audit: "pacs.saveDestination",
    input: z.object({ id: id.optional(), ...endpoint }),
    output: pacsDestination,
  }),
  removeDestination: call({
    method: "POST",
    path: "/v1/pacs/removeDestination",
    access: ["clinicAdmin"],
    summary: "Removes an application with its log; what waits for it is not sent any more.",
    isIdempotent: true,
    audit: "pacs.removeDestination",
    input: z.object({ id }),
    output: nullOutput,
  }),
  tryDestination: call({
    method: "POST",
    path: "/v1/pacs/tryDestination",
    access: ["clinicAdmin"],
    summary: "Connects to an application and sends it a C-ECHO.",
    input: z.object({ id }),
    output: z.object({ problem, detail: z.string().nullable(), milliseconds: z.int() }),
  }),
  send: call({
    method: "POST",
    path: "/v1/pacs/send",
    access: clinicRoles,
    summary: "Sends the DICOM objects of a study to an application; it is tried again for about a day.",
    audit: "pacs.send",
    input: z.object({ studyId: id, destinationId: id }),
    output: pacsTask,
  }),
  tasks: call({
    method: "GET",
    path: "/v1/pacs/tasks",
    access: clinicRoles,
    summary: `What was sent in the last ${pacsRules.logDays} days, or waits; newest first.`,
    input: z.object({ studyId: id.optional(), cursor: id.optional() }),
    output: z.object({ list: z.array(pacsTask), next: id.nullable() }),
  }),
  retry: call({
    method: "POST",
    path: "/v1/pacs/retry",
    access: clinicRoles,
    summary: "Tries once more at once; objects that have arrived are left out.",
    isIdempotent: true,
    audit: "pacs.send",
    input: z.object({ id }),
    output: pacsTask,
  }),
  cancel: call({
    method: "POST",
    path: "/v1/pacs/cancel",
    access: clinicRoles,
    summary: "Ends the attempts; what has arrived stays there.",
    isIdempotent: true,
    audit: "pacs.cancel",
    input: z.object({ id }),
    output: pacsTask,
  }),
} as const;
