import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, instant, limited, nullOutput, text } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";

export const recordRules = { timelinePage: 20, maxTimelineEntries: 100 } as const;

/** The kinds of entries in a patient's timeline. */
export const timelineKinds = [
  "created",
  "study",
  "order",
  "visit",
  "analysis",
  "tracing",
  "report",
  "consent",
  "merge",
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

const timelineKindList = limited(200)
  .transform((value) => value.split(",").filter(Boolean))
  .pipe(z.array(z.enum(timelineKinds)).max(timelineKinds.length));

export const erasure = z.object({
  number: z.string(),
  lastVisitAt: instant,
  /** Years for which a record is kept after the last visit, and the day on which that ends. */
  years: z.int(),
  heldUntil: day,
  isHeld: z.boolean(),
  openOrders: z.int(),
  isBusy: z.boolean(),
  studies: z.int(),
  files: z.int(),
  visits: z.int(),
  orders: z.int(),
});
export type Erasure = z.output<typeof erasure>;

export const patientRecordCalls = {
  timeline: call({
    method: "GET",
    path: "/v1/patient/timeline",
    access: clinicRoles,
    summary: "What happened to a patient, newest first; `kinds` names those wanted, with commas between.",
    audit: "patient.read",
    input: z.object({
      id,
      kinds: timelineKindList.optional(),
      cursor: text(300).optional(),
      pageSize: z.coerce.number().int().min(1).max(recordRules.maxTimelineEntries).default(recordRules.timelinePage),
    }),
    output: z.object({
      list: z.array(
        z.object({
          time: instant,
          kind: z.enum(timelineKinds),
          id,
          /** A description in one word or number, by kind. */
          label: z.string(),
          studyId: id.nullable(),
        }),
      ),
      next: z.string().nullable(),
    }),
  }),
  archive: call({
    method: "POST",
    path: "/v1/patient/archive",
    access: clinicRoles,
    summary:
      "Everything of one patient as a zip archive: our own data, a FHIR R4 bundle, the original images and models, signed reports. Answers its short-lived address.",
    audit: "patient.archive",
    input: z.object({ id }),
    output: z.object({ url: z.string(), files: z.int(), bytes: z.number() }),
  }),
  erasure: call({
    method: "GET",
    path: "/v1/patient/erasure",
    access: ["clinicAdmin"],
    summary: "What erasing a patient would take away, and what stands against it.",
    audit: "patient.read",
    input: z.object({ id }),
    output: erasure,
  }),
  erase: call({
    method: "POST",
    path: "/v1/patient/erase",
    access: ["clinicAdmin"],
    summary:
      "Erases a patient for good: record, images, visits, reports, what orders say of them. Asks for the patient's number and the password again, or for the code of a second factor. Before the time of keeping is over it needs a written reason.",
    input: z.object({
      id,
      number: text(40),
      reason: text(500).nullable().default(null),
      password: limited(200).optional(),
      code: limited(20).optional(),
    }),
    output: nullOutput,
  }),
} as const;
