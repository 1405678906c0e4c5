import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { FastifyInstance, FastifyReply } from "fastify";

/** The document as it is sent, and compressed. */
export interface OpenApiBytes {
  plain: Uint8Array;
  compressed: Uint8Array;
}

/**
 * Serves the OpenAPI document at /openapi.json and its reference page, Scalar, at /docs. `assets` is the folder of the
 * built application, which holds the page's script; `setPolicy` sets the security headers of a page.
 */
export function serveApiReference(
  app: FastifyInstance,
  assets: string,
  setPolicy: (reply: FastifyReply) => void,
): void {
  let document: Promise<OpenApiBytes> | null = null;
  app.get("/openapi.json", async (request, reply) => {
    document ??= buildDocument().catch((error: unknown) => {
      document = null;
      throw error;
    });
    const { plain, compressed } = await document;
    const acceptsGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    if (acceptsGzip) reply.header("content-encoding", "gzip");
    return reply
      .header("vary", "accept-encoding")
      .header("access-control-allow-origin", "*")
      .type("application/json")
      .send(Buffer.from(acceptsGzip ? compressed : plain));
  });
  const script = findReferenceScript(assets);
  app.get("/docs", (_, reply) => {
    setPolicy(reply);
    return reply.type("text/html; charset=utf-8").send(renderPage(script));
  });
}

/** Building takes most of a second, so it happens in a thread, at the first request. */
async function buildDocument(): Promise<OpenApiBytes> {
  const worker = new Worker(new URL("openapi.worker.ts", import.meta.url));
  worker.unref();
  try {
    const [bytes] = (await once(worker, "message")) as [OpenApiBytes];
    return bytes;
  } finally {
    await worker.terminate();
  }
}

const findReferenceScript = (assets: string): string | undefined =>
  existsSync(assets) ? readdirSync(assets).find((name) => /^api-reference-\w+\.js$/.test(name)) : undefined;

/** The settings keep the page from loading fonts and from sending anything elsewhere. */
const settings = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: false,
  persistAuth: false,
};

const renderPage = (script: string | undefined): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Arcada: the open interface</title></head><body>
<noscript><p>The same as a document for programs: <a href="/openapi.json">openapi.json</a></p></noscript>
<script id="api-reference" type="application/json" data-url="/openapi.json" data-configuration="${JSON.stringify(settings).replaceAll('"', "&quot;")}"></script>
${script === undefined ? '<p>The application is not built. <a href="/openapi.json">openapi.json</a></p>' : `<script src="/assets/${script}"></script>`}</body></html>`;
