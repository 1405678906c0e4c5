import Fastify from "fastify";
import { logOptions } from "./request-log.ts";
import { serveHealth } from "./health-routes.ts";
import type { HealthServices } from "./health-routes.ts";

/**
 * Serves liveness, readiness and metrics on HEALTH_PORT, which every role may have, and which answers also while the
 * requests of users queue up. Null: the port is not set.
 */
export async function openHealthPort(
  services: HealthServices,
): Promise<{ address: string; close(): Promise<void> } | null> {
  const { HEALTH_HOST: host, HEALTH_PORT: port } = services.config;
  if (port === undefined) return null;
  const app = Fastify(logOptions(services.config));
  serveHealth(app, services);
  const address = await app.listen({ host, port });
  return {
    address,
    close: async () => {
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
