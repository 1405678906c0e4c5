import { isDeepStrictEqual } from "node:util";
import type { Task } from "@medplum/fhirtypes";
import { caseRoles } from "@arcada/contract/kernel/roles";
import { orderLifecycle } from "@arcada/contract/order/order.lifecycle";
import type { OrderAction } from "@arcada/contract/order/order.lifecycle";
import { systems } from "../../domain/fhir/fhir-datatypes.ts";
import { readOrder } from "../../order/core/order.read.ts";
import { refuse } from "../../platform/http/refuse.ts";
import { promisedDateExtension, shipmentExtension, toTask } from "../resources/order-converters.ts";
import type { WriteDefinition, WriteRequest } from "../resource-definition.ts";
import { isUuid } from "../search/search-parameters.ts";
import { BodyReader } from "./body-reader.ts";

/** A change of a Task is one action of the order's life cycle; nothing else of a Task can be changed. */
export const writeTask: WriteDefinition = {
  access: { roles: caseRoles, scopes: ["orders.write"] },
  interactions: ["update"],
  write: async (request) => {
    const id = request.id ?? refuse("notFound");
    const { task, side } = await request.read(async (context) => {
      const order = (isUuid(id) && (await readOrder(context.db, context.iid, id))) || refuse("notFound");
      const sender = order.institution_id === context.iid;
      return { task: toTask(order, context), side: sender ? ("sender" as const) : ("receiver" as const) };
    });
    if (String(request.version) !== task.meta?.versionId) refuse("orderChanged");
    const { input, ignored } = readStep(request, task, side);
    if (input) await request.call("order.step", { ...input, id, version: request.version });
    return { status: 200, id, ignored };
  },
};

type Side = "sender" | "receiver";
type Status = NonNullable<Task["status"]>;

/**
 * The action for a change of the status. A status that more than one action leads to is the one that finishes the least;
 * the others are named by their codes in `businessStatus`.
 */
const actionsByStatus: Record<Side, Partial<Record<Status, Partial<Record<Status, OrderAction>>>>> = {
  receiver: {
    requested: {
      received: "requestInfo",
      accepted: "accept",
      "in-progress": "accept",
      "on-hold": "requestInfo",
      rejected: "refuse",
    },
    received: { accepted: "accept", "in-progress": "accept", rejected: "refuse" },
    "in-progress": { "on-hold": "requestInfo", cancelled: "cancelByReceiver", completed: "dispatch" },
    "on-hold": { cancelled: "cancelByReceiver" },
  },
  sender: {
    draft: { requested: "submit", cancelled: "cancel" },
    requested: { cancelled: "cancel", draft: "recall" },
    received: { requested: "supplyInfo", cancelled: "cancel" },
    "on-hold": { "in-progress": "supplyInfo", cancelled: "requestCancel" },
    "in-progress": { cancelled: "requestCancel", completed: "confirmReceipt" },
  },
};

const isAction = (code: unknown): code is OrderAction =>
  typeof code === "string" && Object.hasOwn(orderLifecycle.steps, code);

interface Step {
  /** Null if the Task is as it was. */
  input: Record<string, unknown> | null;
  ignored: string[];
}

function readStep({ body, isLenient }: WriteRequest, task: Task, side: Side): Step {
  const reader = new BodyReader("Task", body, isLenient);
  rejectOtherChanges(reader, body, task);
  const action = findAction(reader, body, task, side);
  const words = readReason(reader, task);
  const { promisedDate, shipment } = readExtensions(reader, task);
  const ignored = reader.finish();
  if (action === null) return { input: null, ignored };
  return {
    input: {
      action,
      ...(words && { reason: words, text: words }),
      ...(promisedDate && { promisedDate }),
      ...shipment,
    },
    ignored,
  };
}

const changeable = ["status", "statusReason", "businessStatus", "extension"];
const setByServer = ["resourceType", "id", "meta", "text", "language", "lastModified", "executionPeriod"];

/** Everything else must be as it was read, or may be missing. */
function rejectOtherChanges(reader: BodyReader, body: Record<string, unknown>, task: Task): void {
  const known = task as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(body)) {
    if (changeable.includes(name) || setByServer.includes(name)) continue;
    if (!Object.hasOwn(known, name) || !isDeepStrictEqual(JSON.parse(JSON.stringify(known[name])), value))
      reader.reject(name);
  }
}

/** The action that `businessStatus` names, or the one that the change of the status means. */
function findAction(reader: BodyReader, body: Record<string, unknown>, task: Task, side: Side): OrderAction | null {
  const status = reader.text("status") ?? reader.fail("status", "required");
  for (const coding of reader.listOf(reader.object("businessStatus")?.coding, "businessStatus.coding", 10)) {
    if (coding.system === systems.orderAction)
      return isAction(coding.code) ? coding.code : reader.fail("businessStatus.coding.code");
    if (coding.system !== systems.orderState) reader.reject("businessStatus");
  }
  if (status === task.status) return null;
  const action = actionsByStatus[side][task.status]?.[status as Status];
  return action ?? refuse("orderActionNotAllowed");
}

/** The reason or question; undefined for the one that was there before. */
function readReason(reader: BodyReader, task: Task): string | undefined {
  const reason = reader.object("statusReason");
  if (!reason) return undefined;
  reader.allowIn(reason, "statusReason", ["text"]);
  const text = reader.textOf(reason.text, "statusReason.text");
  return text === task.statusReason?.text ? undefined : text;
}

interface ReadExtensions {
  promisedDate?: string | undefined;
  shipment: Record<string, unknown>;
}
/** Reads the day that the lab promises and the shipment; those that are as they were change nothing. */
function readExtensions(reader: BodyReader, task: Task): ReadExtensions {
  const read: ReadExtensions = { shipment: {} };
  for (const [index, extension] of reader.list("extension", 20).entries()) {
    const place = `extension[${index}]`;
    const before = task.extension?.find(({ url }) => url === extension.url);
    if (before && isDeepStrictEqual(before, extension)) continue;
    if (extension.url === promisedDateExtension) read.promisedDate = reader.textOf(extension.valueDate, place);
    else if (extension.url === shipmentExtension)
      for (const part of reader.listOf(extension.extension, place, 3)) readShipment(reader, part, place, read.shipment);
    else reader.reject(place);
  }
  return read;
}

function readShipment(
  reader: BodyReader,
  part: Record<string, unknown>,
  place: string,
  shipment: Record<string, unknown>,
): void {
  if (part.url === "carrier" || part.url === "trackingNumber")
    shipment[part.url] = reader.textOf(part.valueString, place);
  else if (part.url === "handDelivery") shipment.handDelivery = part.valueBoolean;
  else reader.reject(place);
}
