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
      const source = Buffer.concat([Buffer.from(withoutEval), rawPayload]);
      const hash = createHash("sha256").update(source).digest("hex").slice(0, 8);
      this.emitFile({ type: "asset", fileName: `assets/api-reference-${hash}.js`, source });
    },
  };
}

/**
 * The script carries zod, which tries `new Function` before its first check. The content security policy blocks that,
 * and the browser logs it. All copies of zod on a page share this object.
 */
const withoutEval = "globalThis.__zod_globalConfig={jitless:true};\n";
