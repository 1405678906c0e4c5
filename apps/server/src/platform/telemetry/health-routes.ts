import type { FastifyInstance } from "fastify";
import { version } from "../runtime/version.ts";
import type { Config } from "../runtime/config.ts";
import type { Database } from "../database/database.ts";
import { isFromThisMachine } from "../http/host-guard.ts";
import type { GaugeReader } from "./gauges.ts";
import { collectProcessDefaults, processRegistry } from "./counters-and-histograms.ts";
import { checkReadiness, toPublicReason } from "./readiness.ts";

export interface HealthServices {
  config: Config;
  database: Database;
  gauges: GaugeReader;
  /** Only "running" is ready: a load balancer must choose this process no sooner, and another one before it ends. */
  state: { phase: "starting" | "running" | "stopping" };
}

/**
 * Serves liveness, readiness and metrics. Liveness asks nothing: a process must not be restarted because the database is
 * away.
 */
export function serveHealth(app: FastifyInstance, { config, database, gauges, state }: HealthServices): void {
  const live = async () => ({ status: "alive", version });
  app.get("/livez", live);
  app.get("/healthz", live);
  app.get("/readyz", async (request, reply) => {
    const found = await checkReadiness(config, database);
    const checks = Object.fromEntries(Object.entries(found).map(([name, says]) => [name, toPublicReason(says)]));
    // Messages of the system contain folders and addresses: they are for the log and the operator's page.
    if (Object.values(found).some((says) => says !== "ok")) request.log.error({ checks: found }, "not ready");
    const works = Object.values(checks).every((check) => check === "ok");
    const status = state.phase !== "running" ? state.phase : works ? "ready" : "not ready";
    return reply.code(status === "ready" ? 200 : 503).send({ status, checks });
  });
  collectProcessDefaults();
  // Metrics are for the machine itself, or for the holder of the token, also through a proxy.
  app.get("/metrics", async (request, reply) => {
    const allowed = config.METRICS_TOKEN
      ? request.headers.authorization === `Bearer ${config.METRICS_TOKEN}`
      : isFromThisMachine(request);
    if (!allowed) return reply.code(403).send("");
    const [own, read] = await Promise.all([processRegistry.metrics(), gauges.text()]);
    return reply.type(processRegistry.contentType).send(`${own}\n${read}`);
  });
}
