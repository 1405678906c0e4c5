import { PduError, readUid } from "./pdu.ts";

/** Supported commands (PS3.7 E.1); a response has its command's number with the highest bit set. */
export const commands = {
  store: 0x0001,
  get: 0x0010,
  find: 0x0020,
  move: 0x0021,
  echo: 0x0030,
  eventReport: 0x0100,
  action: 0x0130,
  cancel: 0x0fff,
} as const;
const responseBit = 0x8000;
export const isResponse = ({ field }: Pick<Command, "field">): boolean => (field & responseBit) !== 0;
const noDataSet = 0x0101;

/** PS3.7 annex C, PS3.4 tables B.2-1, C.4-1, C.4-2 and K.4.1.1.4-1. */
export const statusCodes = {
  success: 0,
  processingFailure: 0x0110,
  duplicate: 0x0111,
  invalidArgument: 0x0115,
  invalidInstance: 0x0117,
  classNotSupported: 0x0122,
  unrecognizedOperation: 0x0211,
  unrecognizedAction: 0x0123,
  outOfResources: 0xa700,
  noSuboperation: 0xa702,
  unknownDestination: 0xa801,
  otherThanSaid: 0xa900,
  cannotUnderstand: 0xc000,
  cannotProcess: 0xc001,
  someFailed: 0xb000,
  cancelled: 0xfe00,
  pending: 0xff00,
} as const;
export type Status = keyof typeof statusCodes;

export interface Command {
  field: number;
  message: number;
  /** In a response or a cancellation: the message that it refers to. */
  answered: number;
  hasDataSet: boolean;
  sopClass: string;
  sopInstance: string;
  /** In a response: its status. */
  status: number;
  /** The text by which a peer explains a failure. */
  comment: string;
  /** C-MOVE: the title of the application that is to receive the objects. */
  destination: string;
  /** N-ACTION and N-EVENT-REPORT: the number of the action or of the event. */
  type: number;
}
/** The number of objects of a retrieval that are still to send, were sent, failed, and were stored with a warning. */
export interface SubOperations {
  remaining: number;
  completed: number;
  failed: number;
  warning: number;
}
/** A response, besides its command and its status. */
export interface ResponseContent {
  comment?: string;
  counts?: SubOperations;
  hasDataSet?: boolean;
}

/** Parses a command set: implicit little endian, group 0000 alone (PS3.7 6.3.1). */
export function readCommand(bytes: Buffer): Command {
  const values = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length;) {
    if (at + 8 > bytes.length) throw new PduError("invalidParameter", "half a command element");
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    if (bytes.readUInt16LE(at) !== 0 || end > bytes.length)
      throw new PduError("invalidParameter", "a command element beyond its command");
    values.set(bytes.readUInt16LE(at + 2), bytes.subarray(at + 8, end));
    at = end;
  }
  const number = (element: number, missing: number): number => {
    const value = values.get(element);
    return value && value.length >= 2 ? value.readUInt16LE(0) : missing;
  };
  const uid = (element: number): string => readUid(values.get(element) ?? Buffer.alloc(0));
  const text = (element: number): string => readTitle(values.get(element)?.subarray(0, 64) ?? Buffer.alloc(0));
  if (!values.has(element.field)) throw new PduError("invalidParameter", "a command without its field");
  return {
    field: number(element.field, 0),
    message: number(element.message, number(element.answered, 0)),
    answered: number(element.answered, 0),
    hasDataSet: number(element.dataSet, noDataSet) !== noDataSet,
    sopClass: uid(element.sopClass) || uid(element.requestedClass),
    sopInstance: uid(element.sopInstance) || uid(element.requestedInstance),
    status: number(element.status, 0),
    comment: text(element.comment),
    destination: text(element.destination),
    type: number(element.action, number(element.event, 0)),
  };
}

const readTitle = (bytes: Buffer): string => bytes.toString("latin1").replaceAll("\0", "").trim();

const element = {
  sopClass: 0x0002,
  requestedClass: 0x0003,
  field: 0x0100,
  message: 0x0110,
  answered: 0x0120,
  destination: 0x0600,
  priority: 0x0700,
  dataSet: 0x0800,
  status: 0x0900,
  comment: 0x0902,
  sopInstance: 0x1000,
  requestedInstance: 0x1001,
  event: 0x1002,
  action: 0x1008,
  remaining: 0x1020,
  completed: 0x1021,
  failed: 0x1022,
  warning: 0x1023,
  originator: 0x1030,
  originatorMessage: 0x1031,
} as const;

export function buildResponse(command: Command, status: Status, content: ResponseContent = {}): Buffer {
  const { comment = "", counts, hasDataSet = false } = content;
  const isFinal = status !== "pending";
  return encodeCommand([
    [element.sopClass, command.sopClass],
    [element.field, command.field | responseBit],
    [element.answered, command.message],
    [element.dataSet, hasDataSet ? 0 : noDataSet],
    [element.status, statusCodes[status]],
    [element.comment, comment.slice(0, 64)],
    [element.sopInstance, command.sopInstance],
    // PS3.4 C.4.2.1.6: the number of remaining objects belongs to pending and cancelled responses alone.
    [element.remaining, counts && (!isFinal || status === "cancelled") ? counts.remaining : ""],
    [element.completed, counts?.completed ?? ""],
    [element.failed, counts?.failed ?? ""],
    [element.warning, counts?.warning ?? ""],
  ]);
}

/** A request, as this side sends it. */
export interface Request {
  field: number;
  message: number;
  hasDataSet: boolean;
  sopClass: string;
  sopInstance: string;
  /** C-STORE on behalf of a C-MOVE: the application and the message that requested it. */
  originator?: { title: string; message: number };
  /** N-EVENT-REPORT, N-ACTION: the number of the event or of the action. */
  type?: number;
  /** C-MOVE. */
  destination?: string;
}

export function buildRequest(request: Request): Buffer {
  const { field, sopClass, sopInstance, originator, type = "" } = request;
  const [isAction, isEvent] = [field === commands.action, field === commands.eventReport];
  return encodeCommand([
    [isAction ? element.requestedClass : element.sopClass, sopClass],
    [element.field, field],
    [element.message, request.message],
    [element.destination, request.destination ?? ""],
    // PS3.7 10: only the composite services have a priority.
    [element.priority, isAction || isEvent || field === commands.echo ? "" : 0],
    [element.dataSet, request.hasDataSet ? 0 : noDataSet],
    [isAction ? element.requestedInstance : element.sopInstance, sopInstance],
    [isAction ? element.action : element.event, type],
    [element.originator, originator?.title ?? ""],
    [element.originatorMessage, originator?.message ?? ""],
  ]);
}

/** A cancellation of the request with this number (PS3.7 9.3.2.3). */
export const buildCancellation = (message: number): Buffer =>
  encodeCommand([
    [element.field, commands.cancel],
    [element.answered, message],
    [element.dataSet, noDataSet],
  ]);

/** Texts that are empty are left out. */
function encodeCommand(rows: readonly (readonly [number, number | string])[]): Buffer {
  const body = Buffer.concat(rows.filter(([, value]) => value !== "").map(([tag, value]) => encodeElement(tag, value)));
  const length = Buffer.alloc(12);
  length.writeUInt32LE(4, 4);
  length.writeUInt32LE(body.length, 8);
  return Buffer.concat([length, body]);
}

function encodeElement(tag: number, value: number | string): Buffer {
  // PS3.5 6.2: a UID is padded with a null, any other text with a space.
  const padding = paddedWithSpace.has(tag) ? " " : "\0";
  const bytes =
    typeof value === "string"
      ? Buffer.from(value + (value.length % 2 === 1 ? padding : ""), "latin1")
      : Buffer.alloc(2);
  if (typeof value === "number") bytes.writeUInt16LE(value);
  const header = Buffer.alloc(8);
  header.writeUInt16LE(tag, 2);
  header.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
}

const paddedWithSpace: ReadonlySet<number> = new Set([element.comment, element.destination, element.originator]);
