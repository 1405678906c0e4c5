import { z } from "zod";
import { call } from "../kernel/call.ts";
import { day, id, instant, limited, pageOf, pagingParameters, required, text, version } from "../kernel/fields.ts";
import { clinicRoles, serviceRoles } from "../kernel/roles.ts";
import { deviceLifecycle, deviceStates, deviceSteps } from "./device.lifecycle.ts";
import type { DeviceAction } from "./device.lifecycle.ts";
import { deviceRules, lockCodes } from "./device.rules.ts";

const { maxTextLength } = deviceRules;
const actions = Object.keys(deviceLifecycle.steps) as [DeviceAction, ...DeviceAction[]];
/** Roles that register devices and hand out their activation codes. */
const vendors = ["afterSalesAdmin", "operator"] as const;
export const codeStates = ["open", "expired", "used"] as const;

export const device = z.object({
  id,
  product: z.string(),
  serialNumber: z.string(),
  model: z.string(),
  firmware: z.string().nullable(),
  /** As the device, or the gateway before it, reported it last. */
  softwareVersion: z.string().nullable(),
  /** Given by its clinic. */
  name: z.string().nullable(),
  state: z.enum(deviceStates),
  seenAt: instant.nullable(),
  /** The number of files that waited there by its last report, and the time of that report. */
  waiting: z.int().nullable(),
  saidAt: instant.nullable(),
  boundAt: instant.nullable(),
  unboundAt: instant.nullable(),
  /** The first characters of its key; the rest is not stored. */
  keyBegins: z.string().nullable(),
  /** The owner of the device; for a clinic always the clinic itself. */
  institution: z.object({ id, name: z.string(), number: z.string() }).nullable(),
  clinicId: id.nullable(),
  lock: z
    .object({
      side: z.enum(["clinic", "service"]),
      code: z.enum(lockCodes).nullable(),
      reason: z.string(),
      at: instant,
    })
    .nullable(),
  /** The state of its activation code; null if the caller does not manage devices, or if there is none. */
  codeState: z.enum(codeStates).nullable(),
  codeExpiresAt: instant.nullable(),
  version,
  actions: z.array(z.enum(deviceSteps)),
});
export type Device = z.output<typeof device>;

export const deviceEvent = z.object({
  id,
  time: instant,
  action: z.enum(actions),
  to: z.enum(deviceStates),
  side: z.enum(["clinic", "service"]),
  /** A person of the caller's own side; after-sales sees everybody. */
  who: z.string().nullable(),
  code: z.enum(lockCodes).nullable(),
  reason: z.string().nullable(),
  institution: z.string().nullable(),
  workOrderId: id.nullable(),
  consent: z.object({ name: z.string(), url: z.string() }).nullable(),
});
export type DeviceEvent = z.output<typeof deviceEvent>;

const registeredDevice = {
  product: required(maxTextLength.product),
  serialNumber: required(maxTextLength.serialNumber),
  model: required(maxTextLength.model),
  firmware: text(maxTextLength.firmware).optional(),
};
/** Reasons for rejecting a line of a list of devices. */
export const importLineProblems = [
  "product",
  "serialNumber",
  "model",
  "firmware",
  "columns",
  "twice",
  "known",
] as const;

/** One entry for a scanner's modality worklist, as DICOM writes it: dates YYYYMMDD, times HHMMSS, groups of a name by "=". */
export const worklistEntry = z.object({
  patientId: id,
  /** (0010,0010) */
  patientName: z.string(),
  /** (0010,0020): the clinic's entry number, or else Arcada's. */
  patientNumber: z.string(),
  /** (0010,0030), empty where unknown */
  birthDate: z.string(),
  /** (0010,0040) */
  sex: z.enum(["M", "F", "O"]),
  /** (0008,0050): at most 16 characters, the same for a patient all day */
  accessionNumber: z.string(),
  /** (0040,0002) and (0040,0003): local time of the zone */
  scheduledDate: z.string(),
  scheduledTime: z.string(),
  /** (0040,1001) and (0040,0007) */
  procedureId: z.string(),
  description: z.string(),
});
export type WorklistEntry = z.output<typeof worklistEntry>;

export const deviceCalls = {
  list: call({
    method: "GET",
    path: "/v1/device/list",
    access: [...clinicRoles, ...serviceRoles],
    summary: "The clinic's devices, with those that it had; to after-sales all of them, newest first.",
    input: z.object({
      search: text(100).default(""),
      product: text(maxTextLength.product).optional(),
      state: z.enum(deviceStates).optional(),
      institution: id.optional(),
      clinic: id.optional(),
      cursor: id.optional(),
      pageSize: pagingParameters.pageSize,
    }),
    output: pageOf(device),
  }),
  detail: call({
    method: "GET",
    path: "/v1/device/detail",
    access: [...clinicRoles, ...serviceRoles],
    summary: "A device with its history, newest first; to a clinic what happened while it had the device.",
    input: z.object({ id }),
    output: device.extend({ history: z.array(deviceEvent) }),
  }),
  kinds: call({
    method: "GET",
    path: "/v1/device/kinds",
    access: serviceRoles,
    summary: "The products and models of registered devices.",
    input: z.object({}),
    output: z.array(z.object({ product: z.string(), models: z.array(z.string()) })),
  }),
  register: call({
    method: "POST",
    path: "/v1/device/register",
    access: vendors,
    summary: "Registers a device; its activation code is shown this once.",
    audit: "device.register",
    input: z.object(registeredDevice),
    output: z.object({ device, activationCode: z.string() }),
  }),
  registerList: call({
    method: "POST",
    path: "/v1/device/registerList",
    access: vendors,
    summary:
      "Registers the lines of a CSV text (serialNumber, product, model, firmware), all or, where a line has a problem, none; the codes are shown this once.",
    audit: "device.register",
    input: z.object({ text: limited(200_000) }),
    output: z.object({
      problems: z.array(z.object({ line: z.int(), problem: z.enum(importLineProblems), value: z.string() })),
      made: z.array(z.object({ ...registeredDevice, id, activationCode: z.string() })),
    }),
  }),
  newCode: call({
    method: "POST",
    path: "/v1/device/newCode",
    access: vendors,
    summary: "Gives an unbound device a new activation code, shown this once; the one before is worth nothing.",
    audit: "device.newCode",
    input: z.object({ id }),
    output: z.object({ device, activationCode: z.string() }),
  }),
  bind: call({
    method: "POST",
    path: "/v1/device/bind",
    access: ["clinicAdmin"],
    summary: "Binds a device to the clinic; the key that it uploads with is shown this once.",
    audit: "device.bind",
    input: z.object({
      serialNumber: required(maxTextLength.serialNumber),
      activationCode: required(60),
      name: required(maxTextLength.name),
    }),
    output: z.object({ device, key: z.string() }),
  }),
  step: call({
    method: "POST",
    path: "/v1/device/step",
    access: ["clinicAdmin", "afterSalesAdmin"],
    summary: "Locks, unlocks or unbinds a device; unbinding names its serial number once more.",
    isIdempotent: true,
    audit: "device.step",
    input: z.object({
      id,
      action: z.enum(deviceSteps),
      version,
      reason: text(maxTextLength.reason).optional(),
      code: z.enum(lockCodes).optional(),
      serialNumber: text(maxTextLength.serialNumber).optional(),
      consent: id.optional(),
    }),
    output: device,
  }),
  consent: call({
    method: "POST",
    path: "/v1/device/consent",
    access: ["afterSalesAdmin"],
    summary:
      "Announces a clinic's written consent to be unbound (PDF or picture); its bytes follow by PUT /device-consents/{id}.",
    input: z.object({
      id,
      name: required(200).regex(/\.(pdf|jpe?g|png)$/i, "invalid"),
      bytes: z.int().min(1).max(deviceRules.consentBytes),
    }),
    output: z.object({ id }),
  }),
  hello: call({
    method: "POST",
    path: "/v1/device/hello",
    access: "device",
    summary:
      "A device tells its versions and hears how it stands; answered also while it is locked, as nothing else is.",
    input: z.object({
      softwareVersion: text(maxTextLength.softwareVersion).optional(),
      firmware: text(maxTextLength.firmware).optional(),
      /** The number of files that wait there. */
      queue: z.int().nonnegative().max(2_000_000_000).optional(),
    }),
    output: z.object({
      name: z.string(),
      product: z.string(),
      serialNumber: z.string(),
      state: z.enum(deviceStates),
      clinic: z.string(),
      /** The reason for the refusal of all other calls; null if they are allowed. */
      refused: z.string().nullable(),
    }),
  }),
  worklist: call({
    method: "GET",
    path: "/v1/device/worklist",
    access: "device",
    summary: `Whom the clinic may take pictures of: patients made, inspected or seen between two days of a time zone, by themselves today; by a name or number alone whenever that was. ${deviceRules.maxWorklistSize} at a time, more by the cursor.`,
    audit: "device.worklist",
    input: z.object({
      from: day.optional(),
      to: day.optional(),
      /** IANA name of the device's time zone; by default the clinic's. */
      zone: text(60).optional(),
      /** As a query names a patient: DICOM's * and ? allowed. */
      name: text(200).optional(),
      number: text(64).optional(),
      cursor: text(200).optional(),
    }),
    output: z.object({ list: z.array(worklistEntry), next: z.string().nullable() }),
  }),
} as const;
