import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vite";

/**
 * A browser validates what it sends and never writes JSON Schema, never parses data that contain themselves (zod
 * treats its memory of them as optional), never prints zod's own English messages (each issue becomes a text of ours)
 * and knows no formats but those of the contract: a tenth of the sign-in page.
 */
export function slimZod(): Plugin {
  return {
    name: "arcada-slim-zod",
    apply: "build",
    transform(code, id) {
      if (/[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|memoizer|to-json-schema)\.js$/.test(id))
        return emptyFunctions(code);
      if (/[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/.test(id))
        return { code: "export default () => ({ localeError: () => undefined });", map: null };
      if (/[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/.test(id))
        return { code: code.replaceAll(stringFormatMethods, ""), map: null };
      if (isOurs(id) && stringFormatUse.test(code))
        this.error("Write z.email() and the like: the methods of z.string() are not part of the web application.");
      return null;
    },
  };
}

function emptyFunctions(code: string) {
  const names = [...code.matchAll(/^export (?:const|function|\{ \w+ as) (\w+)/gm)].map(([, name]) => name);
  return { code: names.map((name) => `export const ${name} = () => {};`).join("\n"), map: null };
}

/** `email(params) { return this.check(core._email(ZodEmail, params)); }`: each keeps the class of a format alive. */
const stringFormatMethods =
  /^ {4}\w+\(params\) \{\n {8}return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},\n/gm;
const stringFormatUse =
  /\bz\.string\([^()]*\)(?:\.\w+\([^()]*\))*\.(?:email|url|jwt|emoji|[gu]uid\w*|nanoid|cuid2?|ulid|base64\w*|xid|ksuid|ipv[46]|cidrv[46]|e164|datetime|date|time|duration)\(/;
const isOurs = (id: string): boolean => /[\\/](apps[\\/]web|packages[\\/]\w+)[\\/]src[\\/]/.test(id);

/**
 * Leaves out the parts of Mantine's components that nobody uses. `Menu.Sub = MenuSub` keeps a submenu alive in every
 * build that has a menu. An assignment stays if any source of ours or of Mantine names the part.
 */
export function slimMantine(): Plugin {
  let usedParts: ReadonlySet<string> | undefined;
  return {
    name: "arcada-slim-mantine",
    apply: "build",
    transform(code, id) {
      if (isOurs(id) && mantineAlias.test(code))
        this.error("Import Mantine's components by their own names: the build goes by `Menu.Item` and the like.");
      if (!/[\\/]@mantine[\\/]core[\\/]esm[\\/]components[\\/].*\.mjs$/.test(id)) return null;
      const used = (usedParts ??= findUsedParts(id.replace(/([\\/]esm[\\/]).*$/, "$1")));
      const slim = code.replaceAll(partAssignment, (line, part: string) => (used.has(part) ? line : ""));
      return slim === code ? null : { code: slim, map: null };
    },
  };
}

const partAssignment = /^([A-Z]\w+\.[A-Z]\w+) = [A-Z]\w+;$/gm;
const mantineAlias = /import \{[^}]*\bas\b[^}]*\} from "@mantine\/core"/;

function findUsedParts(library: string): ReadonlySet<string> {
  // Error messages and warnings of the library name parts without using them.
  const libraryCode = readSources(library, /\.mjs$/).map((code) =>
    code.replaceAll(partAssignment, "").replaceAll(/"[^"\n]*"|`[^`]*`/g, ""),
  );
  const code = [...libraryCode, ...readSources(path.join(import.meta.dirname, "src"), /\.tsx?$/)];
  return new Set(code.flatMap((text) => [...text.matchAll(/\b[A-Z]\w+\.[A-Z]\w+\b/g)].map(([part]) => part)));
}

const readSources = (folder: string, kind: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => kind.test(file))
    .map((file) => readFileSync(path.join(folder, file), "utf8"));

/** The name of zod in the contract's modules. The build goes by names, and any library may have a function `z`. */
export const contractZod = "arcadaContractZod";

/**
 * Leaves out what a browser never reads of the contract. The server checks its answers, OpenAPI prints the summaries, and
 * tests read what a screen needs. Schemas that only an answer uses disappear with them.
 */
export function slimContract(): Plugin {
  return {
    name: "arcada-slim-contract",
    apply: "build",
    transform(code, id) {
      if (!/[\\/]contract[\\/]src[\\/].*\.ts$/.test(id)) return null;
      // A browser tells refusals apart by their code and has the status from the response.
      if (/[\\/]kernel[\\/]refusals\.ts$/.test(id)) return { code: code.replaceAll(/\bstatus: \d+,?/g, ""), map: null };
      if (/[\\/]screens\.ts$/.test(id)) return { code: code.replaceAll(/\bneeds: \[[^\]]*\],?/g, ""), map: null };
      if (!/from\s*"zod"/.test(code)) return null;
      return { code: applyEdits(code, findContractEdits(this.parse(code))), map: null };
    },
  };
}

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [part: string]: unknown;
}
interface Edit {
  start: number;
  end: number;
  text: string;
}

function findContractEdits(root: unknown): Edit[] {
  const nodes = listNodes(root);
  const unread = nodes.filter(isCallRow).flatMap(({ arguments: [row] }) => findUnreadProperties(row));
  const zodNames = nodes.flatMap((node) => findZodName(node));
  // Names within an answer's schema go with it.
  return [...unread, ...zodNames.filter(({ start }) => !unread.some((cut) => cut.start <= start && start < cut.end))];
}

function listNodes(node: unknown): SyntaxNode[] {
  if (typeof node !== "object" || node === null) return [];
  const below = Object.values(node).flatMap(listNodes);
  return typeof (node as SyntaxNode).type === "string" ? [node as SyntaxNode, ...below] : below;
}

const nameOf = (node: unknown): unknown => (node as { name?: unknown } | undefined)?.name;
const isCallRow = (node: SyntaxNode): node is SyntaxNode & { arguments: unknown[] } =>
  node.type === "CallExpression" && nameOf(node["callee"]) === "call";

function findUnreadProperties(row: unknown): Edit[] {
  const { properties = [] } = row as { properties?: SyntaxNode[] };
  return properties.flatMap(({ start, end, key }) =>
    nameOf(key) === "summary" || nameOf(key) === "output"
      ? [{ start, end, text: `${String(nameOf(key))}: undefined` }]
      : [],
  );
}

/** The `z` of the import from zod, and that of `z.object`. */
function findZodName(node: SyntaxNode): Edit[] {
  if (node.type === "ImportSpecifier" && nameOf(node["imported"]) === "z")
    return [{ start: node.start, end: node.end, text: `z as ${contractZod}` }];
  if (node.type !== "MemberExpression" || nameOf(node["object"]) !== "z") return [];
  const { start, end } = node["object"] as SyntaxNode;
  return [{ start, end, text: contractZod }];
}

/** From the end, so that the places before an edit stay right. */
const applyEdits = (code: string, edits: Edit[]): string =>
  edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code);
