import type { Parsed } from "@arcada/contract/kernel/call";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import type { Feedback, FeedbackLine } from "@arcada/contract/feedback/feedback.calls";
import { feedbackRules } from "@arcada/contract/feedback/feedback.rules";
import type { AuthenticatedContext } from "../platform/http/request-context.ts";
import { tell, notifyClients } from "../platform/events/events.ts";
import { newId } from "../platform/runtime/ids.ts";
import { refuse } from "../platform/http/refuse.ts";
import { routes } from "../platform/http/serve.ts";
import { openActions, partiesOf, stateAfter, wanting } from "./feedback.ts";
import { beginPicture, pictureUrl } from "./feedback.pictures.ts";
import * as store from "./feedback.store.ts";

export const feedbackRoutes = routes(feedbackCalls, {
  list: async ({ cursor, pageSize, mine, ...narrowing }, { db, asker }) => {
    const within = { ...narrowing, author: mine ? asker.uid : undefined };
    const rows = await store.feedbacksOf(db, within, { before: cursor, most: pageSize + 1 });
    const list = rows.slice(0, pageSize);
    return {
      list: list.map(lineOf),
      total: await store.countFeedbacks(db, within),
      next: rows.length > pageSize ? (list.at(-1)?.id ?? null) : null,
    };
  },
  choices: (_, { db }) => store.choicesOf(db),
  device: async ({ id }, { db }) => {
    const device = (await store.deviceOf(db, id)) ?? refuse("notFound");
    const known = await store.detectorsOf(db, id);
    return {
      product: device.product,
      model: device.model,
      softwareVersion: device.software_version ?? "",
      ctDetectorType: known?.ct_detector_type ?? "",
      ctDetectorSerial: known?.ct_detector_serial ?? "",
      lateralDetectorType: known?.lateral_detector_type ?? "",
      lateralDetectorSerial: known?.lateral_detector_serial ?? "",
      deviceAddress: device.address ?? "",
      serialNumber: device.serial_number,
      clinic: device.clinic,
    };
  },
  detail: ({ id }, context) => detailOf(context, id),
  create: (asked, context) => create(asked, context),
  step: (asked, context) => step(asked, context),
  addPicture: async ({ id, name, bytes }, { db, asker }) => {
    const row = (await store.feedbackById(db, id)) ?? refuse("notFound");
    if (row.created_by !== asker.uid) refuse("feedbackActionNotAllowed");
    return { id: await beginPicture(db, { feedback: id, uid: asker.uid, name, bytes }) };
  },
});

async function create(asked: Parsed<typeof feedbackCalls.create>, context: AuthenticatedContext): Promise<Feedback> {
  const { db, asker } = context;
  const id = newId();
  const device = asked.deviceId ? ((await store.deviceOf(db, asked.deviceId)) ?? refuse("notFound")) : null;
  // If a device is given, product and model come from the register and not from the author.
  const { product, model } = device ?? asked;
  const row = await db
    .insertInto("software_feedback")
    .values({
      id,
      device_id: asked.deviceId ?? null,
      clinic_id: device?.clinic_id ?? null,
      product,
      model,
      software_version: asked.softwareVersion,
      ct_detector_type: asked.ctDetectorType,
      ct_detector_serial: asked.ctDetectorSerial,
      lateral_detector_type: asked.lateralDetectorType,
      lateral_detector_serial: asked.lateralDetectorSerial,
      device_address: asked.deviceAddress,
      page: asked.page,
      description: asked.description,
      created_by: asker.uid,
    })
    .returning("number")
    .executeTakeFirstOrThrow();
  context.subject = id;
  await tell(db, { name: "feedbackWaits", feedbackId: id, number: String(row.number), product, by: asker.uid });
  await notifyClients(db, { service: true }, "feedback", id);
  return detailOf(context, id);
}

async function step(asked: Parsed<typeof feedbackCalls.step>, context: AuthenticatedContext): Promise<Feedback> {
  const { db, asker } = context;
  const { id, version, action, text } = asked;
  const row = (await store.feedbackById(db, id)) ?? refuse("notFound");
  if (row.version !== version) refuse("feedbackChanged");
  if (!openActions(row.state, partiesOf(row, asker)).includes(action)) refuse("feedbackActionNotAllowed");
  const lacking = wanting(action, asked);
  if (lacking) refuse("badInput", { [lacking]: "required" });
  const to = stateAfter(action, asked.fixedIn);
  if (!(await store.moveFeedback(db, row, [row.state], to))) refuse("feedbackChanged");
  await store.addWord(db, { feedback: id, uid: asker.uid, action, text, fixedIn: to.fixedIn });
  context.detail = { action, ...(to.fixedIn && { fixedIn: to.fixedIn }) };
  const about = { feedbackId: id, number: String(row.number), product: row.product, by: asker.uid };
  if (to.state === "open") await tell(db, { name: "feedbackWaits", ...about });
  if (action !== "add") await tell(db, { name: "feedbackMoved", ...about, author: row.created_by, ...to });
  await notifyClients(db, { service: true }, "feedback", id);
  return detailOf(context, id);
}

const says = 200;
const lineOf = (row: store.FeedbackRow): FeedbackLine => ({
  id: row.id,
  number: row.number,
  product: row.product,
  model: row.model ?? "",
  softwareVersion: row.software_version,
  page: row.page,
  says: row.description.slice(0, says),
  state: row.state,
  fixedIn: row.fixed_in,
  author: row.author,
  clinic: row.clinic,
  createdAt: row.created_at,
  changedAt: row.changed_at,
});

async function detailOf({ db, asker }: AuthenticatedContext, id: string): Promise<Feedback> {
  const row = (await store.feedbackById(db, id)) ?? refuse("notFound");
  const { says: _, ...line } = lineOf(row);
  const files = await store.filesOf(db, id);
  return {
    ...line,
    ctDetectorType: row.ct_detector_type ?? "",
    ctDetectorSerial: row.ct_detector_serial ?? "",
    lateralDetectorType: row.lateral_detector_type ?? "",
    lateralDetectorSerial: row.lateral_detector_serial ?? "",
    deviceAddress: row.device_address ?? "",
    description: row.description,
    deviceId: row.device_id,
    serialNumber: row.serial_number,
    clinicId: row.clinic_id,
    words: (await store.wordsOf(db, id)).map((word) => ({
      id: word.id,
      action: word.action,
      text: word.text,
      fixedIn: word.fixed_in,
      who: word.who,
      time: word.at,
    })),
    pictures: files.flatMap(({ sha256, ...file }) =>
      sha256 === null ? [] : [{ id: file.id, name: file.name, url: pictureUrl(file.id, sha256) }],
    ),
    morePictures: row.created_by === asker.uid ? Math.max(0, feedbackRules.pictures - files.length) : 0,
    version: row.version,
    actions: openActions(row.state, partiesOf(row, asker)),
  };
}
