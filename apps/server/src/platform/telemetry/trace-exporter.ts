import { hostname } from "node:os";
import { context, diag, DiagLogLevel, propagation } from "@opentelemetry/api";
import type { Config } from "../runtime/config.ts";
import { version } from "../runtime/version.ts";
import { logEvent } from "./log.ts";
import { setTracer } from "./tracing.ts";

/** Beyond this number of spans that wait for the collector, further ones are dropped: users never wait for it. */
const maxQueued = 4096;

/**
 * Sends spans to the collector at OTEL_EXPORTER_OTLP_ENDPOINT (OTLP over HTTP, protobuf). Without it nothing is loaded:
 * the SDK costs about 0.1 s at start and 25 MB. The function that it returns sends what waits and stops.
 */
export async function startTracing(config: Config): Promise<() => Promise<void>> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return async () => {};
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }, { AsyncLocalStorageContextManager }, core] =
    await Promise.all([
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/exporter-trace-otlp-proto"),
      import("@opentelemetry/resources"),
      import("@opentelemetry/context-async-hooks"),
      import("@opentelemetry/core"),
    ]);
  logFaults();
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      "service.name": config.OTEL_SERVICE_NAME,
      "service.version": version,
      "service.instance.id": `${hostname()}:${process.pid}`,
      "arcada.role": config.ARCADA_ROLE,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG) }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, maxQueueSize: maxQueued })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  setTracer(provider.getTracer("arcada", version));
  return async () => {
    setTracer(null);
    // A collector that is away must not hold up the end.
    const limit = new Promise((resolve) => setTimeout(resolve, shutdownMs).unref());
    await Promise.race([provider.shutdown().catch(() => {}), limit]);
    context.disable();
    propagation.disable();
    diag.disable();
  };
}

const shutdownMs = 3000;
const logEveryMs = 60_000;

/** The SDK reports each batch that it could not send. */
function logFaults(): void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const log = (message: string): void => {
    if (performance.now() - loggedAt < logEveryMs) return;
    loggedAt = performance.now();
    // An error arrives as JSON with its stack.
    logEvent("warn", "traces", (/"message":"([^"]*)"/.exec(message)?.[1] ?? message).slice(0, 300));
  };
  const ignore = (): void => {};
  diag.setLogger({ error: log, warn: log, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
}
