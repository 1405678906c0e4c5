/** ONNX models written byte by byte, so that tests need nobody's weights. Fields by number: onnx.proto3. */

export interface NodeFixture {
  op: string;
  domain?: string;
  inputs: string[];
  outputs: string[];
  attributes?: Record<string, number | number[] | { dims: number[]; floats: Float32Array }>;
  /** Further fields of the node, already written. */
  inNode?: readonly Uint8Array[];
}
export interface ModelFixture {
  /** `in`, of these lengths. */
  input: number[];
  /** Named so, of lengths that the model leaves open. */
  outputs: { name: string; rank: number }[];
  nodes: NodeFixture[];
  weights?: Record<string, TensorFixture>;
  /** Further fields of the graph and of the model, already written: for what only hostile models hold. */
  inGraph?: readonly Uint8Array[];
  inModel?: readonly Uint8Array[];
}
export type TensorFixture =
  | { dims: number[]; floats: Float32Array }
  | { dims: number[]; whole: number[] }
  /** Bytes of a file: `location` is relative to the working directory of the process that loads the model. */
  | { dims: number[]; location: string; offset?: number };

export function buildModel(fixture: ModelFixture): Uint8Array {
  const { input, outputs, nodes, weights = {}, inGraph = [], inModel = [] } = fixture;
  const graph = concatBytes([
    ...nodes.map((node) => encodeField(1, encodeNode(node))),
    encodeField(2, encodeText("made")),
    ...Object.entries(weights).map(([name, weight]) => encodeField(5, encodeTensor(name, weight))),
    encodeField(11, encodeValueInfo("in", input)),
    ...outputs.map(({ name, rank }) =>
      encodeField(
        12,
        encodeValueInfo(
          name,
          Array<string>(rank)
            .fill("")
            .map((_, fieldNumber) => `${name}${fieldNumber}`),
        ),
      ),
    ),
    ...inGraph,
  ]);
  return concatBytes([
    encodeNumber(1, 8),
    encodeField(8, concatBytes([encodeField(1, encodeText("")), encodeNumber(2, 13)])),
    encodeField(7, graph),
    ...inModel,
  ]);
}

export function encodeNode({ op, domain, inputs, outputs, attributes = {}, inNode = [] }: NodeFixture): Uint8Array {
  return concatBytes([
    ...inputs.map((name) => encodeField(1, encodeText(name))),
    ...outputs.map((name) => encodeField(2, encodeText(name))),
    encodeField(4, encodeText(op)),
    ...(domain === undefined ? [] : [encodeField(7, encodeText(domain))]),
    ...Object.entries(attributes).map(([name, value]) => encodeField(5, encodeAttribute(name, value))),
    ...inNode,
  ]);
}

function encodeAttribute(name: string, value: NonNullable<NodeFixture["attributes"]>[string]): Uint8Array {
  const head = encodeField(1, encodeText(name));
  if (typeof value === "number") return concatBytes([head, encodeNumber(3, value), encodeNumber(20, 2)]);
  if (Array.isArray(value))
    return concatBytes([head, ...value.map((one) => encodeNumber(8, one)), encodeNumber(20, 7)]);
  return concatBytes([head, encodeField(5, encodeTensor("", value)), encodeNumber(20, 4)]);
}

export function encodeTensor(name: string, weight: TensorFixture): Uint8Array {
  if ("location" in weight) return encodeExternalTensor(name, weight);
  const isWhole = "whole" in weight;
  const data = isWhole ? new BigInt64Array(weight.whole.map(BigInt)) : weight.floats;
  const raw = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return concatBytes([
    ...weight.dims.map((length) => encodeNumber(1, length)),
    encodeNumber(2, isWhole ? 7 : 1),
    encodeField(8, encodeText(name)),
    encodeField(9, raw),
  ]);
}

function encodeExternalTensor(
  name: string,
  { dims, location, offset = 0 }: Extract<TensorFixture, { location: string }>,
): Uint8Array {
  const length = dims.reduce((product, one) => product * one, 1);
  const entries = { location, offset: String(offset), length: String(length) };
  return concatBytes([
    ...dims.map((one) => encodeNumber(1, one)),
    encodeNumber(2, 2),
    encodeField(8, encodeText(name)),
    ...Object.entries(entries).map(([key, value]) =>
      encodeField(13, concatBytes([encodeField(1, encodeText(key)), encodeField(2, encodeText(value))])),
    ),
    encodeNumber(14, 1),
  ]);
}

function encodeValueInfo(name: string, dims: (number | string)[]): Uint8Array {
  const shape = concatBytes(
    dims.map((length) =>
      encodeField(1, typeof length === "number" ? encodeNumber(1, length) : encodeField(2, encodeText(length))),
    ),
  );
  const tensor = concatBytes([encodeNumber(1, 1), encodeField(2, shape)]);
  return concatBytes([encodeField(1, encodeText(name)), encodeField(2, encodeField(1, tensor))]);
}

export const encodeText = (words: string): Uint8Array => new TextEncoder().encode(words);
export const encodeNumber = (fieldNumber: number, value: number): Uint8Array =>
  concatBytes([encodeVarint(fieldNumber << 3), encodeVarint(value)]);
export const encodeField = (fieldNumber: number, bytes: Uint8Array): Uint8Array =>
  concatBytes([encodeVarint((fieldNumber << 3) | 2), encodeVarint(bytes.length), bytes]);
export const concatBytes = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

function encodeVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return Uint8Array.from([...bytes, left]);
}
