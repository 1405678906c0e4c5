import { nameOf, type ClientModel, type Schema } from "./client-calls.ts";

/** Renders the types and routes of the TypeScript client. */
export function renderTypeScript({ version, calls, schemas }: ClientModel): string {
  const types = schemas.map(([name, schema]) => `${comment(schema.description, "")}${declare(name, schema)}\n`);
  const entries = calls.map(
    ({ name, summary, scope, input, output }) =>
      `${comment(`${summary.replace(/\.?$/, ".")} Scope: ${scope}.`, "  ")}  "${name}": { input: ${toType(input)}; output: ${toType(output)} };\n`,
  );
  const routes = calls.map(({ name, method, path }) => `  "${name}": ["${method}", "${path}"],\n`);
  return indent(
    [
      "// Made from the contract by `node scripts/generate-docs.ts`; a test compares them.\n\n",
      `/** The version of the open interface from which this file was made. */\nexport const apiVersion = "${version}";\n\n`,
      types.join("\n"),
      "\n/** The calls that a key of an organisation may make, with what they take and return. */\nexport interface Calls {\n",
      ...entries,
      "}\n\n/** The method and the address of each call. */\nexport const callRoutes = {\n",
      ...routes,
      "} as const satisfies Record<keyof Calls, readonly [method: string, path: string]>;\n",
    ].join(""),
  );
}

/** Indents each line by the braces that are open before it. */
function indent(text: string): string {
  let depth = 0;
  return text
    .split("\n")
    .map((line) => {
      const plain = line.trimStart();
      if (plain.startsWith("}")) depth--;
      const indented = plain === "" ? "" : "  ".repeat(Math.max(depth, 0)) + plain;
      if (plain.endsWith("{")) depth++;
      return indented;
    })
    .join("\n");
}

const comment = (text: string | undefined, indent: string): string =>
  text ? `${indent}/** ${text.replaceAll("*/", "* /")} */\n` : "";

const declare = (name: string, schema: Schema): string =>
  isPlainObject(schema) ? `export interface ${name} ${objectType(schema)}` : `export type ${name} = ${toType(schema)};`;

const isPlainObject = ({ type, properties, anyOf, oneOf, allOf }: Schema): boolean =>
  type === "object" && properties !== undefined && !anyOf && !oneOf && !allOf;

function toType(schema: Schema): string {
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref) return nameOf($ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map((one) => toType(one)))].join(" | ");
  if (allOf) return allOf.map((one) => `(${toType(one)})`).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => toType({ ...schema, type })).join(" | ");
  return valueType(schema);
}

function valueType(schema: Schema): string {
  switch (schema.type) {
    case undefined:
      return "unknown";
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      if (schema.prefixItems) return `[${schema.prefixItems.map((one) => toType(one)).join(", ")}]`;
      return `Array<${schema.items ? toType(schema.items) : "unknown"}>`;
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties ?? {}).map(
    ([name, property]) =>
      `${comment(property.description, "")}${propertyKey(name)}${required.includes(name) ? "" : "?"}: ${toType(property)};`,
  );
  if (typeof additionalProperties === "object") fields.push(`[name: string]: ${toType(additionalProperties)};`);
  return fields.length === 0 ? "Record<string, unknown>" : `{\n${fields.join("\n")}\n}`;
}

const propertyKey = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
