import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, instant, limited, nullOutput, required } from "../kernel/fields.ts";
import { clinicRoles } from "../kernel/roles.ts";
import { sexes } from "../patient/patient-field-definition.ts";
import { hl7Problems, hl7Reasons, hl7Results, hl7Rules, hl7States } from "./hl7.rules.ts";

/** An application or facility: HD in HL7, of which the first component counts. */
const systemName = limited(60)
  .trim()
  .regex(/^[^|^~\\&\p{Cc}]{0,60}$/u, "hl7Name");
const connectionForm = {
  name: required(60),
  /** MSH-3 and MSH-4 of what the other system sends. */
  application: systemName.min(1),
  facility: systemName.default(""),
  /** Our own names: MSH-5 and MSH-6 of what it sends. Without one the message is not compared. */
  receiver: systemName.default(""),
  receiverFacility: systemName.default(""),
  /** The assigning authority (PID-3.4) of the number that counts; "": the first number. */
  authority: systemName.default(""),
  createsPatients: z.boolean(),
  results: z.enum(hl7Results),
  host: limited(253)
    .trim()
    .regex(/^[A-Za-z0-9._:-]{0,253}$/, "hostShape")
    .default(""),
  port: z.int().min(1).max(65_535),
  tls: z.boolean(),
};

export const hl7Connection = z.object({
  id,
  ...connectionForm,
  /** The time of the last message that came from there, and of the last one that was taken there and not taken. */
  receivedAt: instant.nullable(),
  reachedAt: instant.nullable(),
  failedAt: instant.nullable(),
  problem: z.enum(hl7Problems).nullable(),
  waiting: z.int(),
});
export type Hl7Connection = z.output<typeof hl7Connection>;

const candidate = z.object({ id, name: z.string(), number: z.string(), birthDate: day.nullable() });
export const hl7Message = z.object({
  id,
  connectionId: id,
  connection: z.string(),
  direction: z.enum(["in", "out"]),
  /** Such as ADT^A04. */
  type: z.string(),
  controlId: z.string(),
  state: z.enum(hl7States),
  reason: z.enum(hl7Reasons).nullable(),
  problem: z.enum(hl7Problems).nullable(),
  /** In English, for whoever looks after the other system; it contains no data of a person. */
  detail: z.string().nullable(),
  patientId: id.nullable(),
  patientName: z.string().nullable(),
  tries: z.int(),
  createdAt: instant,
  nextAt: instant.nullable(),
  finishedAt: instant.nullable(),
});
export type Hl7Message = z.output<typeof hl7Message>;

export const hl7Waiting = hl7Message.extend({
  /** The person whom the message names. */
  person: z.object({
    number: z.string(),
    name: z.string(),
    birthDate: day.nullable(),
    sex: z.enum(sexes).nullable(),
  }),
  /** The records that it may mean, the likeliest first; of a merge, the one that stays and then the other. */
  candidates: z.array(candidate),
});
export type Hl7Waiting = z.output<typeof hl7Waiting>;

export const hl7Calls = {
  connections: call({
    method: "GET",
    path: "/v1/hl7/connections",
    access: clinicRoles,
    summary: "The systems with which the clinic exchanges messages of HL7 version 2.",
    input: z.object({}),
    output: z.array(hl7Connection),
  }),
  saveConnection: call({
    method: "POST",
    path: "/v1/hl7/saveConnection",
    access: ["clinicAdmin"],
    summary: "Adds a system, or changes the one with this id.",
    isIdempotent: true,
    audit: "hl7.saveConnection",
    input: z.object({ id: id.optional(), ...connectionForm }),
    output: hl7Connection,
  }),
  removeConnection: call({
    method: "POST",
    path: "/v1/hl7/removeConnection",
    access: ["clinicAdmin"],
    summary: "Removes a system with its log; its messages are refused from then on.",
    isIdempotent: true,
    audit: "hl7.removeConnection",
    input: z.object({ id }),
    output: nullOutput,
  }),
  tryConnection: call({
    method: "POST",
    path: "/v1/hl7/tryConnection",
    access: ["clinicAdmin"],
    summary: "Connects to the address to which reports are sent; no message is sent.",
    input: z.object({ id }),
    output: z.object({ problem: z.enum(hl7Problems).nullable(), detail: z.string().nullable(), milliseconds: z.int() }),
  }),
  messages: call({
    method: "GET",
    path: "/v1/hl7/messages",
    access: clinicRoles,
    summary: `The messages of the last ${hl7Rules.logDays} days, newest first.`,
    audit: "patient.list",
    input: z.object({ connectionId: id.optional(), cursor: id.optional() }),
    output: z.object({ list: z.array(hl7Message), next: id.nullable() }),
  }),
  waiting: call({
    method: "GET",
    path: "/v1/hl7/waiting",
    access: clinicRoles,
    summary: "Received messages about which a person must decide, oldest first.",
    audit: "patient.list",
    input: z.object({}),
    output: z.object({ list: z.array(hl7Waiting), more: z.boolean() }),
  }),
  decide: call({
    method: "POST",
    path: "/v1/hl7/decide",
    access: clinicRoles,
    summary:
      "Applies a message that waits, to the record that is named where there are several, makes a new record, or dismisses the message.",
    isIdempotent: true,
    audit: "hl7.decide",
    input: z.object({
      id,
      decision: z.enum(["apply", "create", "choose", "dismiss"]),
      patientId: id.optional(),
    }),
    output: hl7Message,
  }),
  retry: call({
    method: "POST",
    path: "/v1/hl7/retry",
    access: clinicRoles,
    summary: "Sends a message once more at once.",
    isIdempotent: true,
    audit: "hl7.retry",
    input: z.object({ id }),
    output: hl7Message,
  }),
  receive: call({
    method: "POST",
    path: "/v1/hl7/receive",
    access: "device",
    maxBodyBytes: 1_500_000,
    summary:
      "Takes a message that the gateway received by MLLP, and answers the acknowledgement for its sender. A message that comes again gets the same one.",
    input: z.object({
      /** The bytes between the start and the end block, in base64. */
      message: limited(Math.ceil(hl7Rules.maxMessageBytes / 3) * 4)
        .min(1)
        .regex(/^[A-Za-z0-9+/=]*$/, "invalid"),
    }),
    output: z.object({ reply: z.string() }),
  }),
} as const;
