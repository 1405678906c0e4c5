import { describe, expect, it } from "vitest";
import { EngineFault } from "@arcada/analysis/engine";
import {
  encodeField,
  concatBytes,
  buildModel,
  encodeNode,
  encodeNumber,
  encodeTensor,
  encodeText,
  type ModelFixture,
} from "@arcada/testing/analysis/onnx-model";
import { requireHarmlessModel, modelLimits } from "./onnx-model-guard.ts";

const relu: ModelFixture = {
  input: [1, 1, 32, 64],
  outputs: [{ name: "map", rank: 4 }],
  nodes: [{ op: "Relu", inputs: ["in"], outputs: ["map"] }],
};
const buildGraph = (more: Partial<ModelFixture> = {}): Uint8Array => buildModel({ ...relu, ...more });
const nodeWithField = (bytes: Uint8Array): Uint8Array =>
  buildGraph({ nodes: [...relu.nodes, { op: "Constant", inputs: [], outputs: ["c"], inNode: [bytes] }] });
const attribute = (...fields: Uint8Array[]): Uint8Array =>
  encodeField(5, concatBytes([encodeField(1, encodeText("value")), ...fields]));
const entry = (key: string, value: string): Uint8Array =>
  concatBytes([encodeField(1, encodeText(key)), encodeField(2, encodeText(value))]);

/** A tensor with both fields that declare external data: its values are in a file. */
const externalTensor = encodeTensor("w", { dims: [8], location: "README.md" });
const fieldInside = encodeTensor("w", { dims: [1], floats: new Float32Array([1]) });
const graph = (...fields: Uint8Array[]): Uint8Array => concatBytes([encodeField(2, encodeText("g")), ...fields]);
const holder = graph(encodeField(5, externalTensor));
const constant = encodeNode({
  op: "Constant",
  inputs: [],
  outputs: ["c"],
  inNode: [attribute(encodeField(5, externalTensor))],
});
const nested = (levels: number, innermost: Uint8Array): Uint8Array => {
  let bytes = innermost;
  for (let level = 0; level < levels; level++)
    bytes = graph(
      encodeField(
        1,
        encodeNode({ op: "If", inputs: ["c"], outputs: ["o"], inNode: [attribute(encodeField(6, bytes))] }),
      ),
    );
  return bytes;
};
const functionOf = (...fields: Uint8Array[]): Uint8Array =>
  encodeField(25, concatBytes([encodeField(1, encodeText("Own")), encodeField(10, encodeText("acme.own")), ...fields]));
const refusalReason = (model: Uint8Array): string | null => {
  try {
    requireHarmlessModel(model);
    return null;
  } catch (error) {
    if (error instanceof EngineFault) return error.reason;
    throw error;
  }
};

describe("a model that would make the runtime read files", () => {
  it.each<[string, Uint8Array]>([
    ["an initializer", buildGraph({ inGraph: [encodeField(5, externalTensor)] })],
    [
      "entries without the mark",
      buildGraph({ inGraph: [encodeField(5, concatBytes([fieldInside, encodeField(13, entry("location", "a"))]))] }),
    ],
    [
      "the mark without entries",
      buildGraph({ inGraph: [encodeField(5, concatBytes([fieldInside, encodeNumber(14, 1)]))] }),
    ],
    [
      "a mark of many bytes",
      buildGraph({ inGraph: [encodeField(5, concatBytes([fieldInside, Buffer.from([14 << 3, 0x81, 0x80, 0x00])]))] }),
    ],
    [
      "a mark beyond 32 bits",
      buildGraph({ inGraph: [encodeField(5, concatBytes([fieldInside, encodeNumber(14, 2 ** 32 + 1)]))] }),
    ],
    [
      "a mark that is withdrawn later",
      buildGraph({ inGraph: [encodeField(5, concatBytes([fieldInside, encodeNumber(14, 1), encodeNumber(14, 0)]))] }),
    ],
    [
      "the runtime's own memory",
      buildGraph({ inGraph: [encodeField(5, encodeTensor("w", { dims: [8], location: "*/_ORT_MEM_ADDR_/*" }))] }),
    ],
    [
      "a sparse initializer's values",
      buildGraph({
        inGraph: [encodeField(15, concatBytes([encodeField(1, externalTensor), encodeField(2, fieldInside)]))],
      }),
    ],
    [
      "a sparse initializer's indices",
      buildGraph({
        inGraph: [encodeField(15, concatBytes([encodeField(1, fieldInside), encodeField(2, externalTensor)]))],
      }),
    ],
    ["an attribute's tensor", nodeWithField(attribute(encodeField(5, externalTensor)))],
    ["an attribute's tensors", nodeWithField(attribute(encodeField(10, fieldInside), encodeField(10, externalTensor)))],
    ["an attribute's sparse tensor", nodeWithField(attribute(encodeField(22, encodeField(1, externalTensor))))],
    ["an attribute's sparse tensors", nodeWithField(attribute(encodeField(23, encodeField(2, externalTensor))))],
    ["an attribute's graph", nodeWithField(attribute(encodeField(6, holder)))],
    ["an attribute's graphs", nodeWithField(attribute(encodeField(11, graph()), encodeField(11, holder)))],
    ["a constant in a subgraph", nodeWithField(attribute(encodeField(6, graph(encodeField(1, constant)))))],
    ["subgraphs in subgraphs", nodeWithField(attribute(encodeField(6, nested(8, holder))))],
    ["a function's node", buildGraph({ inModel: [functionOf(encodeField(7, constant))] })],
    [
      "a function's attribute",
      buildGraph({
        inModel: [
          functionOf(encodeField(11, concatBytes([encodeField(1, encodeText("a")), encodeField(5, externalTensor)]))),
        ],
      }),
    ],
    ["a second graph", buildGraph({ inModel: [encodeField(7, holder)] })],
  ])("is refused: %s", (_, model) => expect(refusalReason(model)).toBe("externalData"));
});

describe("a model that brings more than a graph of ONNX", () => {
  const flatBuffer = concatBytes([
    Buffer.from([0x12, 0x20, 0, 0]),
    encodeText("ORTM"),
    Buffer.alloc(0x1e),
    buildGraph(),
  ]);
  it.each<[string, string, Uint8Array]>([
    ["a graph for training", "trainingData", buildGraph({ inModel: [encodeField(20, encodeField(1, holder))] })],
    [
      "a binding for training",
      "trainingData",
      buildGraph({ inModel: [encodeField(20, encodeField(3, entry("a", "b")))] }),
    ],
    [
      "settings of the runtime",
      "settingsInside",
      buildGraph({ inModel: [encodeField(14, entry("ort_config", "{}"))] }),
    ],
    [
      "strings in a tensor",
      "stringTensor",
      buildGraph({ inGraph: [encodeField(5, concatBytes([encodeNumber(2, 8), encodeField(8, encodeText("s"))]))] }),
    ],
    [
      "a string's bytes",
      "stringTensor",
      buildGraph({ inGraph: [encodeField(5, encodeField(6, encodeText("/etc/passwd")))] }),
    ],
    [
      "an operator of a library",
      "operatorForeign",
      buildGraph({ nodes: [{ ...relu.nodes[0], domain: "acme.library" }] }),
    ],
    [
      "an operator of the runtime's maker",
      "operatorForeign",
      buildGraph({ nodes: [{ ...relu.nodes[0], domain: "com.microsoft" }] }),
    ],
    ["a context kept in a file", "operatorForeign", buildGraph({ nodes: [{ ...relu.nodes[0], op: "EPContext" }] })],
    [
      "a domain named twice",
      "operatorForeign",
      nodeWithField(concatBytes([encodeField(7, encodeText("acme")), encodeField(7, encodeText(""))])),
    ],
    [
      "a function in the place of an operator",
      "operatorForeign",
      buildGraph({
        inModel: [
          encodeField(25, concatBytes([encodeField(1, encodeText("Relu")), encodeField(10, encodeText("ai.onnx"))])),
        ],
      }),
    ],
    [
      "a function without a domain",
      "operatorForeign",
      buildGraph({ inModel: [encodeField(25, encodeField(1, encodeText("Relu")))] }),
    ],
    [
      "another format",
      "modelFormat",
      Buffer.concat([Buffer.from([24, 0, 0, 0]), encodeText("ORTM"), Buffer.alloc(64)]),
    ],
    ["another format that reads as ONNX", "modelFormat", flatBuffer],
  ])("is refused: %s (%s)", (_, reason, model) => expect(refusalReason(model)).toBe(reason));
});

describe("bytes that are no model", () => {
  const good = Buffer.from(buildGraph());
  it.each<[string, Uint8Array]>([
    ["text", encodeText("hello")],
    ["zeros", Buffer.alloc(100)],
    ["cut off", good.subarray(0, -3)],
    ["a field that ONNX does not have", buildGraph({ inModel: [encodeNumber(99, 1)] })],
    ["a number as a message", buildGraph({ inModel: [encodeNumber(7, 1)] })],
    ["a group", buildGraph({ inModel: [Buffer.from([(7 << 3) | 3])] })],
    ["a tag in two bytes where one is enough", buildGraph({ inModel: [Buffer.from([(5 << 3) | 0x80, 0x00, 1])] })],
    ["a tag beyond 32 bits", buildGraph({ inModel: [Buffer.from([0x80 | (7 << 3) | 2, 0x80, 0x80, 0x80, 0x10, 0])] })],
    ["a length beyond the file", buildGraph({ inModel: [Buffer.from([(2 << 3) | 2, 0xff, 0xff, 0xff, 0xff, 0x0f])] })],
    [
      "a number without an end",
      buildGraph({ inModel: [Buffer.concat([Buffer.from([5 << 3]), Buffer.alloc(12, 0xff)])] }),
    ],
  ])("are refused: %s", (_, model) => expect(refusalReason(model)).toBe("modelMalformed"));

  it("are refused wherever a good model is cut off or one bit of it is another, or are still a model", () => {
    for (let at = 1; at < good.length; at++) {
      expect([null, "modelMalformed"]).toContain(refusalReason(good.subarray(0, at)));
      const turned = Buffer.from(good);
      turned[at] ^= 1 << (at % 8);
      refusalReason(turned);
    }
  });
});

describe("a model that is too much", () => {
  it("is refused when its subgraphs are deeper than any need, without a stack that grows with them", () => {
    const levels = Math.floor(modelLimits.depth / 3) - 2;
    expect(refusalReason(nodeWithField(attribute(encodeField(6, nested(levels - 1, graph())))))).toBeNull();
    expect(refusalReason(nodeWithField(attribute(encodeField(6, nested(levels + 4, graph())))))).toBe(
      "modelTooComplex",
    );
    expect(refusalReason(nodeWithField(attribute(encodeField(6, nested(2000, graph())))))).toBe("modelTooComplex");
  });

  it.each<[string, Uint8Array]>([
    ["100,000 initializers", concatBytes(Array<Uint8Array>(100_000).fill(encodeField(5, fieldInside)))],
    ["100,000 nodes", concatBytes(Array<Uint8Array>(100_000).fill(encodeField(1, encodeField(4, encodeText("Relu")))))],
    ["a million entries", concatBytes(Array<Uint8Array>(1_000_000).fill(encodeField(16, new Uint8Array())))],
  ])("is refused: %s", (_, bytes) => expect(refusalReason(buildGraph({ inGraph: [bytes] }))).toBe("modelTooComplex"));

  it("is passed over by lengths where it is only large", () => {
    const large = buildGraph({
      inGraph: [
        encodeField(
          5,
          concatBytes([
            encodeNumber(1, 64 << 20),
            encodeNumber(2, 2),
            encodeField(8, encodeText("w")),
            encodeField(9, Buffer.alloc(64 << 20)),
          ]),
        ),
      ],
    });
    const before = process.cpuUsage();
    expect(refusalReason(large)).toBeNull();
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });
});

describe("a model of ONNX alone", () => {
  it.each<[string, Uint8Array]>([
    ["a graph", buildGraph()],
    ["metadata of its maker", buildGraph({ inModel: [encodeField(14, entry("names", "{0: 'tooth'}"))] })],
    ["operators for trees", buildGraph({ nodes: [{ ...relu.nodes[0], domain: "ai.onnx.ml" }] })],
    [
      "a function of its own",
      buildGraph({ nodes: [{ ...relu.nodes[0], domain: "acme.own" }], inModel: [functionOf()] }),
    ],
    ["a subgraph", nodeWithField(attribute(encodeField(6, graph(encodeField(5, fieldInside)))))],
    [
      "the mark that says here",
      buildGraph({ inGraph: [encodeField(5, concatBytes([fieldInside, encodeNumber(14, 0)]))] }),
    ],
  ])("is let through: %s", (_, model) => expect(refusalReason(model)).toBeNull());
});
