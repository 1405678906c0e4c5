import type { Parsed } from "@arcada/contract/kernel/call";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import type { Feedback, FeedbackLine } from "@arcada/contract/feedback/feedback.calls";
import { feedbackRules } from "@arcada/contract/feedback/feedback.rules";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { publish, notifyClients } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids-and-secrets.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve-calls.ts";
import { openActions, listParties, stateAfter, findMissingField } from "./feedback.allowed-steps.ts";
import { beginImageUpload, buildFeedbackImageUrl } from "./feedback.images.ts";
import * as store from "./feedback.store.ts";
import { feedbackReceived, feedbackUpdated } from "./feedback.events.ts";
import { pickColumns } from "../platform/database/camel-case-columns.ts";

export const feedbackRoutes = routes(feedbackCalls, {
  list: async ({ cursor, pageSize, mine, ...narrowing }, { db, principal }) => {
    const within = { ...narrowing, author: mine ? principal.uid : undefined };
    const rows = await store.listFeedback(db, within, { before: cursor, most: pageSize + 1 });
    const list = rows.slice(0, pageSize);
    return {
      list: list.map(toFeedbackLine),
      total: await store.countFeedback(db, within),
      next: rows.length > pageSize ? (list.at(-1)?.id ?? null) : null,
    };
  },
  choices: (_, { db }) => store.listChoices(db),
  device: async ({ id }, { db }) => {
    const device = (await store.findDevice(db, id)) ?? refuse("notFound");
    const known = await store.findLastDetectors(db, id);
    return {
      ...pickColumns(device, "product", "model", "serial_number", "clinic"),
      softwareVersion: device.software_version ?? "",
      ctDetectorType: known?.ct_detector_type ?? "",
      ctDetectorSerial: known?.ct_detector_serial ?? "",
      lateralDetectorType: known?.lateral_detector_type ?? "",
      lateralDetectorSerial: known?.lateral_detector_serial ?? "",
      deviceAddress: device.address ?? "",
    };
  },
  detail: ({ id }, context) => loadFeedback(context, id),
  create: (request, context) => createFeedback(request, context),
  step: (request, context) => applyStep(request, context),
  addPicture: async ({ id, name, bytes }, { db, principal }) => {
    const row = (await store.findFeedback(db, id)) ?? refuse("notFound");
    if (row.created_by !== principal.uid) refuse("feedbackActionNotAllowed");
    return { id: await beginImageUpload(db, { feedback: id, uid: principal.uid, name, bytes }) };
  },
});

async function createFeedback(
  request: Parsed<typeof feedbackCalls.create>,
  context: AuthenticatedContext,
): Promise<Feedback> {
  const { db, principal } = context;
  const id = newId();
  const device = request.deviceId ? ((await store.findDevice(db, request.deviceId)) ?? refuse("notFound")) : null;
  // If a device is given, product and model come from the register and not from the author.
  const { product, model } = device ?? request;
  const row = await db
    .insertInto("software_feedback")
    .values({
      id,
      device_id: request.deviceId ?? null,
      clinic_id: device?.clinic_id ?? null,
      product,
      model,
      software_version: request.softwareVersion,
      ct_detector_type: request.ctDetectorType,
      ct_detector_serial: request.ctDetectorSerial,
      lateral_detector_type: request.lateralDetectorType,
      lateral_detector_serial: request.lateralDetectorSerial,
      device_address: request.deviceAddress,
      page: request.page,
      description: request.description,
      created_by: principal.uid,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  context.subject = id;
  await publish(db, feedbackReceived, { feedbackId: id, number: String(row.number), product, by: principal.uid });
  await notifyClients(db, { service: true }, "feedback", id);
  return loadFeedback(context, id);
}

async function applyStep(request: Parsed<typeof feedbackCalls.step>, context: AuthenticatedContext): Promise<Feedback> {
  const { db, principal } = context;
  const { id, version, action, text } = request;
  const row = (await store.findFeedback(db, id)) ?? refuse("notFound");
  if (row.version !== version) refuse("feedbackChanged");
  if (!openActions(row.state, listParties(row, principal)).includes(action)) refuse("feedbackActionNotAllowed");
  const missing = findMissingField(action, request);
  if (missing) refuse("badInput", { [missing]: "required" });
  const to = stateAfter(action, request.fixedIn);
  if (!(await store.updateFeedbackState(db, row, [row.state], to))) refuse("feedbackChanged");
  await store.addMessage(db, { feedback: id, uid: principal.uid, action, text, fixedIn: to.fixedIn });
  context.detail = { action, ...(to.fixedIn && { fixedIn: to.fixedIn }) };
  const about = { feedbackId: id, number: String(row.number), product: row.product, by: principal.uid };
  if (to.state === "open") await publish(db, feedbackReceived, { ...about });
  if (action !== "add") await publish(db, feedbackUpdated, { ...about, author: row.created_by, ...to });
  await notifyClients(db, { service: true }, "feedback", id);
  return loadFeedback(context, id);
}

const excerptLength = 200;
const toFeedbackLine = (row: store.FeedbackRow): FeedbackLine => ({
  ...pickColumns(
    row,
    "id",
    "number",
    "product",
    "software_version",
    "page",
    "state",
    "fixed_in",
    "author",
    "clinic",
    "created_at",
    "changed_at",
  ),
  model: row.model ?? "",
  says: row.description.slice(0, excerptLength),
});

async function loadFeedback({ db, principal }: AuthenticatedContext, id: string): Promise<Feedback> {
  const row = (await store.findFeedback(db, id)) ?? refuse("notFound");
  const { says: _, ...line } = toFeedbackLine(row);
  const files = await store.listFiles(db, id);
  return {
    ...line,
    ctDetectorType: row.ct_detector_type ?? "",
    ctDetectorSerial: row.ct_detector_serial ?? "",
    lateralDetectorType: row.lateral_detector_type ?? "",
    lateralDetectorSerial: row.lateral_detector_serial ?? "",
    deviceAddress: row.device_address ?? "",
    ...pickColumns(row, "description", "device_id", "serial_number", "clinic_id"),
    words: (await store.listMessages(db, id)).map((word) => ({
      ...pickColumns(word, "id", "action", "text", "fixed_in", "who"),
      time: word.at,
    })),
    pictures: files.flatMap(({ sha256, ...file }) =>
      sha256 === null ? [] : [{ id: file.id, name: file.name, url: buildFeedbackImageUrl(file.id, sha256) }],
    ),
    morePictures: row.created_by === principal.uid ? Math.max(0, feedbackRules.pictures - files.length) : 0,
    version: row.version,
    actions: openActions(row.state, listParties(row, principal)),
  };
}
