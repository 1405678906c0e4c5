import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { launchScopes, smartContexts, smartResources } from "@arcada/contract/smart/smart-scopes";
import { audit } from "../platform/audit/audit.ts";
import { allowCrossOrigin } from "../platform/http/cross-origin.ts";
import { refusalNameOf, setRetryAfter } from "../platform/http/error-handler.ts";
import type { Serving } from "../platform/http/serve-calls.ts";
import { limitedAddress } from "../platform/security/address-for-limits.ts";
import type { AppRow } from "./app.store.ts";
import { authenticateClient } from "./authenticate-client.ts";
import { createKeyFinder, keyAlgorithms } from "./client-keys.ts";
import { endGrantOfToken } from "./grant.store.ts";
import type { GrantRow } from "./grant.store.ts";
import { findOAuthAddresses, revokePath, tokenPath } from "../domain/oauth-addresses.ts";
import type { OAuthAddresses } from "../domain/oauth-addresses.ts";
import { parseTokenForm } from "./token-form.ts";
import type { TokenError, TokenForm } from "./token-form.ts";
import { grantHandlers } from "./token-grants.ts";

const formBytes = 16 * 1024;
const formType = "application/x-www-form-urlencoded";

/** Serves the endpoints of OAuth 2 that apps themselves ask, and the description of them (SMART App Launch 2.2). */
export async function serveTokens(app: FastifyInstance, serving: Serving): Promise<void> {
  const { database, config } = serving;
  const findKeys = createKeyFinder(config);
  const failures = countFailures();
  await app.register(async (scope) => {
    allowCrossOrigin(scope, "/oauth/*");
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(formType, { parseAs: "string", bodyLimit: formBytes }, (_, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler((error, request, reply) => {
      const name = refusalNameOf(error);
      if (name === "internal") request.log.error({ err: error, route: request.routeOptions.url }, "oauth");
      const isFault = name === "internal" || name === "unavailable";
      setRetryAfter(reply, name);
      return reply.code(isFault ? 503 : 400).send({ error: isFault ? "temporarily_unavailable" : "invalid_request" });
    });

    /** Answers only an app that has proven who it is; counts those that have not. */
    const servePath = (
      path: string,
      work: (client: AppRow, form: TokenForm, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
    ) =>
      scope.post(path, async (request, reply) => {
        reply.header("pragma", "no-cache");
        const form = parseTokenForm(typeof request.body === "string" ? request.body : "");
        if (!form) return sendError(reply, "invalid_request");
        const key = `${limitedAddress(request.ip)} ${form.client_id ?? ""}`;
        if (failures.isBlocked(key)) return reply.code(429).header("retry-after", "60").send({ error: "slow_down" });
        const { token, fhir } = findOAuthAddresses(config, request);
        const check = { database, findKeys, audience: [token, fhir] };
        const client = await authenticateClient(check, form, request.headers.authorization);
        if (client) return work(client, form, request, reply);
        failures.count(key);
        return sendError(reply, "invalid_client", request.headers.authorization !== undefined);
      });

    servePath(tokenPath, async (client, form, request, reply) => {
      const handler = Object.hasOwn(grantHandlers, form.grant_type ?? "")
        ? grantHandlers[form.grant_type ?? ""]
        : undefined;
      if (!handler) return sendError(reply, "unsupported_grant_type");
      const outcome = await database.asSystem(async (db) => {
        const found = await handler(db, client, form);
        if ("error" in found && found.replayed) await audit(db, describeReplay(found.replayed, request));
        return found;
      });
      if ("answer" in outcome) return reply.send(outcome.answer);
      failures.count(`${limitedAddress(request.ip)} ${form.client_id ?? ""}`);
      return sendError(reply, outcome.error);
    });
    servePath(revokePath, async (client, form, _, reply) => {
      if (form.token === undefined) return sendError(reply, "invalid_request");
      const { token } = form;
      await database.asSystem((db) => endGrantOfToken(db, client.id, token));
      // RFC 7009, 2.2: also for a token that is unknown.
      return reply.code(200).send();
    });
  });
  await serveConfiguration(app, serving);
}

const serveConfiguration = (app: FastifyInstance, { config }: Serving) =>
  app.register(async (scope) => {
    allowCrossOrigin(scope, "/fhir/.well-known/*");
    scope.get("/fhir/.well-known/smart-configuration", (request, reply) =>
      reply.type("application/json").send(describeServer(findOAuthAddresses(config, request))),
    );
  });

const describeServer = ({ authorize, token, revoke }: OAuthAddresses) => ({
  authorization_endpoint: authorize,
  token_endpoint: token,
  revocation_endpoint: revoke,
  response_types_supported: ["code"],
  grant_types_supported: Object.keys(grantHandlers),
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "private_key_jwt"],
  token_endpoint_auth_signing_alg_values_supported: keyAlgorithms,
  scopes_supported: [
    ...launchScopes,
    ...smartContexts.flatMap((context) => ["*", ...smartResources].map((type) => `${context}/${type}.cruds`)),
  ],
  capabilities: [
    "launch-ehr",
    "launch-standalone",
    "client-public",
    "client-confidential-symmetric",
    "client-confidential-asymmetric",
    "context-ehr-patient",
    "context-standalone-patient",
    "permission-offline",
    "permission-patient",
    "permission-user",
    "permission-v1",
    "permission-v2",
  ],
});

const describeReplay = ({ institution_id, user_id, app_id }: GrantRow, { ip, id }: FastifyRequest) => ({
  institution_id,
  user_id,
  action: "smart.replay",
  subject: app_id,
  address: ip,
  request_id: id,
});

/** RFC 6749, 5.2: 401 for an unknown client, with the scheme that it used. */
function sendError(reply: FastifyReply, error: TokenError, usedBasic = false): FastifyReply {
  if (usedBasic) reply.header("www-authenticate", 'Basic realm="Arcada"');
  return reply.code(error === "invalid_client" ? 401 : 400).send({ error });
}

/** Failed attempts within a minute, of one address for one app. Each process counts for itself. */
function countFailures() {
  const most = 20;
  const counts = new LRUCache<string, { count: number }>({ max: 20_000, ttl: 60_000 });
  return {
    isBlocked: (key: string): boolean => (counts.get(key)?.count ?? 0) >= most,
    count(key: string): void {
      const known = counts.get(key);
      if (known) known.count += 1;
      else counts.set(key, { count: 1 });
    },
  };
}
