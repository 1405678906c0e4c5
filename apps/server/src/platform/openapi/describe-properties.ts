import { findPropertyWords } from "@arcada/contract/http-api/find-property-words";
import type { Json } from "./schema-components.ts";

/**
 * Writes the words of the contract into the schema of a call's input: a description and an example for each property.
 * A named schema that several calls use is described once, by the words of the first.
 */
export function describeProperties(callName: string, root: Json, definitions: Record<string, Json>): void {
  const open = new Set<string>();
  const walk = (schema: unknown, path: readonly string[]): void => {
    if (Array.isArray(schema)) return schema.forEach((one) => walk(one, path));
    if (schema === null || typeof schema !== "object") return;
    const { $ref, properties, ...rest } = schema as Json;
    if (typeof $ref === "string") {
      const name = $ref.split("/").at(-1) ?? "";
      if (open.has(name)) return;
      open.add(name);
      walk(definitions[name], path);
      open.delete(name);
    }
    for (const [name, property] of Object.entries((properties ?? {}) as Record<string, Json>)) {
      const words = findPropertyWords(callName, [...path, name]);
      if (words) describe(property, words);
      walk(property, [...path, name]);
    }
    // Alternatives and the items of arrays add nothing to a path.
    for (const one of Object.values(rest)) walk(one, path);
  };
  walk(root, []);
}

function describe(property: Json, { says, example }: { says: string; example?: unknown }): void {
  property["description"] ??= says;
  if (example !== undefined) property["examples"] ??= [example];
}
