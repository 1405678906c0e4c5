import { z } from "zod";
import { nameSchemas } from "@arcada/contract/http-api/named-schemas";

export type Json = Record<string, unknown>;

/** The schemas of the document's `components`, which grow while the operations refer to them. */
export interface SchemaComponents {
  schemas: Record<string, Json>;
  /**
   * Returns the schema of what a request sends, with references to named schemas. `describe` may write descriptions
   * and examples into the schema; inputs are added before outputs, so that both sides show them.
   */
  addInput(schema: z.ZodType, describe: (schema: Json, definitions: Record<string, Json>) => void): Json;
  /** Returns the schema of what a response contains, with references to named schemas. */
  addOutput(schema: z.ZodType): Json;
  /** Gives a schema a name of its own if it has properties or choices; returns what to write where it is used. */
  name(schema: Json, name: string): Json;
}

/**
 * Turns schemas of the contract into JSON Schema with references. A named schema may accept more than it returns, such
 * as properties with a default: then the request's version has a name of its own that ends in `Input`.
 */
export function createSchemaComponents(): SchemaComponents {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of nameSchemas()) registry.add(schema, { id });
  const render = (schema: z.ZodType, io: "input" | "output"): Rendered => {
    const { $schema, $defs, ...root } = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      metadata: registry as never,
    }) as Json;
    const definitions = Object.entries(($defs ?? {}) as Record<string, Json>);
    return { root, definitions: Object.fromEntries(definitions.map(([name, { id, ...rest }]) => [name, rest])) };
  };
  const outputs = Object.assign(
    {},
    ...[...nameSchemas().keys()].map((schema) => render(schema, "output").definitions),
  ) as Record<string, Json>;
  const schemas: Record<string, Json> = {};
  return {
    schemas,
    addInput(schema, describe) {
      const { root, definitions } = render(schema, "input");
      const differing = findDiffering(definitions, outputs);
      const rename = (name: string): string => (differing.has(name) ? `${name}Input` : name);
      describe(root, definitions);
      for (const [name, one] of Object.entries(definitions))
        schemas[rename(name)] ??= renameReferences(one, rename) as Json;
      return renameReferences(root, rename) as Json;
    },
    addOutput(schema) {
      const { root, definitions } = render(schema, "output");
      const keep = (name: string): string => name;
      for (const [name, one] of Object.entries(definitions)) schemas[name] ??= renameReferences(one, keep) as Json;
      return renameReferences(root, keep) as Json;
    },
    name(schema, name) {
      if (typeof schema["$ref"] === "string" || !isWorthAName(schema)) return schema;
      schemas[name] = schema;
      return { $ref: `#/components/schemas/${name}` };
    },
  };
}

interface Rendered {
  root: Json;
  definitions: Record<string, Json>;
}

/** Returns the names whose request version differs from the response version, itself or in what it refers to. */
function findDiffering(inputs: Record<string, Json>, outputs: Record<string, Json>): Set<string> {
  const differing = new Set(
    Object.keys(inputs).filter((name) => JSON.stringify(inputs[name]) !== JSON.stringify(outputs[name])),
  );
  for (let before = -1; before !== differing.size;) {
    before = differing.size;
    for (const [name, one] of Object.entries(inputs))
      if (listReferences(one).some((other) => differing.has(other))) differing.add(name);
  }
  return differing;
}

const localReference = "#/$defs/";
function listReferences(value: unknown): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, one]) =>
    key === "$ref" && typeof one === "string" ? [one.slice(localReference.length)] : listReferences(one),
  );
}

/** True for objects with properties, lists and choices; a single value is written where it is used. */
const isWorthAName = ({ properties, anyOf, oneOf, items }: Json): boolean =>
  Boolean(anyOf ?? oneOf ?? items) || Object.keys((properties ?? {}) as Json).length > 0;

function renameReferences(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => renameReferences(one, rename));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === "$ref" && typeof one === "string"
        ? `#/components/schemas/${rename(one.slice(localReference.length))}`
        : renameReferences(one, rename),
    ]),
  );
}
