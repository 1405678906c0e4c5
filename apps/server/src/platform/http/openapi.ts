import { z } from "zod";
import { everyCall } from "@arcada/contract/calls";
import { findScope } from "@arcada/contract/integrations/api-key-scopes";
import type { Call } from "@arcada/contract/kernel/call";
import { refusals } from "@arcada/contract/kernel/refusals";

type Json = Record<string, unknown>;
const toJsonSchema = (schema: z.ZodType, io: "input" | "output"): Json => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Json;
  return rest;
};

/** Returns the OpenAPI 3.1 document of all calls, generated from the contract. */
export function buildOpenApi(): Json {
  const paths: Record<string, Json> = {};
  for (const { name, row } of everyCall()) (paths[row.path] ??= {})[row.method.toLowerCase()] = operation(name, row);
  return {
    openapi: "3.1.0",
    info: {
      title: "Arcada",
      version: "1",
      description: "Every answer is an envelope {code, msg, data}; code 200 is success.",
    },
    components: {
      securitySchemes: {
        token: { type: "apiKey", in: "header", name: "token", description: "Of a person who has signed in." },
        key: { type: "http", scheme: "bearer", description: "An organisation's key with the scope that is named." },
      },
    },
    paths,
  };
}

function operation(name: string, row: Call): Json {
  const data = toJsonSchema(row.output, "output");
  const scope = findScope(row);
  return {
    operationId: name,
    tags: [name.split(".")[0]],
    summary: row.summary,
    description: `Who may ask: ${typeof row.access === "string" ? row.access : row.access.join(", ")}.`,
    ...(row.access !== "anyone" && { security: [{ token: [] }, ...(scope ? [{ key: [scope] }] : [])] }),
    ...(row.isIdempotent && {
      parameters: [{ name: "idempotency-key", in: "header", schema: { type: "string", maxLength: 200 } }],
    }),
    ...describeInput(row),
    responses: {
      200: { description: "Done", content: { "application/json": { schema: envelope(data) } } },
      default: { description: "Refused", content: { "application/json": { schema: envelope({}) } } },
    },
  };
}

function describeInput(row: Call): Json {
  const schema = toJsonSchema(row.input, "input");
  if (row.method === "POST") return { requestBody: { content: { "application/json": { schema } } } };
  const needed = (schema.required as string[] | undefined) ?? [];
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  return {
    parameters: fields.map(([field, of]) => ({
      name: field,
      in: "query",
      required: needed.includes(field),
      schema: of,
    })),
  };
}

const envelope = (data: Json): Json => ({
  type: "object",
  required: ["code", "msg", "data"],
  properties: { code: { type: "integer" }, msg: { type: "string" }, data },
});

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Returns the same document for people: one page without script. */
export function renderDocsPage(nonce: string): string {
  const sections = everyCall().map(({ name, row }) => {
    const who = typeof row.access === "string" ? row.access : row.access.join(", ");
    const scope = findScope(row);
    const part = (title: string, schema: Json) =>
      `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(schema, null, 2))}</pre></details>`;
    return `<section id="${name}"><h2><b>${row.method}</b> ${escapeHtml(row.path)}</h2><p>${escapeHtml(row.summary)}</p><p><small>${name} · ${escapeHtml(who)}${scope ? ` · ${scope}` : ""}</small></p>
      ${part("input", toJsonSchema(row.input, "input"))}${part("data", toJsonSchema(row.output, "output"))}</section>`;
  });
  const rows = Object.entries(refusals).map(
    ([name, { code, status, show }]) => `<tr><td>${code}</td><td>${name}</td><td>${status}</td><td>${show}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Arcada: the calls</title>
<style nonce="${nonce}">body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f2933}h2{font-size:1rem;margin:2rem 0 0}
b{color:#1565c0}pre{overflow:auto;background:#f4f6f8;padding:.75rem;border-radius:6px;font-size:13px}small{color:#52606d}td,th{padding:.2rem .8rem .2rem 0;text-align:left}</style>
<h1>The calls</h1><p>Every answer is <code>{code, msg, data}</code>. <a href="/openapi.json">openapi.json</a></p>${sections.join("")}
<h1>Refusals</h1><table><tr><th>code</th><th>name</th><th>HTTP</th><th>shown as</th></tr>${rows.join("")}</table></html>`;
}
