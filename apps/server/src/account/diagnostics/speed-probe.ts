import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { accountRules } from "@arcada/contract/account/account.rules";

/** Serves as many bytes as a medium-sized image, which nothing on the way can compress or cache. */
export function serveSpeedProbe(app: FastifyInstance): void {
  const bytes = randomBytes(accountRules.speedProbeBytes);
  app.get("/v1/base/speedProbe", (_, reply) =>
    reply
      .headers({ "content-type": "application/octet-stream", "cache-control": "no-store, no-transform" })
      .send(bytes),
  );
}
