import { z } from "zod";
import { call } from "../kernel/call.ts";
import { booleanParameter, id, instant, pageOf, pagingParameters, required, text, version } from "../kernel/fields.ts";
import { deviceRules } from "../device/device.rules.ts";
import { serviceRoles } from "../kernel/roles.ts";
import { product } from "../upgrade/upgrade.rules.ts";
import { packageVersion } from "../upgrade/package-version.ts";
import { feedbackLifecycle, feedbackStates } from "./feedback.lifecycle.ts";
import type { FeedbackAction } from "./feedback.lifecycle.ts";
import { feedbackPages, feedbackRules } from "./feedback.rules.ts";

const actions = Object.keys(feedbackLifecycle.steps).filter((action) => action !== "write") as [
  FeedbackAction,
  ...FeedbackAction[],
];

const { maxTextLength } = deviceRules;
/** The device as it was when the feedback was written. */
const deviceDescription = {
  product,
  model: text(maxTextLength.model),
  softwareVersion: required(maxTextLength.softwareVersion),
  ctDetectorType: text(maxTextLength.model),
  ctDetectorSerial: text(maxTextLength.serialNumber),
  lateralDetectorType: text(maxTextLength.model),
  lateralDetectorSerial: text(maxTextLength.serialNumber),
  deviceAddress: text(300),
};
type DeviceDescriptionShape = Record<keyof typeof deviceDescription, z.ZodString>;
// Texts written under other limits are shown unchanged.
const shownDeviceDescription = Object.fromEntries(
  Object.keys(deviceDescription).map((field) => [field, z.string()]),
) as DeviceDescriptionShape;
export const feedbackDevice = z.object(shownDeviceDescription);
export type FeedbackDevice = z.output<typeof feedbackDevice>;

export const feedbackLine = z.object({
  id,
  number: z.int(),
  product: z.string(),
  model: z.string(),
  softwareVersion: z.string(),
  page: z.enum(feedbackPages),
  /** The beginning of the text. */
  says: z.string(),
  state: z.enum(feedbackStates),
  fixedIn: z.string().nullable(),
  author: z.string().nullable(),
  clinic: z.string().nullable(),
  createdAt: instant,
  changedAt: instant,
});
export type FeedbackLine = z.output<typeof feedbackLine>;

const feedbackComment = z.object({
  id,
  action: z.enum(actions),
  text: z.string(),
  fixedIn: z.string().nullable(),
  who: z.string().nullable(),
  time: instant,
});
export const feedback = feedbackLine.omit({ says: true }).extend({
  ...shownDeviceDescription,
  description: z.string(),
  deviceId: id.nullable(),
  serialNumber: z.string().nullable(),
  clinicId: id.nullable(),
  words: z.array(feedbackComment),
  pictures: z.array(z.object({ id, name: z.string(), url: z.string() })),
  /** The number of further images that the caller may add. */
  morePictures: z.int(),
  version,
  actions: z.array(z.enum(actions)),
});
export type Feedback = z.output<typeof feedback>;

export const feedbackCalls = {
  list: call({
    method: "GET",
    path: "/v1/feedback/list",
    access: serviceRoles,
    summary: "Feedback on the software of devices, newest first.",
    input: z.object({
      search: text(100).optional(),
      page: z.enum(feedbackPages).optional(),
      product: text(maxTextLength.product).optional(),
      model: text(maxTextLength.model).optional(),
      softwareVersion: text(maxTextLength.softwareVersion).optional(),
      state: z.enum(feedbackStates).optional(),
      mine: booleanParameter.optional(),
      cursor: id.optional(),
      pageSize: pagingParameters.pageSize,
    }),
    output: pageOf(feedbackLine),
  }),
  choices: call({
    method: "GET",
    path: "/v1/feedback/choices",
    access: serviceRoles,
    summary: "The products, models and versions that feedback and devices name, for choosing among them.",
    input: z.object({}),
    output: z.object({
      products: z.array(z.string()),
      models: z.array(z.string()),
      versions: z.array(z.string()),
    }),
  }),
  device: call({
    method: "GET",
    path: "/v1/feedback/device",
    access: serviceRoles,
    summary: "What is known of a registered device, for a new feedback on it.",
    input: z.object({ id }),
    output: feedbackDevice.extend({ serialNumber: z.string(), clinic: z.string().nullable() }),
  }),
  detail: call({
    method: "GET",
    path: "/v1/feedback/detail",
    access: serviceRoles,
    summary: "One feedback with everything that was said about it.",
    input: z.object({ id }),
    output: feedback,
  }),
  create: call({
    method: "POST",
    path: "/v1/feedback/create",
    access: serviceRoles,
    summary: "Writes down what is wrong with the software of a device.",
    isIdempotent: true,
    audit: "feedback.create",
    input: z.object({
      deviceId: id.optional(),
      ...deviceDescription,
      page: z.enum(feedbackPages),
      description: required(feedbackRules.maxTextLength),
    }),
    output: feedback,
  }),
  step: call({
    method: "POST",
    path: "/v1/feedback/step",
    access: serviceRoles,
    summary: "Answers a feedback, adds to it, names the version that mends it, or opens it again.",
    isIdempotent: true,
    audit: "feedback.step",
    input: z.object({
      id,
      version,
      action: z.enum(actions),
      text: text(feedbackRules.maxTextLength).default(""),
      fixedIn: packageVersion.optional(),
    }),
    output: feedback,
  }),
  addPicture: call({
    method: "POST",
    path: "/v1/feedback/addPicture",
    access: serviceRoles,
    summary: "Announces a picture of one's own feedback: its bytes are sent in pieces to /feedbackPictures/<id>.",
    isIdempotent: true,
    input: z.object({
      id,
      name: required(200),
      bytes: z.int().positive().max(feedbackRules.pictureBytes, "pictureTooLarge"),
    }),
    output: z.object({ id }),
  }),
} as const;
