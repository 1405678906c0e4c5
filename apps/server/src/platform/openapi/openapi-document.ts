import { everyCall } from "@arcada/contract/calls";
import { apiVersion } from "@arcada/contract/http-api/api-version";
import { composeExample } from "@arcada/contract/http-api/compose-example";
import { findPropertyWords } from "@arcada/contract/http-api/find-property-words";
import { otherEndpoints } from "@arcada/contract/http-api/other-endpoints";
import type { Endpoint } from "@arcada/contract/http-api/endpoint";
import { findScope } from "@arcada/contract/integrations/api-key-scopes";
import type { Call } from "@arcada/contract/kernel/call";
import { buildRefusalResponses, refusalSchema } from "./refusal-responses.ts";
import { createSchemaComponents } from "./schema-components.ts";
import type { Json, SchemaComponents } from "./schema-components.ts";

/** Returns the OpenAPI 3.1 document of all calls and other endpoints, generated from the contract. */
export function buildOpenApi(): Json {
  const components = createSchemaComponents();
  const refused = buildRefusalResponses();
  const calls = everyCall().map(({ name, row }) => ({ name, row, input: readInput(components, name, row) }));
  const paths: Record<string, Json> = {};
  for (const { name, row, input } of calls)
    (paths[row.path] ??= {})[row.method.toLowerCase()] = {
      ...describeCall(name, row),
      ...(row.method === "GET"
        ? { parameters: [...headersOf(row), ...describeQuery(input, components)] }
        : {
            parameters: headersOf(row),
            ...describeBody(name, row, components.name(input, `${toTypeName(name)}Request`)),
          }),
      responses: {
        200: success(components.name(components.addOutput(row.output), `${toTypeName(name)}Result`)),
        ...refused.of(sliceOf(name)),
      },
    };
  for (const endpoint of otherEndpoints) (paths[endpoint.path] ??= {})[endpoint.method] = describeEndpoint(endpoint);
  return {
    openapi: "3.1.0",
    info: {
      title: "Arcada",
      version: apiVersion,
      description: introduction,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: [...new Set([...calls.map(({ name }) => sliceOf(name)), ...otherEndpoints.map(({ tag }) => tag)])].map(
      (name) => ({ name }),
    ),
    paths,
    components: {
      securitySchemes: {
        token: { type: "apiKey", in: "header", name: "token", description: "Of a person who has signed in." },
        key: { type: "http", scheme: "bearer", description: "An organisation's key with the scope that is named." },
      },
      schemas: { Refusal: refusalSchema, ...components.schemas },
      responses: refused.responses,
    },
  };
}

const introduction = `Every answer of a call is an envelope {code, msg, data}: code 200 is success, any other code is a refusal, and msg says so in the language of \`accept-language\`.

Programs make calls with a key of an organisation (\`Authorization: Bearer …\`). A call without a key's scope is for people who are signed in.

Version ${apiVersion} keeps its promises until the next first number: calls, properties and codes are only added. What is going to be removed is marked as deprecated here and answers with the headers \`deprecation\` and \`sunset\` for at least twelve months.`;

const sliceOf = (callName: string): string => callName.slice(0, callName.indexOf("."));

/** Returns `OrderSave` for `order.save`. */
export const toTypeName = (callName: string): string =>
  callName.replace(/(?:^|[.])(\w)/g, (_, letter: string) => letter.toUpperCase());

const readInput = (components: SchemaComponents, name: string, { input }: Call): Json =>
  components.addInput(input, (root, definitions) => describeProperties(name, root, definitions));

function describeCall(name: string, row: Call): Json {
  const scope = findScope(row);
  return {
    operationId: name,
    tags: [sliceOf(name)],
    // Readers find a call by its name; the sentence about it comes first in the text.
    summary: name,
    description: [
      `${row.summary.replace(/[.]?$/, ".")}\n\nWho may ask: ${typeof row.access === "string" ? row.access : row.access.join(", ")}.`,
      row.deprecated && `Served until ${row.deprecated.until}; use ${row.deprecated.instead} instead.`,
    ]
      .filter(Boolean)
      .join(" "),
    ...(row.deprecated && { deprecated: true }),
    ...(row.access !== "anyone" && { security: [{ token: [] }, ...(scope ? [{ key: [scope] }] : [])] }),
  };
}

const idempotencyKey: Json = {
  name: "idempotency-key",
  in: "header",
  description: "A text of your choice: a repeated request with the same key gets the first answer again.",
  schema: { type: "string", maxLength: 200, examples: ["order-2026-0815"] },
};

const headersOf = ({ isIdempotent }: Call): Json[] => (isIdempotent ? [idempotencyKey] : []);

function describeBody(name: string, { input }: Call, schema: Json): Json {
  const examples = (["required", "all"] as const).flatMap((extent) => {
    const value = composeExample(name, input, extent);
    return value === undefined ? [] : [[extent, { value }] as const];
  });
  return {
    requestBody: {
      required: true,
      content: {
        "application/json": { schema, ...(examples.length > 0 && { examples: Object.fromEntries(examples) }) },
      },
    },
  };
}

function describeQuery(input: Json, { schemas }: SchemaComponents): Json[] {
  const schema = typeof input["$ref"] === "string" ? (schemas[input["$ref"].split("/").at(-1) ?? ""] ?? {}) : input;
  const required = (schema["required"] ?? []) as string[];
  return Object.entries((schema["properties"] ?? {}) as Record<string, Json>).map(
    ([name, { description, ...property }]) => ({
      name,
      in: "query",
      required: required.includes(name),
      ...(description !== undefined && { description }),
      schema: property,
    }),
  );
}

const success = (data: Json): Json => ({
  description: "Done",
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["code", "msg", "data"],
        properties: { code: { type: "integer", const: 200 }, msg: { type: "string" }, data },
      },
    },
  },
});

function describeEndpoint({ id, tag, summary, scopes, parameters, sends, success: done }: Endpoint): Json {
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(scopes && { security: [{ token: [] }, ...scopes.map((scope) => ({ key: [scope] }))] }),
    parameters: parameters.map(({ name, in: place, says, example, required }) => ({
      name,
      in: place,
      description: says,
      required: required ?? false,
      schema: { type: "string", examples: [example] },
    })),
    ...(sends && {
      requestBody: { required: true, content: { [sends]: { schema: { type: "string", format: "binary" } } } },
    }),
    responses: {
      [done.status]: {
        description: done.says,
        ...(done.mediaType && { content: { [done.mediaType]: {} } }),
      },
      default: { description: "Refused; the status says why." },
    },
  };
}

/**
 * Writes the words of the contract into the schema of a call's input: a description and an example for each property.
 * A named schema that several calls use is described once, by the words of the first.
 */
function describeProperties(callName: string, root: Json, definitions: Record<string, Json>): void {
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
      if (words) describeProperty(property, words);
      walk(property, [...path, name]);
    }
    // Alternatives and the items of arrays add nothing to a path.
    for (const one of Object.values(rest)) walk(one, path);
  };
  walk(root, []);
}

function describeProperty(property: Json, { says, example }: { says: string; example?: unknown }): void {
  property["description"] ??= says;
  if (example !== undefined) property["examples"] ??= [example];
}
