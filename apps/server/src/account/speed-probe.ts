import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { accountRules } from "@arcada/contract/account/account.rules";

/** As many bytes as a middling picture, which nothing on the way can make smaller or keep. */
export function serveSpeedProbe(app: FastifyInstance): void {
  const bytes = randomBytes(accountRules.speedProbeBytes);
  app.get("/v1/base/speedProbe", (_, reply) =>
    reply
      .headers({ "content-type": "application/octet-stream", "cache-control": "no-store, no-transform" })
      .send(bytes),
  );
}
