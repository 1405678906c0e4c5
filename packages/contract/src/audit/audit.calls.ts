import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, instant, limited } from "../kernel/fields.ts";
import { clinicRoles, managerRoles } from "../kernel/roles.ts";

/** The subjects of audit log entries: the part of an action's name before its dot. */
export const auditGroups = [
  "patient",
  "visit",
  "workorder",
  "consent",
  "study",
  "analysis",
  "chart",
  "report",
  "ceph",
  "implant",
  "order",
  "relation",
  "member",
  "institution",
  "interface",
  "device",
  "upgrade",
  "feedback",
  "capacity",
  "account",
  "signIn",
  "factor",
] as const;
export const auditRules = { page: 50, max: 200, csvRows: 100_000, csvMinutes: 15 } as const;

export const auditLine = z.object({
  /** Unique within the institution's audit log. */
  id: z.string(),
  at: instant,
  userId: id.nullable(),
  /** Null: the system, or a person whom this instance does not know. */
  userName: z.string().nullable(),
  /** A key of texts/<language>/trail.json under `action`. */
  action: z.string(),
  /** Details of the action: an order's transition. */
  step: z.string().nullable(),
  subject: z.string().nullable(),
  patientId: id.nullable(),
  orderNumber: z.string().nullable(),
  address: z.string().nullable(),
  /** Written on another instance, before the institution moved here. */
  imported: z.boolean(),
});
export type AuditLine = z.output<typeof auditLine>;

/**
 * An access to a patient's data: by a colleague, by another institution through an order, or by a guest through a link.
 */
export const accessRecord = z.object({
  id: z.string(),
  at: instant,
  /** Null: the system, or a person whom this instance does not know. */
  who: z.string().nullable(),
  /** The other institution of that person. */
  house: z.string().nullable(),
  /** A key of texts/<language>/trail.json under `action`. */
  action: z.string(),
  step: z.string().nullable(),
  order: z.object({ id, number: z.string() }).nullable(),
  /** The link's own name. */
  share: z.string().nullable(),
});
export type AccessRecord = z.output<typeof accessRecord>;

const auditFilters = {
  user: id.optional(),
  group: z.enum(auditGroups).optional(),
  /** Calendar days in the institution's time zone. */
  from: day.optional(),
  to: day.optional(),
  patient: id.optional(),
};

export const auditCalls = {
  looks: call({
    method: "GET",
    path: "/v1/patient/looks",
    access: clinicRoles,
    summary:
      "Who looked at a patient's record or changed it, newest first: colleagues, labs by their orders, visitors by their links.",
    audit: "patient.looks",
    input: z.object({
      id,
      cursor: limited(200).optional(),
      pageSize: z.coerce.number().int().min(1).max(auditRules.max).default(auditRules.page),
    }),
    output: z.object({ list: z.array(accessRecord), next: z.string().nullable() }),
  }),
  list: call({
    method: "GET",
    path: "/v1/institution/auditTrail",
    toleratesDelay: true,
    access: managerRoles,
    summary: "Who did and saw what in the session's organisation, newest first.",
    input: z.object({
      ...auditFilters,
      cursor: limited(200).optional(),
      pageSize: z.coerce.number().int().min(1).max(auditRules.max).default(auditRules.page),
    }),
    output: z.object({ list: z.array(auditLine), next: z.string().nullable() }),
  }),
  people: call({
    method: "GET",
    path: "/v1/institution/auditPeople",
    toleratesDelay: true,
    access: managerRoles,
    summary: "Whoever stands in the organisation's audit trail, for choosing among them.",
    input: z.object({}),
    output: z.array(z.object({ id, name: z.string() })),
  }),
  export: call({
    method: "POST",
    path: "/v1/institution/exportTrail",
    access: managerRoles,
    summary: "The chosen part of the audit trail as a table (CSV, UTF-8) in the asker's language.",
    audit: "institution.exportTrail",
    input: z.object(auditFilters),
    output: z.object({ url: z.string(), rows: z.int(), cut: z.boolean() }),
  }),
} as const;
