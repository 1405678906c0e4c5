import fastify from "fastify";
import { z } from "zod";
import { beforeAll, describe, expect, it } from "vitest";
import { everyCall } from "@arcada/contract/calls";
import { otherEndpoints } from "@arcada/contract/http-api/other-endpoints";
import { call } from "@arcada/contract/kernel/call";
import { refusals } from "@arcada/contract/kernel/refusals";
import { getTestServer } from "@arcada/testing/setup/test-server";
import type { TestServer } from "@arcada/testing/setup/test-server";
import { serve } from "../http/serve-calls.ts";
import type { Serving } from "../http/serve-calls.ts";

interface Document {
  openapi: string;
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, unknown>; responses: Record<string, unknown> };
}
let server: TestServer;
let document: Document;
beforeAll(async () => {
  server = await getTestServer();
  document = (await (await fetch(`${server.address}/openapi.json`)).json()) as Document;
});

describe("the OpenAPI document", () => {
  it("has every call and every other endpoint", () => {
    const wanted = [
      ...everyCall().map(({ row }) => `${row.method.toLowerCase()} ${row.path}`),
      ...otherEndpoints.map(({ method, path }) => `${method} ${path}`),
    ];
    const found = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    expect(found.toSorted()).toEqual([...new Set(wanted)].toSorted());
  });

  it("refers to nothing that it does not contain", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(schemas|responses)\/([^"]+)"/g)];
    const missing = references.filter(
      ([, part, name = ""]) => !(name in document.components[part as "schemas" | "responses"]),
    );
    expect(references.length).toBeGreaterThan(1000);
    expect(missing.map(([text]) => text)).toEqual([]);
  });

  it("names every refusal in the responses of some call, with its code", () => {
    const text = JSON.stringify(document.components.responses);
    const missing = Object.entries(refusals).filter(([, { code }]) => !text.includes(`(${code})`));
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  it("says for each status of a call which refusals it may be", () => {
    const save = document.paths["/v1/order/save"]?.["post"]?.responses ?? {};
    expect(Object.keys(save)).toEqual(expect.arrayContaining(["200", "400", "401", "403", "404", "409", "429"]));
    expect(JSON.stringify(document.components.responses["orderRefused409"])).toContain("orderChanged");
  });
});

describe("an endpoint of the document besides the calls", () => {
  it.each(otherEndpoints.map((one) => [`${one.method} ${one.path}`, one] as const))("%s exists", async (_, one) => {
    const address = `${server.address}${one.path.replace(/\{\w+\}/g, "1")}`;
    const response = await fetch(address, { method: one.method.toUpperCase(), headers: { "tus-resumable": "1.0.0" } });
    // A path that the server does not know is refused as not found before anybody asks for a key.
    expect([200, 400, 401, 403, 415]).toContain(response.status);
  });
});

it("the reference page loads its script from this server alone", async () => {
  const page = await fetch(`${server.address}/docs`);
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
  const text = await page.text();
  expect([...text.matchAll(/(?:src|href)="([^"]+)"/g)].every(([, address = ""]) => address.startsWith("/"))).toBe(true);
});

it("a deprecated call says in every answer until when it is served", async () => {
  const old = call({
    method: "GET",
    path: "/v1/old/call",
    access: "anyone",
    input: z.object({}),
    output: z.null(),
    summary: "An old call",
    deprecated: { since: "2027-01-01", until: "2028-01-01", instead: "new.call" },
  });
  const app = fastify();
  serve(app, {} as Serving, [{ call: old, handler: async () => null }]);
  const { headers } = await app.inject(old.path);
  expect(headers).toMatchObject({ deprecation: "@1798761600", sunset: "Sat, 01 Jan 2028 00:00:00 GMT" });
});
