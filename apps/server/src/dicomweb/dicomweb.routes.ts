import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { Serving } from "../platform/http/serve-calls.ts";
import { searchResources, sendMetadata } from "./qido/search-resources.ts";
import type { Level } from "./qido/parse-query.ts";
import { sendRendered } from "./wado/send-rendered.ts";
import { openDicomwebContext, dicomwebRoot, type DicomwebContext } from "./dicomweb-context.ts";
import { sendBulkData, sendFrameList, sendInstances } from "./wado/send-instances.ts";
import { storeInstances } from "./stow/store-instances.ts";

type Handler = (context: DicomwebContext, parameters: Record<string, string>) => Promise<unknown>;

const study = "/studies/:study";
const series = `${study}/series/:series`;
const instance = `${series}/instances/:instance`;
const searchAt =
  (level: Level): Handler =>
  (context) =>
    searchResources(context, level);

const readRoutes: Record<string, Handler> = {
  "/studies": searchAt("study"),
  "/series": searchAt("series"),
  "/instances": searchAt("instance"),
  [`${study}/series`]: searchAt("series"),
  [`${study}/instances`]: searchAt("instance"),
  [`${series}/instances`]: searchAt("instance"),
  [`${instance}/frames/:frames`]: (context, { frames: list = "" }) => sendFrameList(context, list),
  [`${instance}/frames/:frames/rendered`]: (context, { frames: frame = "" }) =>
    sendRendered(context, { frame, thumbnail: false }),
  [`${instance}/frames/:frames/thumbnail`]: (context, { frames: frame = "" }) =>
    sendRendered(context, { frame, thumbnail: true }),
  [`${instance}/bulkdata/:tag`]: (context, { tag = "" }) => sendBulkData(context, tag),
  ...Object.fromEntries(
    [study, series, instance].flatMap((at): [string, Handler][] => [
      [at, sendInstances],
      [`${at}/metadata`, sendMetadata],
      [`${at}/rendered`, (context) => sendRendered(context, { thumbnail: false })],
      [`${at}/thumbnail`, (context) => sendRendered(context, { thumbnail: true })],
    ]),
  ),
};

/** DICOMweb (PS3.18) for a clinic's own studies, by `Authorization: Bearer`. */
export async function serveDicomweb(app: FastifyInstance, serving: Serving): Promise<void> {
  await app.register(async (scope) => {
    allowOrigins(scope, dicomwebRoot, serving.config.DICOMWEB_ORIGINS);
    // The body stays in the request stream: its bytes are written as they arrive.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));
    for (const path of ["/studies", study])
      scope.post(
        `${dicomwebRoot}${path}`,
        { bodyLimit: studyRules.fileBytes, config: { bodyMayLast: true } },
        async (request, reply) => storeInstances(await openDicomwebContext(serving, request, reply)),
      );
    for (const [path, handler] of Object.entries(readRoutes))
      scope.get(`${dicomwebRoot}${path}`, async (request: FastifyRequest, reply: FastifyReply) => {
        const context = await openDicomwebContext(serving, request, reply);
        // Untrusted bytes must never be executed in our pages.
        reply.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox");
        return handler(context, request.params as Record<string, string>);
      });
  });
}

const preflightHeaders = {
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "authorization, accept, content-type, if-none-match",
  "access-control-max-age": "600",
} as const;
const exposedHeaders = "content-location, content-type, etag, warning, request-id";

/**
 * Allows requests from viewers on other origins that the operator configures, with a token of their own. Cookies are
 * never allowed, so another origin cannot use the session of a signed-in user.
 */
function allowOrigins(scope: FastifyInstance, root: string, origins: readonly string[]): void {
  if (origins.length === 0) return;
  scope.addHook("onRequest", async (request, reply) => {
    reply.header("vary", "origin");
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return;
    reply
      .header("access-control-allow-origin", origin)
      .header("access-control-expose-headers", exposedHeaders)
      .header("cross-origin-resource-policy", "cross-origin");
  });
  scope.options(`${root}/*`, async (request, reply) => {
    if (origins.includes(request.headers.origin ?? "")) reply.headers(preflightHeaders);
    return reply.code(204).send();
  });
}
