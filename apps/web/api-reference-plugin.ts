import { createHash } from "node:crypto";
import fastify from "fastify";
import scalar from "@scalar/fastify-api-reference";
import type { Plugin } from "vite";

/**
 * Emits the script of the reference page of the calls (/docs). The package carries it as a route of a server, so it is
 * asked once while the application is built: a running server then needs neither the package nor what it depends on.
 */
export function apiReference(): Plugin {
  return {
    name: "arcada-api-reference",
    apply: "build",
    async generateBundle() {
      const server = fastify();
      await server.register(scalar, { routePrefix: "/reference", configuration: { url: "/openapi.json" } });
      const { statusCode, rawPayload } = await server.inject("/reference/js/scalar.js");
      await server.close();
      if (statusCode !== 200) throw new Error(`the script of the reference page: ${statusCode}`);
      const hash = createHash("sha256").update(rawPayload).digest("hex").slice(0, 8);
      this.emitFile({ type: "asset", fileName: `assets/api-reference-${hash}.js`, source: rawPayload });
    },
  };
}
