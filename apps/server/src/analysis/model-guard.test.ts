import { describe, expect, it } from "vitest";
import { EngineFault } from "@arcada/analysis/engine";
import { field, joined, madeModel, nodeBytes, number, tensorBytes, text, type MadeModel } from "./made-model.ts";
import { demandHarmless, modelLimits } from "./model-guard.ts";

const relu: MadeModel = {
  input: [1, 1, 32, 64],
  outputs: [{ name: "map", rank: 4 }],
  nodes: [{ op: "Relu", inputs: ["in"], outputs: ["map"] }],
};
const made = (more: Partial<MadeModel> = {}): Uint8Array => madeModel({ ...relu, ...more });
const inNode = (bytes: Uint8Array): Uint8Array =>
  made({ nodes: [...relu.nodes, { op: "Constant", inputs: [], outputs: ["c"], inNode: [bytes] }] });
const attribute = (...fields: Uint8Array[]): Uint8Array => field(5, joined([field(1, text("value")), ...fields]));
const entry = (key: string, value: string): Uint8Array => joined([field(1, text(key)), field(2, text(value))]);

/** Both marks of a tensor whose values lie in a file. */
const outside = tensorBytes("w", { dims: [8], location: "README.md" });
const inside = tensorBytes("w", { dims: [1], floats: new Float32Array([1]) });
const graph = (...fields: Uint8Array[]): Uint8Array => joined([field(2, text("g")), ...fields]);
const holder = graph(field(5, outside));
const constant = nodeBytes({ op: "Constant", inputs: [], outputs: ["c"], inNode: [attribute(field(5, outside))] });
const nested = (levels: number, innermost: Uint8Array): Uint8Array => {
  let bytes = innermost;
  for (let level = 0; level < levels; level++)
    bytes = graph(
      field(1, nodeBytes({ op: "If", inputs: ["c"], outputs: ["o"], inNode: [attribute(field(6, bytes))] })),
    );
  return bytes;
};
const functionOf = (...fields: Uint8Array[]): Uint8Array =>
  field(25, joined([field(1, text("Own")), field(10, text("acme.own")), ...fields]));
const reasonOf = (model: Uint8Array): string | null => {
  try {
    demandHarmless(model);
    return null;
  } catch (error) {
    if (error instanceof EngineFault) return error.reason;
    throw error;
  }
};

describe("a model that would make the runtime read files", () => {
  it.each<[string, Uint8Array]>([
    ["an initializer", made({ inGraph: [field(5, outside)] })],
    ["entries without the mark", made({ inGraph: [field(5, joined([inside, field(13, entry("location", "a"))]))] })],
    ["the mark without entries", made({ inGraph: [field(5, joined([inside, number(14, 1)]))] })],
    ["a mark of many bytes", made({ inGraph: [field(5, joined([inside, Buffer.from([14 << 3, 0x81, 0x80, 0x00])]))] })],
    ["a mark beyond 32 bits", made({ inGraph: [field(5, joined([inside, number(14, 2 ** 32 + 1)]))] })],
    ["a mark that is withdrawn later", made({ inGraph: [field(5, joined([inside, number(14, 1), number(14, 0)]))] })],
    [
      "the runtime's own memory",
      made({ inGraph: [field(5, tensorBytes("w", { dims: [8], location: "*/_ORT_MEM_ADDR_/*" }))] }),
    ],
    ["a sparse initializer's values", made({ inGraph: [field(15, joined([field(1, outside), field(2, inside)]))] })],
    ["a sparse initializer's indices", made({ inGraph: [field(15, joined([field(1, inside), field(2, outside)]))] })],
    ["an attribute's tensor", inNode(attribute(field(5, outside)))],
    ["an attribute's tensors", inNode(attribute(field(10, inside), field(10, outside)))],
    ["an attribute's sparse tensor", inNode(attribute(field(22, field(1, outside))))],
    ["an attribute's sparse tensors", inNode(attribute(field(23, field(2, outside))))],
    ["an attribute's graph", inNode(attribute(field(6, holder)))],
    ["an attribute's graphs", inNode(attribute(field(11, graph()), field(11, holder)))],
    ["a constant in a subgraph", inNode(attribute(field(6, graph(field(1, constant)))))],
    ["subgraphs in subgraphs", inNode(attribute(field(6, nested(8, holder))))],
    ["a function's node", made({ inModel: [functionOf(field(7, constant))] })],
    [
      "a function's attribute",
      made({ inModel: [functionOf(field(11, joined([field(1, text("a")), field(5, outside)])))] }),
    ],
    ["a second graph", made({ inModel: [field(7, holder)] })],
  ])("is refused: %s", (_, model) => expect(reasonOf(model)).toBe("externalData"));
});

describe("a model that brings more than a graph of ONNX", () => {
  const flatBuffer = joined([Buffer.from([0x12, 0x20, 0, 0]), text("ORTM"), Buffer.alloc(0x1e), made()]);
  it.each<[string, string, Uint8Array]>([
    ["a graph for training", "trainingData", made({ inModel: [field(20, field(1, holder))] })],
    ["a binding for training", "trainingData", made({ inModel: [field(20, field(3, entry("a", "b")))] })],
    ["settings of the runtime", "settingsInside", made({ inModel: [field(14, entry("ort_config", "{}"))] })],
    ["strings in a tensor", "stringTensor", made({ inGraph: [field(5, joined([number(2, 8), field(8, text("s"))]))] })],
    ["a string's bytes", "stringTensor", made({ inGraph: [field(5, field(6, text("/etc/passwd")))] })],
    ["an operator of a library", "operatorForeign", made({ nodes: [{ ...relu.nodes[0]!, domain: "acme.library" }] })],
    [
      "an operator of the runtime's maker",
      "operatorForeign",
      made({ nodes: [{ ...relu.nodes[0]!, domain: "com.microsoft" }] }),
    ],
    ["a context kept in a file", "operatorForeign", made({ nodes: [{ ...relu.nodes[0]!, op: "EPContext" }] })],
    ["a domain named twice", "operatorForeign", inNode(joined([field(7, text("acme")), field(7, text(""))]))],
    [
      "a function in the place of an operator",
      "operatorForeign",
      made({ inModel: [field(25, joined([field(1, text("Relu")), field(10, text("ai.onnx"))]))] }),
    ],
    ["a function without a domain", "operatorForeign", made({ inModel: [field(25, field(1, text("Relu")))] })],
    ["another format", "modelFormat", Buffer.concat([Buffer.from([24, 0, 0, 0]), text("ORTM"), Buffer.alloc(64)])],
    ["another format that reads as ONNX", "modelFormat", flatBuffer],
  ])("is refused: %s (%s)", (_, reason, model) => expect(reasonOf(model)).toBe(reason));
});

describe("bytes that are no model", () => {
  const good = Buffer.from(made());
  it.each<[string, Uint8Array]>([
    ["text", text("hello")],
    ["zeros", Buffer.alloc(100)],
    ["cut off", good.subarray(0, -3)],
    ["a field that ONNX does not have", made({ inModel: [number(99, 1)] })],
    ["a number as a message", made({ inModel: [number(7, 1)] })],
    ["a group", made({ inModel: [Buffer.from([(7 << 3) | 3])] })],
    ["a tag in two bytes where one is enough", made({ inModel: [Buffer.from([(5 << 3) | 0x80, 0x00, 1])] })],
    ["a tag beyond 32 bits", made({ inModel: [Buffer.from([0x80 | (7 << 3) | 2, 0x80, 0x80, 0x80, 0x10, 0])] })],
    ["a length beyond the file", made({ inModel: [Buffer.from([(2 << 3) | 2, 0xff, 0xff, 0xff, 0xff, 0x0f])] })],
    ["a number without an end", made({ inModel: [Buffer.concat([Buffer.from([5 << 3]), Buffer.alloc(12, 0xff)])] })],
  ])("are refused: %s", (_, model) => expect(reasonOf(model)).toBe("modelMalformed"));

  it("are refused wherever a good model is cut off or one bit of it is another, or are still a model", () => {
    for (let at = 1; at < good.length; at++) {
      expect([null, "modelMalformed"]).toContain(reasonOf(good.subarray(0, at)));
      const turned = Buffer.from(good);
      turned[at]! ^= 1 << (at % 8);
      reasonOf(turned);
    }
  });
});

describe("a model that is too much", () => {
  it("is refused when its subgraphs are deeper than any need, without a stack that grows with them", () => {
    const levels = Math.floor(modelLimits.depth / 3) - 2;
    expect(reasonOf(inNode(attribute(field(6, nested(levels - 1, graph())))))).toBeNull();
    expect(reasonOf(inNode(attribute(field(6, nested(levels + 4, graph())))))).toBe("modelTooComplex");
    expect(reasonOf(inNode(attribute(field(6, nested(2000, graph())))))).toBe("modelTooComplex");
  });

  it.each<[string, Uint8Array]>([
    ["100,000 initializers", joined(Array<Uint8Array>(100_000).fill(field(5, inside)))],
    ["100,000 nodes", joined(Array<Uint8Array>(100_000).fill(field(1, field(4, text("Relu")))))],
    ["a million entries", joined(Array<Uint8Array>(1_000_000).fill(field(16, new Uint8Array())))],
  ])("is refused: %s", (_, bytes) => expect(reasonOf(made({ inGraph: [bytes] }))).toBe("modelTooComplex"));

  it("is passed over by lengths where it is only large", () => {
    const large = made({
      inGraph: [
        field(5, joined([number(1, 64 << 20), number(2, 2), field(8, text("w")), field(9, Buffer.alloc(64 << 20))])),
      ],
    });
    const before = process.cpuUsage();
    expect(reasonOf(large)).toBeNull();
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });
});

describe("a model of ONNX alone", () => {
  it.each<[string, Uint8Array]>([
    ["a graph", made()],
    ["metadata of its maker", made({ inModel: [field(14, entry("names", "{0: 'tooth'}"))] })],
    ["operators for trees", made({ nodes: [{ ...relu.nodes[0]!, domain: "ai.onnx.ml" }] })],
    ["a function of its own", made({ nodes: [{ ...relu.nodes[0]!, domain: "acme.own" }], inModel: [functionOf()] })],
    ["a subgraph", inNode(attribute(field(6, graph(field(5, inside)))))],
    ["the mark that says here", made({ inGraph: [field(5, joined([inside, number(14, 0)]))] })],
  ])("is let through: %s", (_, model) => expect(reasonOf(model)).toBeNull());
});
