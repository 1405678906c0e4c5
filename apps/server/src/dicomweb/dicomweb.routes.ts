import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { Serving } from "../platform/http/serve.ts";
import { allowOrigins } from "./cors.ts";
import { find, metadata } from "./find.ts";
import type { Level } from "./query.ts";
import { rendered } from "./rendered.ts";
import { askedBy, root, type Asked } from "./request.ts";
import { bulk, frames, retrieve } from "./retrieve.ts";
import { storeInstances } from "./store.ts";

type Answer = (asked: Asked, parameters: Record<string, string>) => Promise<unknown>;

const study = "/studies/:study";
const series = `${study}/series/:series`;
const instance = `${series}/instances/:instance`;
const search =
  (level: Level): Answer =>
  (asked) =>
    find(asked, level);

const reads: Record<string, Answer> = {
  "/studies": search("study"),
  "/series": search("series"),
  "/instances": search("instance"),
  [`${study}/series`]: search("series"),
  [`${study}/instances`]: search("instance"),
  [`${series}/instances`]: search("instance"),
  [`${instance}/frames/:frames`]: (asked, { frames: list = "" }) => frames(asked, list),
  [`${instance}/frames/:frames/rendered`]: (asked, { frames: frame = "" }) =>
    rendered(asked, { frame, thumbnail: false }),
  [`${instance}/frames/:frames/thumbnail`]: (asked, { frames: frame = "" }) =>
    rendered(asked, { frame, thumbnail: true }),
  [`${instance}/bulkdata/:tag`]: (asked, { tag = "" }) => bulk(asked, tag),
  ...Object.fromEntries(
    [study, series, instance].flatMap((at): [string, Answer][] => [
      [at, retrieve],
      [`${at}/metadata`, metadata],
      [`${at}/rendered`, (asked) => rendered(asked, { thumbnail: false })],
      [`${at}/thumbnail`, (asked) => rendered(asked, { thumbnail: true })],
    ]),
  ),
};

/** DICOMweb (PS3.18) for a clinic's own studies, by `Authorization: Bearer`. */
export async function serveDicomweb(app: FastifyInstance, serving: Serving): Promise<void> {
  await app.register(async (scope) => {
    allowOrigins(scope, root, serving.config.DICOMWEB_ORIGINS);
    // The body stays in the request stream: its bytes are written as they arrive.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));
    for (const path of ["/studies", study])
      scope.post(
        `${root}${path}`,
        { bodyLimit: studyRules.fileBytes, config: { bodyMayLast: true } },
        async (request, reply) => storeInstances(await askedBy(serving, request, reply)),
      );
    for (const [path, answer] of Object.entries(reads))
      scope.get(`${root}${path}`, async (request: FastifyRequest, reply: FastifyReply) => {
        const asked = await askedBy(serving, request, reply);
        // Untrusted bytes must never be executed in our pages.
        reply.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox");
        return answer(asked, request.params as Record<string, string>);
      });
  });
}
