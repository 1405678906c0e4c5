import { EngineFault } from "@arcada/analysis/engine";
import type { EngineReason } from "@arcada/contract/analysis/engine-reasons";

/**
 * Refuses a model before the runtime reads it, unless every byte of it belongs to a field that is known to be harmless.
 * The runtime follows file names in a model: weights outside of it would be read from the server's files and come back
 * as results. One pass over the bytes, without recursion; the content of a tensor is skipped by its length.
 * @throws EngineFault modelForbidden, modelInvalid
 */
export function requireHarmlessModel(model: Uint8Array): void {
  if (isOrtFormat(model)) throw new EngineFault("modelForbidden", "ORT format", "modelFormat");
  const reader = { bytes: model, at: 0 };
  const counts: ModelCounts = { messages: 0, tensors: 0, nodes: 0, domains: new Set(), functions: new Set() };
  const open: Frame[] = [{ message: "Model", end: model.length, domain: null }];
  for (let frame = open.at(-1); frame; frame = open.at(-1)) {
    if (reader.at < frame.end) readField(reader, open, counts);
    else closeMessage(open.pop()!, counts);
  }
  for (const domain of counts.domains)
    if (!builtInDomains.has(domain) && !counts.functions.has(domain)) refuseForbidden("operatorForeign", domain);
}

export const modelLimits = {
  /** Protobuf's own reader stops at 100. A subgraph takes three levels: graph, node, attribute. */
  depth: 40,
  messages: 500_000,
  tensors: 50_000,
  nodes: 50_000,
} as const;

/**
 * True for a flat buffer in place of a protobuf. Bytes can be both, and the runtime then reads them as a flat buffer.
 */
const isOrtFormat = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(4, 8)).toString("latin1") === "ORTM";

/**
 * Operators of other domains come from libraries, or delegate their work to something outside, as EPContext does by a
 * file.
 */
const builtInDomains: ReadonlySet<string> = new Set(["", "ai.onnx", "ai.onnx.ml"]);
const reservedDomains = /^(ai\.onnx|com\.ms|com\.microsoft|org\.pytorch)(\.|$)|^$/;
const forbiddenOperators: ReadonlySet<string> = new Set(["EPContext"]);
/** The runtime reads this entry as settings of the session, such as a file for profiles. */
const settingsKey = "ort_config";
const stringType = 8;

/** The encoding of a field: single or packed numbers, text, or a nested message. */
type Scalar = "int" | "ints" | "float" | "floats" | "doubles" | "text";
type CheckedField = "domain" | "operator" | "entryKey" | "dataType" | "dataLocation";
type ForbiddenField = "externalData" | "trainingData" | "stringTensor";
type Message = keyof typeof schema;

// Fields by number: onnx.proto3 of ONNX 1.20 (IR version 13). Fields that are not listed are refused.
const schema = {
  Model: {
    1: "int",
    2: "text",
    3: "text",
    4: "text",
    5: "int",
    6: "text",
    7: "Graph",
    8: "OperatorSet",
    14: "Entry",
    20: "trainingData",
    25: "Function",
  },
  Graph: {
    1: "Node",
    2: "text",
    5: "Tensor",
    10: "text",
    11: "Value",
    12: "Value",
    13: "Value",
    14: "Annotation",
    15: "Sparse",
    16: "Entry",
  },
  Node: {
    1: "text",
    2: "text",
    3: "text",
    4: "operator",
    5: "Attribute",
    6: "text",
    7: "domain",
    8: "text",
    9: "Entry",
  },
  Function: {
    1: "text",
    4: "text",
    5: "text",
    6: "text",
    7: "Node",
    8: "text",
    9: "OperatorSet",
    10: "domain",
    11: "Attribute",
    12: "Value",
    13: "text",
    14: "Entry",
  },
  Attribute: {
    1: "text",
    2: "float",
    3: "int",
    4: "text",
    5: "Tensor",
    6: "Graph",
    7: "floats",
    8: "ints",
    9: "text",
    10: "Tensor",
    11: "Graph",
    13: "text",
    14: "Type",
    15: "Type",
    20: "int",
    21: "text",
    22: "Sparse",
    23: "Sparse",
  },
  Tensor: {
    1: "ints",
    2: "dataType",
    4: "floats",
    5: "ints",
    6: "stringTensor",
    7: "ints",
    8: "text",
    9: "text",
    10: "doubles",
    11: "ints",
    12: "text",
    13: "externalData",
    14: "dataLocation",
    16: "Entry",
  },
  Sparse: { 1: "Tensor", 2: "Tensor", 3: "ints" },
  Value: { 1: "text", 2: "Type", 3: "text", 4: "Entry" },
  Type: { 1: "TensorType", 4: "Element", 5: "MapType", 6: "text", 8: "TensorType", 9: "Element" },
  TensorType: { 1: "int", 2: "Shape", 3: "int" },
  Element: { 1: "Type" },
  MapType: { 1: "int", 2: "Type" },
  Shape: { 1: "Dimension" },
  Dimension: { 1: "int", 2: "text", 3: "text" },
  Annotation: { 1: "text", 2: "Entry" },
  OperatorSet: { 1: "text", 2: "int" },
  Entry: { 1: "entryKey", 2: "text" },
} as const;

interface Reader {
  bytes: Uint8Array;
  at: number;
}
interface Frame {
  message: Message;
  end: number;
  /** The last domain that a node or function named. */
  domain: string | null;
}
interface ModelCounts {
  messages: number;
  tensors: number;
  nodes: number;
  /** Domains of the operators that the nodes use. */
  domains: Set<string>;
  /** Domains of the functions that the model contains. */
  functions: Set<string>;
}

const varint = 0;
const fixed64 = 1;
const delimited = 2;
const fixed32 = 5;
const wireTypes: Record<Scalar | CheckedField, readonly number[]> = {
  int: [varint],
  ints: [varint, delimited],
  float: [fixed32],
  floats: [fixed32, delimited],
  doubles: [fixed64, delimited],
  text: [delimited],
  domain: [delimited],
  operator: [delimited],
  entryKey: [delimited],
  dataType: [varint],
  dataLocation: [varint],
};

function readField(reader: Reader, open: Frame[], counts: ModelCounts): void {
  const frame = open.at(-1)!;
  const tag = readShort(reader, frame.end);
  const wire = tag % 8;
  const kind = fieldKindOf(frame.message, Math.floor(tag / 8));
  if (kind === "externalData" || kind === "trainingData" || kind === "stringTensor") return refuseForbidden(kind);
  if (kind in schema) {
    if (wire !== delimited) refuseMalformed("a message of another wire type");
    return openMessage(reader, open, { message: kind as Message, found: counts });
  }
  const scalar = kind as Scalar | CheckedField;
  if (!wireTypes[scalar].includes(wire)) refuseMalformed("a field of another wire type");
  if (wire === delimited) readBytes(reader, frame, { kind: scalar, found: counts });
  else if (wire === varint) readNumber(reader, frame.end, scalar);
  else skip(reader, frame.end, wire === fixed64 ? 8 : 4);
}

function fieldKindOf(message: Message, field: number): Message | Scalar | CheckedField | ForbiddenField {
  const kinds: Readonly<Record<number, Message | Scalar | CheckedField | ForbiddenField>> = schema[message];
  return kinds[field] ?? refuseMalformed(`field ${field} of ${message}`);
}

function openMessage(
  reader: Reader,
  open: Frame[],
  { message, found: counts }: { message: Message; found: ModelCounts },
): void {
  const end = readEnd(reader, open.at(-1)!.end);
  counts.messages++;
  if (message === "Tensor") counts.tensors++;
  if (message === "Node") counts.nodes++;
  for (const what of ["messages", "tensors", "nodes"] as const)
    if (counts[what] > modelLimits[what]) refuseComplexity(`more than ${modelLimits[what]} ${what}`);
  if (open.length >= modelLimits.depth) refuseComplexity(`deeper than ${modelLimits.depth}`);
  open.push({ message, end, domain: null });
}

/** A function must not replace a built-in operator. */
function closeMessage({ message, domain }: Frame, { functions }: ModelCounts): void {
  if (message !== "Function") return;
  if (domain === null || reservedDomains.test(domain)) refuseForbidden("operatorForeign", domain ?? "a function");
  functions.add(domain);
}

function readBytes(
  reader: Reader,
  frame: Frame,
  { kind, found: counts }: { kind: Scalar | CheckedField; found: ModelCounts },
): void {
  const end = readEnd(reader, frame.end);
  const start = reader.at;
  reader.at = end;
  if (kind !== "domain" && kind !== "operator" && kind !== "entryKey") return;
  if (end - start > maxNameBytes) refuseMalformed(`a name of ${end - start} bytes`);
  const name = Buffer.from(reader.bytes.subarray(start, end)).toString();
  if (kind === "entryKey" && name === settingsKey) refuseForbidden("settingsInside");
  if (kind === "operator" && forbiddenOperators.has(name)) refuseForbidden("operatorForeign", name);
  if (kind !== "domain") return;
  frame.domain = name;
  if (frame.message === "Node") counts.domains.add(name);
}
const maxNameBytes = 1000;

function readNumber(reader: Reader, end: number, kind: Scalar | CheckedField): void {
  const start = reader.at;
  for (let length = 0; ; length++) {
    if (length === 10 || reader.at >= end) refuseMalformed("a number without an end");
    if (reader.bytes[reader.at++]! < 128) break;
  }
  if (kind !== "dataLocation" && kind !== "dataType") return;
  // The runtime truncates long numbers: only a single small byte has one meaning.
  const [value = 0] = reader.bytes.subarray(start, reader.at);
  if (kind === "dataLocation" && (value !== 0 || reader.at !== start + 1)) refuseForbidden("externalData");
  if (reader.at !== start + 1) refuseMalformed("a type beyond the list");
  if (kind === "dataType" && value === stringType) refuseForbidden("stringTensor");
}

/** Reads a tag or a length: at most 32 bits, in as few bytes as possible, so that all readers read the same value. */
function readShort(reader: Reader, end: number): number {
  let value = 0;
  for (let factor = 1, length = 1; length <= 5; length++, factor *= 128) {
    if (reader.at >= end) refuseMalformed("cut off");
    const byte = reader.bytes[reader.at++]!;
    value += (byte % 128) * factor;
    if (byte > 127) continue;
    if ((byte === 0 && length > 1) || value > 0xffff_ffff) refuseMalformed("a tag or length in too many bytes");
    return value;
  }
  return refuseMalformed("a tag or length in too many bytes");
}

function readEnd(reader: Reader, limit: number): number {
  const end = readShort(reader, limit) + reader.at;
  return end > limit ? refuseMalformed("longer than what holds it") : end;
}
function skip(reader: Reader, end: number, bytes: number): void {
  if ((reader.at += bytes) > end) refuseMalformed("cut off");
}

function refuseForbidden(reason: EngineReason, detail: string = reason): never {
  throw new EngineFault("modelForbidden", detail.slice(0, 100), reason);
}
function refuseMalformed(detail: string): never {
  throw new EngineFault("modelInvalid", detail, "modelMalformed");
}
function refuseComplexity(detail: string): never {
  throw new EngineFault("modelInvalid", detail, "modelTooComplex");
}
