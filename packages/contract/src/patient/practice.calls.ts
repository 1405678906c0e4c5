import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, limited, required, text } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { studyKinds } from "../study/study.rules.ts";
import { candidate } from "../study/inbox.calls.ts";
import { launchRequest, launchRules, launchedPerson } from "./launch-address.ts";
import { patient, patientForm } from "./patient.calls.ts";

/** A code, and the address that opens with it. */
const issuedCode = z.object({
  code: z.string(),
  expiresIn: z.int(),
  /** Path and query of the address to open. */
  path: z.string(),
});

export const launchOutcome = z.object({
  /** The patient to open; null: a person has to choose, to create one, or nobody was found. */
  patientId: id.nullable(),
  /** The image to open instead of the record. */
  study: z.object({ id, kind: z.enum(studyKinds) }).nullable(),
  /** Patients whom the program may mean, the likeliest first. */
  candidates: z.array(candidate),
  /** The person as the program names them; null for a request by study. */
  person: launchedPerson.nullable(),
  mayCreate: z.boolean(),
  /** The name of the key or device that made the code. */
  sender: z.string().nullable(),
});
export type LaunchOutcome = z.output<typeof launchOutcome>;

/** The practice's own programs: they open a patient in Arcada for somebody who is signed in. */
export const practiceCalls = {
  open: call({
    method: "POST",
    path: "/v1/practice/open",
    access: clinicRoles,
    summary:
      "Finds the patient or study that another program asks to open, by a one-time code or by the data of a launch address. Patients of other clinics look like absent ones.",
    audit: "patient.launch",
    input: z
      .object({ code: limited(200).optional(), request: launchRequest.optional() })
      .refine(({ code, request }) => (code === undefined) !== (request === undefined), "invalid"),
    output: launchOutcome,
  }),
  create: call({
    method: "POST",
    path: "/v1/practice/create",
    access: clinicRoles,
    summary:
      "Makes the patient whom another program asked to open and who is not there, once a person has confirmed the data. Refused unless the clinic allows it.",
    isIdempotent: true,
    audit: "patient.create",
    input: z.object({
      /** The practice's own number, which becomes the entry number of the record. */
      number: text(launchRules.maxStoredNumber),
      name: patientForm.shape.name,
      sex: patientForm.shape.sex,
      birthDate: day,
      evenIfDuplicate: z.boolean().optional(),
    }),
    output: patient,
  }),
  issueCode: call({
    method: "POST",
    path: "/v1/practice/code",
    access: clinicRoles,
    summary: `By a key: makes a single-use code, good for ${launchRules.codeSeconds} seconds, that opens a patient or study. It signs nobody in; with a user, it works for them alone.`,
    audit: "patient.launchCode",
    input: z.object({
      request: launchRequest,
      /** A member's id or e-mail address. */
      user: required(120).optional(),
    }),
    output: issuedCode,
  }),
  deviceCode: call({
    method: "POST",
    path: "/v1/practice/deviceCode",
    access: "device",
    summary: "As practice.issueCode, for the gateway of a practice, which reads files of GDT and VDDS-media.",
    audit: "patient.launchCode",
    input: z.object({ request: launchRequest }),
    output: issuedCode,
  }),
  deviceImages: call({
    method: "GET",
    path: "/v1/practice/deviceImages",
    access: "device",
    summary: "The images of the one patient with this number, newest first: no pictures, only their kinds and times.",
    audit: "patient.launchImages",
    input: z.object({ number: required(launchRules.maxNumber) }),
    output: z.object({
      list: z.array(
        z.object({
          id,
          uid: z.string().nullable(),
          kind: z.enum(studyKinds),
          description: z.string(),
          /** Local time of the device that took it, else the time of its arrival. */
          takenAt: z.string(),
          count: z.int(),
        }),
      ),
    }),
  }),
  claim: call({
    method: "POST",
    path: "/v1/practice/claim",
    access: "anyone",
    summary:
      "Trades a code for one that lives until its bearer has signed in. It tells nothing about the patient, and only members of the clinic can use it.",
    input: z.object({ code: limited(200) }),
    output: z.object({ code: z.string(), expiresIn: z.int() }),
  }),
} as const;
