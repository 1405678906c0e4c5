/** ONNX models written byte by byte, so that tests need nobody's weights. Fields by number: onnx.proto3. */

export interface MadeNode {
  op: string;
  domain?: string;
  inputs: string[];
  outputs: string[];
  attributes?: Record<string, number | number[] | { dims: number[]; floats: Float32Array }>;
  /** Further fields of the node, already written. */
  inNode?: readonly Uint8Array[];
}
export interface MadeModel {
  /** `in`, of these lengths. */
  input: number[];
  /** Named so, of lengths that the model leaves open. */
  outputs: { name: string; rank: number }[];
  nodes: MadeNode[];
  weights?: Record<string, MadeTensor>;
  /** Further fields of the graph and of the model, already written: for what only hostile models hold. */
  inGraph?: readonly Uint8Array[];
  inModel?: readonly Uint8Array[];
}
export type MadeTensor =
  | { dims: number[]; floats: Float32Array }
  | { dims: number[]; whole: number[] }
  /** Bytes of a file: `location` is relative to the working directory of the process that loads the model. */
  | { dims: number[]; location: string; offset?: number };

export function madeModel(made: MadeModel): Uint8Array {
  const { input, outputs, nodes, weights = {}, inGraph = [], inModel = [] } = made;
  const graph = joined([
    ...nodes.map((node) => field(1, nodeBytes(node))),
    field(2, text("made")),
    ...Object.entries(weights).map(([name, weight]) => field(5, tensorBytes(name, weight))),
    field(11, valueBytes("in", input)),
    ...outputs.map(({ name, rank }) =>
      field(
        12,
        valueBytes(
          name,
          Array<string>(rank)
            .fill("")
            .map((_, at) => `${name}${at}`),
        ),
      ),
    ),
    ...inGraph,
  ]);
  return joined([number(1, 8), field(8, joined([field(1, text("")), number(2, 13)])), field(7, graph), ...inModel]);
}

export function nodeBytes({ op, domain, inputs, outputs, attributes = {}, inNode = [] }: MadeNode): Uint8Array {
  return joined([
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(4, text(op)),
    ...(domain === undefined ? [] : [field(7, text(domain))]),
    ...Object.entries(attributes).map(([name, value]) => field(5, attributeBytes(name, value))),
    ...inNode,
  ]);
}

function attributeBytes(name: string, value: NonNullable<MadeNode["attributes"]>[string]): Uint8Array {
  const head = field(1, text(name));
  if (typeof value === "number") return joined([head, number(3, value), number(20, 2)]);
  if (Array.isArray(value)) return joined([head, ...value.map((one) => number(8, one)), number(20, 7)]);
  return joined([head, field(5, tensorBytes("", value)), number(20, 4)]);
}

export function tensorBytes(name: string, weight: MadeTensor): Uint8Array {
  if ("location" in weight) return externalBytes(name, weight);
  const isWhole = "whole" in weight;
  const data = isWhole ? new BigInt64Array(weight.whole.map(BigInt)) : weight.floats;
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return joined([
    ...weight.dims.map((length) => number(1, length)),
    number(2, isWhole ? 7 : 1),
    field(8, text(name)),
    field(9, raw),
  ]);
}

function externalBytes(
  name: string,
  { dims, location, offset = 0 }: Extract<MadeTensor, { location: string }>,
): Uint8Array {
  const length = dims.reduce((product, one) => product * one, 1);
  const entries = { location, offset: String(offset), length: String(length) };
  return joined([
    ...dims.map((one) => number(1, one)),
    number(2, 2),
    field(8, text(name)),
    ...Object.entries(entries).map(([key, value]) => field(13, joined([field(1, text(key)), field(2, text(value))]))),
    number(14, 1),
  ]);
}

function valueBytes(name: string, dims: (number | string)[]): Uint8Array {
  const shape = joined(
    dims.map((length) => field(1, typeof length === "number" ? number(1, length) : field(2, text(length)))),
  );
  const tensor = joined([number(1, 1), field(2, shape)]);
  return joined([field(1, text(name)), field(2, field(1, tensor))]);
}

export const text = (words: string): Uint8Array => new TextEncoder().encode(words);
export const number = (at: number, value: number): Uint8Array => joined([varint(at << 3), varint(value)]);
export const field = (at: number, bytes: Uint8Array): Uint8Array =>
  joined([varint((at << 3) | 2), varint(bytes.length), bytes]);
export const joined = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return Uint8Array.from([...bytes, left]);
}
