import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { parseLanguage, translate } from "../text/texts.ts";

/**
 * Serves what makes the application installable: its manifest, in the reader's language, and its service worker. Both
 * have fixed addresses, so browsers ask for them again each time.
 * @param webDist the built web application
 */
export function serveInstallableApp(app: FastifyInstance, webDist: string): void {
  const manifestFile = path.join(webDist, "manifest.json");
  const workerFile = path.join(webDist, "service-worker.js");
  if (!existsSync(manifestFile) || !existsSync(workerFile)) return;
  const manifest = JSON.parse(readFileSync(manifestFile, "utf8")) as Record<string, unknown>;
  const worker = readFileSync(workerFile);
  app.get("/manifest.webmanifest", (request, reply) => {
    const language = parseLanguage(request.headers["accept-language"]);
    return reply
      .type("application/manifest+json; charset=utf-8")
      .headers({ "cache-control": "no-cache", vary: "accept-language" })
      .send({
        id: "/",
        start_url: "/",
        scope: "/",
        display: "standalone",
        lang: language,
        name: translate(language, "letter", "app.name"),
        short_name: translate(language, "letter", "app.shortName"),
        description: translate(language, "letter", "app.description"),
        theme_color: "#0f5fae",
        background_color: "#ffffff",
        ...manifest,
      });
  });
  app.get("/service-worker.js", (_, reply) =>
    reply
      .type("text/javascript; charset=utf-8")
      .headers({
        "cache-control": "no-cache",
        // It fetches from this server alone and starts no other script.
        "content-security-policy": "default-src 'none'; connect-src 'self'",
      })
      .send(worker),
  );
}
