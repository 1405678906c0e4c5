import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, text } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { sexes } from "../patient/patient-field-definition.ts";
import { inboxCountCalls } from "./inbox-count.calls.ts";
import { studyRow } from "./study.schema.ts";
import { studyOrigins, studyRules } from "./study.rules.ts";

/** A patient to whom the files may belong, and the fields in which the record agrees with them. */
export const candidate = z.object({
  id,
  number: z.string(),
  name: z.string(),
  sex: z.enum(sexes),
  birthDate: day.nullable(),
  agrees: z.array(z.enum(["number", "name", "birthDate"])),
});
export type Candidate = z.output<typeof candidate>;

/** The person named in the files; null if they name nobody. */
export const personInFiles = z
  .object({
    name: z.string(),
    /** The name is not in the character set that the files declare. */
    guessed: z.boolean(),
    number: z.string(),
    birthDate: day.nullable(),
    sex: z.enum(sexes).nullable(),
  })
  .nullable();

/**
 * The person whom the program beside the device names, such as a scanner's project file. It counts for files that name
 * nobody themselves: meshes and photographs.
 */
export const senderPerson = z.object({
  number: text(64).default(""),
  /** As DICOM writes names: family name, "^", given name; a single text is the full name. */
  name: text(200).default(""),
  birthDate: day.nullable().default(null),
  sex: z.enum(sexes).nullable().default(null),
});
export type SenderPerson = z.output<typeof senderPerson>;

export const inboxRow = studyRow.extend({
  origin: z.enum(studyOrigins),
  person: personInFiles,
  candidates: z.array(candidate),
});
export type InboxRow = z.output<typeof inboxRow>;

export const inboxCalls = {
  inbox: call({
    method: "GET",
    path: "/v1/study/inbox",
    access: clinicRoles,
    summary:
      "Studies that wait for their patient, newest first, each with the patients whose it may be. `total` counts up to 1,000.",
    audit: "study.inbox",
    input: z.object({
      cursor: text(100).optional(),
      pageSize: z.coerce.number().int().min(1).max(studyRules.maxInboxPageSize).default(20),
    }),
    output: z.object({ list: z.array(inboxRow), total: z.int(), next: z.string().nullable() }),
  }),
  send: call({
    method: "POST",
    path: "/v1/study/send",
    access: "device",
    summary:
      "Ends a device's upload: the named uploads become studies of the patient whom they, or for files without a name the sender's program, name for certain, or wait in the inbox.",
    isIdempotent: true,
    audit: "study.upload",
    input: z.object({
      uploads: z.array(id).min(1).max(20_000),
      person: senderPerson.optional(),
    }),
    output: z.object({ job: id }),
  }),
  ...inboxCountCalls,
} as const;
