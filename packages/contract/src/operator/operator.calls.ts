import { z } from "zod";
import { account, countryCode } from "../account/account.schema.ts";
import { bucketUnits, dashboardPeriod } from "../dashboard/trend-buckets.ts";
import { call } from "../kernel/call.ts";
import {
  day,
  id,
  instant,
  limited,
  pageOf,
  emptyObject,
  nullOutput,
  required,
  text,
  version,
} from "../kernel/fields.ts";
import { roles } from "../kernel/roles.ts";
import { timeZoneName } from "../kernel/time-zone.ts";
import { healthCalls, healthLight } from "./health.calls.ts";
import { installationCalls } from "./installation-checks.calls.ts";

const access = ["operator"] as const;

/** Roles that an operator appoints people to. */
export const staffRoles = ["afterSalesAdmin", "afterSalesMember"] as const;
export type StaffRole = (typeof staffRoles)[number];
export const staffAuthorityIds = staffRoles.map((role) => roles[role].authorityId);

export const operatorRules = { page: 30, auditPage: 50, max: 200, people: 20 } as const;

const cursorPaging = (defaultSize: number) => ({
  cursor: text(600).optional(),
  pageSize: z.coerce.number().int().min(1).max(operatorRules.max).default(defaultSize),
});

/** An institution as operators of the platform see it: no patient, no order. */
export const organisation = z.object({
  id,
  name: z.string(),
  number: z.string(),
  type: z.enum(["clinic", "lab"]),
  country: z.string(),
  createdAt: instant,
  members: z.int(),
  usedBytes: z.int(),
  allowedBytes: z.int(),
  lastActive: instant.nullable(),
});
export type Organisation = z.output<typeof organisation>;

export const organisationDetail = organisation.extend({
  address: z.string().nullable(),
  contactPerson: z.string().nullable(),
  contactWay: z.string().nullable(),
  roles: z.array(z.object({ authorityId: z.int(), count: z.int() })),
  relations: z.int(),
  devices: z.int(),
  usedAnalyses: z.int(),
  allowedAnalyses: z.int(),
  /** True if its engine packs may be installed and run: `analysis.allowPacks`. */
  enginePacks: z.boolean(),
  /** The clinic record under which after-sales manages it; null for a lab. */
  clinicId: id.nullable(),
});

/** A person who works for the service, by the row that assigns the role. */
export const staffMember = z.object({
  id,
  userId: id,
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  role: z.enum(staffRoles),
  since: instant,
  seenAt: instant.nullable(),
  openWorkOrders: z.int(),
  version,
});
export type StaffMember = z.output<typeof staffMember>;

export const auditEntry = z.object({
  id: z.string(),
  at: instant,
  house: z.object({ id, name: z.string() }).nullable(),
  person: z.object({ id, name: z.string() }).nullable(),
  /** A key of texts/<language>/trail.json under `action`. */
  action: z.string(),
  step: z.string().nullable(),
  subject: z.string().nullable(),
  address: z.string().nullable(),
});
export type AuditEntry = z.output<typeof auditEntry>;

/**
 * Faults in the audit log: a row does not match its seal or is missing; rows that an anchor lists are missing or have
 * other seals; the record of the start of the keyed seals is missing; SECRET_KEY is a different one; an anchor was not
 * made with it.
 */
export const auditFaults = [
  "altered",
  "missing",
  "cut",
  "resealed",
  "startMissing",
  "otherKey",
  "anchorForged",
] as const;
export type AuditFault = (typeof auditFaults)[number];

export const auditCheck = z.object({
  startedAt: instant,
  /** Null: it is under way. */
  finishedAt: instant.nullable(),
  rows: z.int().nullable(),
  /** Number of the first row that does not fit. */
  broken: z.int().nullable(),
  fault: z.enum(auditFaults).nullable(),
});

const growthFigures = {
  /** Organisations at the end. */
  clinics: z.int(),
  labs: z.int(),
  /** People who used a session in that time. */
  people: z.int(),
  /** Bytes in store at the end, counted by the files that still exist. */
  stored: z.int(),
};
const growthPeriod = z.object({
  from: day,
  to: day,
  /** People who used a session in the period. */
  people: z.int(),
  buckets: z.array(z.object({ from: day, to: day, ...growthFigures })),
});
export type GrowthPeriod = z.output<typeof growthPeriod>;

/** A filter by action: a slice, or the full name of slice, dot and verb. */
const action = limited(81, "invalid").regex(/^[a-zA-Z]{1,40}(\.[a-zA-Z]{1,40})?$/, "invalid");

export const operatorCalls = {
  ...healthCalls,
  ...installationCalls,
  overview: call({
    method: "GET",
    path: "/v1/operator/overview",
    access,
    summary: "Counts of the platform and its state of health.",
    input: emptyObject,
    output: z.object({
      organisations: z.object({ clinic: z.int(), lab: z.int() }),
      people: z.int(),
      devices: z.record(z.string(), z.int()),
      cards: z.record(z.string(), z.int()),
      packages: z.record(z.string(), z.int()),
      workOrders: z.record(z.string(), z.int()),
      uploads: z.object({ files: z.int(), bytes: z.int() }),
      errors: z.int(),
      lights: z.array(healthLight),
    }),
  }),

  growth: call({
    method: "GET",
    path: "/v1/operator/growth",
    toleratesDelay: true,
    access,
    summary:
      "Organisations, active people and stored data by weeks or months, beside the period of the same length before.",
    input: dashboardPeriod,
    output: z.object({ unit: z.enum(bucketUnits), now: growthPeriod, before: growthPeriod }),
  }),
  exportGrowth: call({
    method: "GET",
    path: "/v1/operator/exportGrowth",
    access,
    summary: "The address of these figures as a spreadsheet (xlsx) in the asker's language, good for five minutes.",
    audit: "operator.exportGrowth",
    input: dashboardPeriod,
    output: z.object({ url: z.string() }),
  }),
  organisations: call({
    method: "GET",
    path: "/v1/operator/organisations",
    access,
    summary: "The organisations of the platform by name; `search` finds names and numbers.",
    input: z.object({
      search: text(100).default(""),
      type: z.enum(["clinic", "lab"]).optional(),
      country: limited(2)
        .regex(/^[A-Z]{2}$/)
        .optional(),
      ...cursorPaging(operatorRules.page),
    }),
    output: pageOf(organisation).extend({ countries: z.array(z.string()) }),
  }),
  organisation: call({
    method: "GET",
    path: "/v1/operator/organisation",
    access,
    summary: "One organisation: its people by role, its storage, its analyses and its devices, as numbers.",
    audit: "operator.organisation",
    input: z.object({ id }),
    output: organisationDetail,
  }),

  staff: call({
    method: "GET",
    path: "/v1/operator/staff",
    access,
    summary: "Whoever works for the service, with how many open work orders each has.",
    input: emptyObject,
    output: z.array(staffMember),
  }),
  appoint: call({
    method: "POST",
    path: "/v1/operator/appoint",
    access,
    summary: "Makes the holder of an account an after-sales administrator or technician.",
    isIdempotent: true,
    audit: "operator.appoint",
    input: z.object({ account, countryCode, role: z.enum(staffRoles) }),
    output: staffMember,
  }),
  changeStaff: call({
    method: "POST",
    path: "/v1/operator/changeStaff",
    access,
    summary: "Gives somebody of the service the other role; their sessions follow at once.",
    isIdempotent: true,
    audit: "operator.changeStaff",
    input: z.object({ id, role: z.enum(staffRoles), version }),
    output: staffMember,
  }),
  dismiss: call({
    method: "POST",
    path: "/v1/operator/dismiss",
    access,
    summary:
      "Takes somebody's place in the service away, and ends their sessions there; not while they have open work orders.",
    isIdempotent: true,
    audit: "operator.dismiss",
    input: z.object({ id, version }),
    output: nullOutput,
  }),

  audit: call({
    method: "GET",
    path: "/v1/operator/audit",
    access,
    summary:
      "Lines of all organisations' audit trail as this instance wrote it, newest first. Looking here is a line of it, too.",
    audit: "operator.audit",
    input: z.object({
      organisation: z.union([id, z.literal("none")]).optional(),
      person: id.optional(),
      /** A whole action, or the part before its point. */
      action: action.optional(),
      subject: text(80).optional(),
      from: day.optional(),
      to: day.optional(),
      /** IANA name of the zone in which the days begin. */
      timeZone: timeZoneName.optional(),
      /** The same by minutes east of UTC, which know no daylight-saving time; `timeZone` goes before. */
      zone: z.coerce
        .number()
        .int()
        .min(-14 * 60)
        .max(14 * 60)
        .default(0),
      ...cursorPaging(operatorRules.auditPage),
    }),
    output: z.object({ list: z.array(auditEntry), next: z.string().nullable() }),
  }),
  people: call({
    method: "GET",
    path: "/v1/operator/people",
    access,
    summary: "People by name, e-mail address or phone number, for choosing among them.",
    input: z.object({ search: required(100) }),
    output: z.array(z.object({ id, name: z.string(), contact: z.string().nullable() })),
  }),
  auditChecks: call({
    method: "GET",
    path: "/v1/operator/auditChecks",
    access,
    summary: "The latest walks along the chain of the audit trail.",
    input: emptyObject,
    output: z.array(auditCheck),
  }),
  auditHead: call({
    method: "GET",
    path: "/v1/operator/auditHead",
    access,
    summary: "The latest head of the audit trail that was anchored outside it.",
    input: emptyObject,
    output: z.object({ rows: z.int(), hash: z.string(), at: instant }).nullable(),
  }),
  checkAudit: call({
    method: "POST",
    path: "/v1/operator/checkAudit",
    access,
    summary: "Walks along the chain of the audit trail now, in a job.",
    isIdempotent: true,
    audit: "operator.checkAudit",
    input: emptyObject,
    output: nullOutput,
  }),
} as const;
