import { context, propagation } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import Fastify from "fastify";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../runtime/config.ts";
import { currentTraceparent, setTracer, withInnerSpan, withSpan } from "./tracing.ts";
import { traceRequests } from "./trace-requests.ts";

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
afterEach(() => {
  setTracer(null);
  exporter.reset();
});
// Other files share this process.
afterAll(async () => {
  await provider.shutdown();
  context.disable();
  propagation.disable();
});
const trace = () => setTracer(provider.getTracer("test"));
const spans = () => exporter.getFinishedSpans();

describe("without an endpoint", () => {
  it("the work is done and nothing is recorded", async () => {
    expect(await withSpan("work", {}, async () => currentTraceparent() ?? "none")).toBe("none");
    expect(spans()).toEqual([]);
  });
});

describe("a span", () => {
  it("of a failure names the class of the error and not its message", async () => {
    trace();
    const work = () => Promise.reject(new TypeError("the patient 王伟 is unknown"));
    await expect(withSpan("work", {}, work)).rejects.toThrow(TypeError);
    expect(spans()).toMatchObject([{ name: "work", status: { code: 2 }, attributes: { "error.type": "TypeError" } }]);
    expect(JSON.stringify([spans()[0]?.attributes, spans()[0]?.events, spans()[0]?.status])).not.toContain("王伟");
  });

  it("of a statement is made inside of a traced request only", async () => {
    trace();
    await withInnerSpan("SELECT patient", {}, async () => {});
    expect(spans()).toEqual([]);
    await withSpan("request", {}, () => withInnerSpan("SELECT patient", {}, async () => {}));
    expect(spans().map(({ name }) => name)).toEqual(["SELECT patient", "request"]);
  });

  it("of another process is continued by its traceparent", async () => {
    trace();
    const sent = await withSpan("request", {}, async () => currentTraceparent());
    await withSpan("job", { parent: sent }, async () => {});
    const [request, job] = spans();
    expect(job?.spanContext().traceId).toBe(request?.spanContext().traceId);
    expect(job?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  });
});

describe("the traceparent of a caller", () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const ask = async (settings: Record<string, string>, headers: Record<string, string>) => {
    trace();
    const app = Fastify();
    traceRequests(app, readConfig({ DATA_DIR: "/nowhere", ...settings }));
    app.post("/echo", async () => ({ inside: currentTraceparent() }));
    const address = await app.listen({ port: 0 });
    const response = await fetch(`${address}/echo`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ long: "x".repeat(100_000) }),
    });
    const { inside } = (await response.json()) as { inside: string };
    await app.close();
    return inside;
  };

  it("is followed behind a trusted proxy, also by a handler that waited for a body", async () => {
    expect(await ask({ TRUST_PROXY: "on" }, { traceparent })).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-/);
    expect(spans()).toMatchObject([{ name: "POST /echo", attributes: { "http.response.status_code": 200 } }]);
  });

  it("is ignored otherwise", async () => {
    expect(await ask({}, { traceparent })).toMatch(/^00-(?!0af7651916cd43dd8448eb211c80319c)[0-9a-f]{32}-/);
  });

  it("that is malformed begins a new trace", async () => {
    expect(await ask({ TRUST_PROXY: "on" }, { traceparent: "00-zz-1" })).toMatch(/^00-[0-9a-f]{32}-/);
  });
});
