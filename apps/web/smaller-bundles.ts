import type { Plugin } from "vite";

/**
 * A browser validates what it sends and never writes JSON Schema, never prints zod's own English messages (each issue
 * becomes a text of ours) and knows no formats but those of the contract: a tenth of the sign-in page.
 */
export function slimZod(): Plugin {
  return {
    name: "arcada-slim-zod",
    apply: "build",
    transform(code, id) {
      if (/[\\/]zod[\\/]v4[\\/]core[\\/](json-schema-processors|to-json-schema)\.js$/.test(id))
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

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
}
interface CallNode extends SyntaxNode {
  callee: SyntaxNode & { name?: string };
  arguments: (SyntaxNode & { properties?: (SyntaxNode & { key?: { name?: string } })[] })[];
}

/**
 * The server checks its answers, and OpenAPI prints the summaries: a browser needs neither. Schemas that only an answer
 * uses disappear with them.
 */
export function dropAnswerSchemas(): Plugin {
  return {
    name: "arcada-calls-without-answers",
    apply: "build",
    transform(code, id) {
      // A browser tells refusals apart by their code and has the status from the response.
      if (/[\\/]contract[\\/]src[\\/]kernel[\\/]refusals\.ts$/.test(id))
        return { code: code.replaceAll(/\bstatus: \d+,?/g, ""), map: null };
      // The calls that a screen needs are read by tests alone.
      if (/[\\/]contract[\\/]src[\\/]screens\.ts$/.test(id))
        return { code: code.replaceAll(/\bneeds: \[[^\]]*\],?/g, ""), map: null };
      if (!/[\\/]contract[\\/]src[\\/].*\.calls\.ts$/.test(id)) return null;
      let slimmed = code;
      // From the end, so that the places before a cut stay right.
      for (const { start, end, name } of findUnusedProperties(this.parse(code)).toReversed())
        slimmed = `${slimmed.slice(0, start)}${name}: undefined${slimmed.slice(end)}`;
      return { code: slimmed, map: null };
    },
  };
}

function findUnusedProperties(root: unknown): { start: number; end: number; name: string }[] {
  return findCalls(root)
    .filter(({ callee }) => callee.name === "call")
    .flatMap(({ arguments: [row] }) => row?.properties ?? [])
    .flatMap(({ start, end, key }) =>
      key?.name === "summary" || key?.name === "output" ? [{ start, end, name: key.name }] : [],
    );
}

function findCalls(node: unknown): CallNode[] {
  if (typeof node !== "object" || node === null) return [];
  const below = Object.values(node).flatMap(findCalls);
  return (node as SyntaxNode).type === "CallExpression" ? [node as CallNode, ...below] : below;
}
