import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
type Node = string | { [key: string]: Node };

describe("the interface texts", () => {
  it("are all shown somewhere: a key that no source names is deleted", () => {
    const uses = findUses();
    const isUsed = (key: string) => uses.keys.has(key) || uses.patterns.some((pattern) => pattern.test(key));
    expect(listKeys().filter((key) => !isUsed(key) && !readAsWhole.has(key.split(".")[0] ?? ""))).toEqual([]);
  });

  it("are found in a full key, a key with a part to fill, and a short key beside the name of its file", () => {
    const source = [
      't("order.title")',
      "t(`order.state.${state}.text`)",
      'translatorOf(language, "letter")("code.body")',
    ];
    const { keys, patterns } = collectUses([source.join("\n")]);
    expect([...keys]).toEqual(expect.arrayContaining(["order.title", "letter.code.body"]));
    const isMatched = (key: string) => patterns.some((pattern) => pattern.test(key));
    expect(["order.state.draft.text", "order.state.draft", "order.stated"].map(isMatched)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

/** The legal documents are lists of sections, which the pages show one after the other. */
const readAsWhole = new Set(["legal"]);

interface Uses {
  keys: Set<string>;
  patterns: RegExp[];
}

/** The sources of one slice are read together, because a short key may stand in another file than its translator. */
function findUses(): Uses {
  const slices = ["apps/server/src", "apps/web/src", "packages"].flatMap((part) =>
    [...Map.groupBy(listSources(part), (file) => file.slice(part.length + 1).split("/")[0])].map(([, files]) =>
      collectUses(files.map((file) => readFileSync(path.join(root, file), "utf8"))),
    ),
  );
  return {
    keys: new Set(slices.flatMap(({ keys }) => [...keys])),
    patterns: slices.flatMap(({ patterns }) => patterns),
  };
}

function listSources(part: string): string[] {
  return readdirSync(path.join(root, part), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test)\.tsx?$/u.test(file) && !/node_modules|(?:^|\/)dist\//u.test(file))
    .map((file) => `${part}/${file}`);
}

function collectUses(sources: readonly string[]): Uses {
  const files = new Set(sources.flatMap((source) => [...source.matchAll(namedFile)].map((match) => match[1] ?? "")));
  const names = sources.flatMap((source) => [...source.matchAll(quotedName)].map((match) => match[1] ?? ""));
  const templates = sources.flatMap((source) => [...source.matchAll(template)].map(([, text = ""]) => text));
  const shapes = templates.map(blankParts).filter((shape) => /^\w+\.|\.\w/u.test(shape));
  const withFile = (name: string) => [name, ...[...files].map((file) => `${file}.${name}`)];
  return { keys: new Set(names.flatMap(withFile)), patterns: shapes.flatMap(withFile).map(toPattern) };
}

// `translate(language, "letter", key)`, `translatorOf(language, "gateway")`, `KeyIn<"implant">`.
const namedFile = /(?:translate(?:Dynamic)?\(\s*\w+,\s*|translatorOf\([\w.]+,\s*|KeyIn<|TranslateIn<)"(\w+)"/gu;
// A lookahead, because a template may stand inside another.
const template = /(?=`([^`\s]*\$\{[^`]*)`)/gu;
const quotedName = /["'`]([A-Za-z]\w*(?:\.[\w-]+)*)["'`]/gu;

/** Replaces each `${…}` of a template by one character that no key has. */
function blankParts(template: string): string {
  let depth = 0;
  let shape = "";
  for (const [at, character] of [...template].entries()) {
    if (character === "{" && (depth > 0 || template[at - 1] === "$")) depth += 1;
    else if (character === "}" && depth > 0) depth -= 1;
    else if (depth === 0) shape += character === "$" && template[at + 1] === "{" ? "*" : character;
  }
  return shape;
}

const toPattern = (shape: string): RegExp =>
  new RegExp(
    `^${shape
      .split("*")
      .map((part) => RegExp.escape(part))
      .join(String.raw`[\w.-]+`)}$`,
    "u",
  );

function listKeys(): string[] {
  const folder = path.join(root, "packages/texts/en");
  return readdirSync(folder).flatMap((file) => {
    const texts = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Node;
    return [...new Set(listLeaves(texts, path.basename(file, ".json")))];
  });
}

function listLeaves(node: Node, at: string): string[] {
  if (typeof node === "string") return [at.replace(/_(?:zero|one|two|few|many|other)$/u, "")];
  return Object.entries(node).flatMap(([key, child]) => listLeaves(child, `${at}.${key}`));
}
