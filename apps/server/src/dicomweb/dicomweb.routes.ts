import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { Serving } from "../platform/http/serve.ts";
import { allowOrigins } from "./cors.ts";
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
