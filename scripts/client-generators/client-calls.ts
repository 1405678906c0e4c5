import { buildOpenApi } from "../../apps/server/src/platform/openapi/openapi-document.ts";

/** A JSON Schema as the OpenAPI document writes it, as far as the generators read it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema | false;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
}

/** A call that a key of an organisation may make. */
export interface ClientCall {
  name: string;
  summary: string;
  scope: string;
  method: "GET" | "POST";
  path: string;
  isIdempotent: boolean;
  input: Schema;
  output: Schema;
}

export interface ClientModel {
  version: string;
  calls: ClientCall[];
  /** The named schemas that the calls need, in alphabetical order. */
  schemas: [name: string, schema: Schema][];
}

interface Operation {
  operationId: string;
  /** A sentence about the call, and after an empty line who may make it. */
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: Schema; description?: string }[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: { 200?: { content: { "application/json": { schema: Schema } } } };
}
interface OpenApi {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Reads from the OpenAPI document what clients of other programs consist of: the calls that a key may make. */
export function readClientModel(): ClientModel {
  const { info, paths, components } = buildOpenApi() as unknown as OpenApi;
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const scope = operation.security?.find((one) => one["key"])?.["key"]?.[0];
      const isCall = path.startsWith("/v1/");
      return isCall && scope && !scope.startsWith("device.") ? [toCall(path, method, scope, operation)] : [];
    }),
  );
  return { version: info.version, calls, schemas: collectSchemas(calls, components.schemas) };
}

function toCall(path: string, method: string, scope: string, operation: Operation): ClientCall {
  const { operationId: name, description = "", parameters = [], requestBody, responses } = operation;
  const query = parameters.filter((one) => one.in === "query");
  const answer = responses[200]?.content["application/json"].schema;
  return {
    name,
    summary: description.split("\n\n")[0] ?? "",
    scope,
    method: method === "get" ? "GET" : "POST",
    path,
    isIdempotent: parameters.some((one) => one.name === "idempotency-key"),
    input: requestBody?.content["application/json"].schema ?? {
      type: "object",
      properties: Object.fromEntries(
        query.map(({ name: field, schema, description }) => [
          field,
          { ...schema, ...(description && { description }) },
        ]),
      ),
      required: query.filter((one) => one.required).map((one) => one.name),
    },
    output: answer?.properties?.["data"] ?? {},
  };
}

function collectSchemas(calls: ClientCall[], all: Record<string, Schema>): [string, Schema][] {
  const needed = new Set<string>();
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== "object") return;
    for (const [key, one] of Object.entries(value)) {
      if (key !== "$ref" || typeof one !== "string") visit(one);
      else if (!needed.has(nameOf(one))) {
        needed.add(nameOf(one));
        visit(all[nameOf(one)]);
      }
    }
  };
  visit(calls);
  return [...needed].toSorted((a, b) => (a < b ? -1 : 1)).map((name) => [name, all[name] ?? {}]);
}

/** Returns the name in a reference to a schema. */
export const nameOf = (reference: string): string => reference.split("/").at(-1) ?? "";

/** Returns `OrderSave` for `order.save`. */
export const toTypeName = (callName: string): string =>
  callName.replace(/(?:^|[.])(\w)/g, (_, letter: string) => letter.toUpperCase());
