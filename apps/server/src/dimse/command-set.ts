import { PduError, readUid } from "./pdu.ts";

/** Supported commands (PS3.7 E.1); a response has its command's number with the highest bit set. */
export const commands = { store: 0x0001, find: 0x0020, echo: 0x0030, cancel: 0x0fff } as const;
const responseBit = 0x8000;
const noDataSet = 0x0101;

/** PS3.7 annex C, PS3.4 tables B.2-1 and K.4.1.1.4-1. */
export const statusCodes = {
  success: 0,
  processingFailure: 0x0110,
  duplicate: 0x0111,
  invalidInstance: 0x0117,
  classNotSupported: 0x0122,
  unrecognizedOperation: 0x0211,
  outOfResources: 0xa700,
  otherThanSaid: 0xa900,
  cannotUnderstand: 0xc000,
  cannotProcess: 0xc001,
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
  if (!values.has(element.field)) throw new PduError("invalidParameter", "a command without its field");
  return {
    field: number(element.field, 0),
    message: number(element.message, number(element.answered, 0)),
    answered: number(element.answered, 0),
    hasDataSet: number(element.dataSet, noDataSet) !== noDataSet,
    sopClass: uid(element.sopClass),
    sopInstance: uid(element.sopInstance),
    status: number(element.status, 0),
  };
}

const element = {
  sopClass: 0x0002,
  field: 0x0100,
  message: 0x0110,
  answered: 0x0120,
  priority: 0x0700,
  dataSet: 0x0800,
  status: 0x0900,
  comment: 0x0902,
  sopInstance: 0x1000,
} as const;

export function buildResponse(command: Command, status: Status, comment = ""): Buffer {
  return encodeCommand([
    [element.sopClass, command.sopClass],
    [element.field, command.field | responseBit],
    [element.answered, command.message],
    [element.dataSet, status === "pending" ? 0 : noDataSet],
    [element.status, statusCodes[status]],
    [element.comment, comment.slice(0, 64)],
    [element.sopInstance, command.sopInstance],
  ]);
}

export const buildRequest = (command: Omit<Command, "status" | "answered">): Buffer =>
  encodeCommand([
    [element.sopClass, command.sopClass],
    [element.field, command.field],
    [element.message, command.message],
    [element.priority, 0],
    [element.dataSet, command.hasDataSet ? 0 : noDataSet],
    [element.sopInstance, command.sopInstance],
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
  const bytes =
    typeof value === "string" ? Buffer.from(value + (value.length % 2 === 1 ? "\0" : ""), "latin1") : Buffer.alloc(2);
  if (typeof value === "number") bytes.writeUInt16LE(value);
  const header = Buffer.alloc(8);
  header.writeUInt16LE(tag, 2);
  header.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([header, bytes]);
}
