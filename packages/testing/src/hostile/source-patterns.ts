import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";

/** A regular expression of the sources, and its location. */
export interface SourcePattern {
  file: string;
  line: number;
  source: string;
  flags: string;
}
const root = path.join(import.meta.dirname, "../../../..");
/** The folders with patterns that are applied to texts of other users. */
const sourceFolders = [
  "apps/server/src",
  "apps/web/src",
  "packages/contract/src",
  "packages/imaging/src",
  "packages/analysis/src",
  "packages/exchange/src",
];

/**
 * Returns every regular expression of the sources; `dynamicPatterns` names those whose text is not known before the
 * program runs.
 */
export function readSourcePatterns(): { patterns: SourcePattern[]; dynamicPatterns: string[] } {
  const found = sourceFiles().map((file) => findPatterns(file, readFileSync(path.join(root, file), "utf8")));
  return {
    patterns: found.flatMap(({ patterns }) => patterns),
    dynamicPatterns: found.flatMap(({ dynamicPatterns: unseen }) => unseen),
  };
}

const sourceFiles = (): string[] =>
  sourceFolders.flatMap((part) =>
    readdirSync(path.join(root, part), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .map((file) => `${part}/${file}`),
  );

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

/** Returns the patterns of one file: literals, and `RegExp(…)` whose parts are constants of the same file. */
export function findPatterns(file: string, code: string): { patterns: SourcePattern[]; dynamicPatterns: string[] } {
  const { program, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const constants = new Map<string, Node>();
  const constructorCalls: Node[] = [];
  const patterns: SourcePattern[] = [];
  const lineAt = (start: number): number => code.slice(0, start).split("\n").length;
  const collect = (node: unknown): void => {
    const call = node as Node & { callee: Node };
    if (call.callee.type === "Identifier" && call.callee.name === "RegExp") constructorCalls.push(call);
  };
  new Visitor({
    Literal(node) {
      if ("regex" in node)
        patterns.push({ file, line: lineAt(node.start), source: node.regex.pattern, flags: node.regex.flags });
    },
    VariableDeclarator(node) {
      if (node.id.type === "Identifier" && node.init) constants.set(node.id.name, node.init as unknown as Node);
    },
    NewExpression: collect,
    CallExpression: collect,
  }).visit(program);
  const unseen: string[] = [];
  for (const node of constructorCalls) {
    const [source, flags] = (node.arguments as Node[]).map((part) => constantText(part, constants));
    if (source === undefined) unseen.push(`${file}:${lineAt(node.start)}`);
    else patterns.push({ file, line: lineAt(node.start), source, flags: flags ?? "" });
  }
  return { patterns, dynamicPatterns: unseen };
}

/** A constant text: a literal, a template or String.raw of constants, their sum, or the source of a literal pattern. */
function constantText(node: Node, constants: Map<string, Node>): string | undefined {
  const all = (nodes: Node[]): string[] | undefined => {
    const texts = nodes.map((one) => constantText(one, constants));
    return texts.every((text) => text !== undefined) ? texts : undefined;
  };
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "Identifier") {
    const known = constants.get(node.name as string);
    return known && constantText(known, constants);
  }
  if (node.type === "BinaryExpression" && node.operator === "+")
    return all([node.left as Node, node.right as Node])?.join("");
  const isRaw = node.type === "TaggedTemplateExpression";
  if (!isRaw && node.type !== "TemplateLiteral") return undefined;
  const template = (isRaw ? node.quasi : node) as {
    quasis: { value: Record<"raw" | "cooked", string> }[];
    expressions: Node[];
  };
  const values = all(template.expressions);
  return (
    values && template.quasis.map(({ value }, at) => value[isRaw ? "raw" : "cooked"] + (values[at] ?? "")).join("")
  );
}
