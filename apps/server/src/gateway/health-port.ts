import { createServer, type Server } from "node:http";
import { StartError } from "../platform/runtime/config.ts";
import { createGaugeReader, type Gauge } from "../platform/telemetry/gauges.ts";
import { collectProcessDefaults, processRegistry } from "../platform/telemetry/counters-and-histograms.ts";
import type { GatewayConfig } from "./gateway.config.ts";
import { buildStatus, type StatusSources } from "./status-page.ts";

/** The sources of the health port; `findFault` says why the program cannot take anything now. */
export interface HealthSources {
  gauge: Gauge;
  findFault(): string | null;
}

/** Without a port nothing is opened. */
type HealthAddress = Pick<GatewayConfig, "GATEWAY_HEALTH_HOST" | "GATEWAY_HEALTH_PORT">;

export const single = (value: number) => [{ value }];

export const gatewayHealth = (sources: StatusSources): HealthSources => ({
  gauge: gatewayGauge(sources),
  findFault: () => (sources.queue.usedBytes < sources.queue.allowedBytes ? null : "the queue is full"),
});

const gatewayGauge = (sources: StatusSources): Gauge => ({
  metrics: {
    arcada_gateway_waiting_files: { help: "Objects that wait for Arcada" },
    arcada_gateway_waiting_bytes: { help: "Size of the objects that wait for Arcada" },
    arcada_gateway_oldest_seconds: { help: "Time that the oldest object has waited" },
    arcada_gateway_failed_files: { help: "Objects that Arcada does not accept: people must look at them" },
    arcada_gateway_disk_used_bytes: { help: "Size of everything in the folder of the gateway" },
    arcada_gateway_disk_allowed_bytes: { help: "The most that the folder may hold" },
    arcada_gateway_trouble: { help: "1 while Arcada is away or refuses, otherwise 0", labels: ["kind"] },
    arcada_gateway_last_success_seconds: { help: "Unix time at which Arcada last took an object; 0: never" },
  },
  keepMs: 0,
  read: async () => {
    const { waiting, failed, disk, trouble, lastSuccess } = buildStatus(sources);
    return {
      arcada_gateway_waiting_files: single(waiting.count),
      arcada_gateway_waiting_bytes: single(waiting.bytes),
      arcada_gateway_oldest_seconds: single(waiting.oldestSeconds ?? 0),
      arcada_gateway_failed_files: single(failed.length),
      arcada_gateway_disk_used_bytes: single(disk.usedBytes),
      arcada_gateway_disk_allowed_bytes: single(disk.allowedBytes),
      arcada_gateway_trouble: ["away", "refused"].map((kind) => ({
        labels: { kind },
        value: trouble?.kind === kind ? 1 : 0,
      })),
      arcada_gateway_last_success_seconds: single(lastSuccess === null ? 0 : Date.parse(lastSuccess) / 1000),
    };
  },
});

/**
 * Serves liveness, readiness and metrics. A gateway is ready while it can keep what devices send, an agent while it can
 * use its folder; Arcada may be away meanwhile. The answers contain figures alone: neither patients nor identifiers of objects.
 */
export async function openHealthPort(
  sources: HealthSources,
  { GATEWAY_HEALTH_HOST: host, GATEWAY_HEALTH_PORT: port }: HealthAddress,
): Promise<{ port: number; close(): void } | null> {
  if (port === undefined) return null;
  collectProcessDefaults();
  const gauges = createGaugeReader([sources.gauge]);
  const answers: Record<string, () => Promise<{ status: number; type: string; body: string }>> = {
    "/livez": async () => toJson(200, { status: "alive" }),
    "/readyz": async () => {
      const disk = sources.findFault() ?? "ok";
      return toJson(disk === "ok" ? 200 : 503, { status: disk === "ok" ? "ready" : "not ready", checks: { disk } });
    },
    "/metrics": async () => ({
      status: 200,
      type: processRegistry.contentType,
      body: `${await processRegistry.metrics()}\n${await gauges.text()}`,
    }),
  };
  const server = createServer((request, response) => {
    const answer = request.method === "GET" ? answers[request.url ?? ""] : undefined;
    if (!answer) return void response.writeHead(404).end();
    answer().then(
      ({ status, type, body }) =>
        void response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body),
      () => void response.writeHead(500).end(),
    );
  });
  await listen(server, host, port);
  return {
    port: (server.address() as { port: number }).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const toJson = (status: number, body: object) => ({ status, type: "application/json", body: JSON.stringify(body) });

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? new StartError(`Port ${port} is in use: set GATEWAY_HEALTH_PORT.`) : error),
    );
    server.listen({ host, port }, resolve);
  });
