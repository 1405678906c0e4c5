import type { FastifyInstance, FastifyRequest } from "fastify";
import { findUnstorablePath } from "@arcada/contract/kernel/storable-text";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import { refuse } from "../platform/http/refuse.ts";
import type { Serving } from "../platform/http/serve-calls.ts";
import { createGroup, patchGroup, readGroup, removeGroup, replaceGroup, searchGroups } from "./group/group-requests.ts";
import type { Document } from "./protocol/attributes.ts";
import { resourceTypes, schemas, serviceProviderConfig } from "./protocol/discovery.ts";
import { listResponse, scimMediaType, sendScimError } from "./protocol/requests-and-responses.ts";
import { baseUrl, runScimRequest } from "./scim-context.ts";
import type { ScimContext } from "./scim-context.ts";
import { createUser, patchUser, readUser, removeUser, replaceUser, searchUsers } from "./user/user-requests.ts";
import type { ScimAnswer } from "./user/user-requests.ts";

const { root } = scimRules;
type Handler = (context: ScimContext, id: string) => Promise<ScimAnswer>;
const handlers: readonly ["GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, Handler][] = [
  ["GET", "/Users", searchUsers],
  ["POST", "/Users", createUser],
  ["GET", "/Users/:id", readUser],
  ["PUT", "/Users/:id", replaceUser],
  ["PATCH", "/Users/:id", patchUser],
  ["DELETE", "/Users/:id", removeUser],
  ["GET", "/Groups", searchGroups],
  ["POST", "/Groups", createGroup],
  ["GET", "/Groups/:id", readGroup],
  ["PUT", "/Groups/:id", replaceGroup],
  ["PATCH", "/Groups/:id", patchGroup],
  ["DELETE", "/Groups/:id", removeGroup],
];

/** Serves SCIM 2.0 (RFC 7643, 7644) to an organisation's identity provider, by a key of the organisation. */
export async function serveScim(app: FastifyInstance, serving: Serving): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendScimError(error, request, reply));
    scope.removeContentTypeParser("text/plain");
    const parseJson = scope.getDefaultJsonParser("error", "error");
    scope.addContentTypeParser("application/scim+json", { parseAs: "string" }, (request, body, done) =>
      parseJson(request, body as string, done),
    );
    serveDiscovery(scope, serving);
    for (const [method, path, handler] of handlers)
      scope.route({
        method,
        url: `${root}${path}`,
        bodyLimit: scimRules.bodyBytes,
        handler: async (request, reply) => {
          if (findUnstorablePath(request.body)) refuse("badInput");
          const { id = "" } = request.params as { id?: string };
          const answer = await runScimRequest(serving, request, reply, (context) => handler(context, id));
          return reply
            .code(answer.status)
            .type(scimMediaType)
            .send(answer.body ?? undefined);
        },
      });
    scope.all(`${root}/*`, () => refuse("notFound"));
  });
}

/** These descriptions name no organisation, so that they need no key. */
function serveDiscovery(scope: FastifyInstance, serving: Serving): void {
  const describe = (path: string, build: (base: string, id: string) => Document | undefined) =>
    scope.get(`${root}${path}`, async (request: FastifyRequest, reply) => {
      // RFC 7644, 4: these endpoints cannot be searched.
      if ((request.query as Document).filter !== undefined) refuse("notAllowed");
      const { id = "" } = request.params as { id?: string };
      const body = build(baseUrl(serving, request), id) ?? refuse("notFound");
      return reply.type(scimMediaType).send(body);
    });
  const listAll = (resources: Document[]) => listResponse(resources, resources.length);
  describe("/ServiceProviderConfig", serviceProviderConfig);
  describe("/ResourceTypes", (base) => listAll(resourceTypes(base)));
  describe("/ResourceTypes/:id", (base, id) => resourceTypes(base).find((one) => one.id === id));
  describe("/Schemas", (base) => listAll(schemas(base)));
  describe("/Schemas/:id", (base, id) => schemas(base).find((one) => one.id === id));
}
