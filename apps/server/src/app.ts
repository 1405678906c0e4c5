import Fastify from "fastify";
import { findUnstorablePath } from "@arcada/contract/kernel/storable-text";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { withStepUpProof } from "./account/factor/factor-proof.ts";
import { findValidSessions } from "./account/session/session-validity.ts";
import { createAuthenticator, switchMembership } from "./account/session/session.ts";
import { authenticateDevices } from "./device/authenticate-devices.ts";
import { authenticateApiKeys } from "./integrations/authenticate-api-keys.ts";
import { serveArchives } from "./platform/http/zip-archive-routes.ts";
import type { Config } from "./platform/runtime/config.ts";
import type { Database } from "./platform/database/database.ts";
import { registerErrorHandler } from "./platform/http/error-handler.ts";
import { createHolderGuard } from "./platform/live/address-holders.ts";
import type { FindValidHolders, ValidHolder } from "./platform/live/address-holders.ts";
import { createFileAccessCheck } from "./platform/storage/file-access.ts";
import { directDownloadRecorder, serveFiles } from "./platform/http/file-routes.ts";
import { serveHealth } from "./platform/telemetry/health-routes.ts";
import type { HealthServices } from "./platform/telemetry/health-routes.ts";
import { requestSeconds } from "./platform/telemetry/counters-and-histograms.ts";
import { logCaller, logOptions } from "./platform/telemetry/request-log.ts";
import { traceRequests } from "./platform/telemetry/trace-requests.ts";
import { guardHosts } from "./platform/http/host-guard.ts";
import { newId } from "./platform/runtime/ids-and-secrets.ts";
import { serveLive } from "./platform/live/live-streams.ts";
import type { Live } from "./platform/live/live-notifications.ts";
import { headerLimits, limitHeaders } from "./platform/http/header-limits.ts";
import { limitRequests, toRateLimits } from "./platform/http/rate-limit.ts";
import { servePages } from "./platform/http/static-pages.ts";
import { serveWellKnownFiles } from "./platform/http/well-known-files.ts";
import { serveDocuments } from "./platform/http/pdf-routes.ts";
import { refuse } from "./platform/http/refuse.ts";
import { serve } from "./platform/http/serve-calls.ts";
import type { Authenticate, Serving } from "./platform/http/serve-calls.ts";
import { limitSlowBodies, readerTimeoutMs } from "./platform/http/slow-bodies.ts";
import { onStepUp } from "./platform/security/step-up.ts";
import { serveUploads } from "./platform/upload/upload-routes.ts";
import { guestAuthenticator } from "./share/guest-session.ts";
import { authenticateApps } from "./smart/authenticate-apps.ts";
import { orderCopyMaker } from "./study/deidentify/deidentified-order-files.ts";
import { slices } from "./slices.ts";
import type { Slice } from "./platform/runtime/slice.ts";

export interface AppServices extends HealthServices {
  live: Live;
  /** Collects the path of every route, for the test that nothing undeclared is served. */
  served: Set<string>;
}

/** The HTTP application, not listening yet. */
export async function createApp(services: AppServices): Promise<FastifyInstance> {
  const { config, database, live, served } = services;
  const app = Fastify({
    ...logOptions(config),
    genReqId: () => newId(),
    // Trust only the nearest proxy: everything further left in X-Forwarded-For was written by the client.
    trustProxy: config.TRUST_PROXY ? (_, hop) => hop === 0 : false,
    bodyLimit: 2 * 1024 * 1024,
    connectionTimeout: readerTimeoutMs,
    http: headerLimits,
  });
  traceRequests(app, config);
  measureRequests(app);
  limitSlowBodies(app);
  sendHeaders(app, config);
  limitHeaders(app);
  limitRequests(app, toRateLimits(config));
  guardHosts(app, config);
  app.addHook("onRequest", refuseUnstorableText);
  app.addHook("onRoute", ({ url }) => void served.add(url));
  registerErrorHandler(app);
  onStepUp((context, proof) => withStepUpProof(context, proof, async () => undefined));
  const serving: Serving = {
    config,
    database,
    authenticate: logPrincipal(
      authenticateApps(
        database,
        authenticateDevices(database, authenticateApiKeys(database, createAuthenticator(database, config, live))),
      ),
    ),
    move: switchMembership,
    authenticateGuest: guestAuthenticator(database, config),
  };
  serve(
    app,
    serving,
    slices.flatMap(({ routes }) => routes ?? []),
  );
  serveLive(app, { live, authenticate: serving.authenticate, findValidSessions: findValidSessions(database) });
  serveHealth(app, services);
  await serveUploads(app, serving);
  const readers = createHolderGuard(findValidHolders(database), config);
  for (const slice of slices) await slice.serve?.(app, { ...serving, readers });
  serveFiles(app, {
    readers,
    maySee: createFileAccessCheck(database),
    deidentify: orderCopyMaker(database),
    recordDirectDownload: directDownloadRecorder(database),
  });
  serveArchives(
    app,
    readers,
    joinParts((slice) => slice.archives?.(database)),
  );
  serveDocuments(
    app,
    readers,
    joinParts((slice) => slice.documents?.(database)),
  );
  serveWellKnownFiles(app, config);
  await servePages(app, config);
  return app;
}

/** The server sends these headers with every response. */
function sendHeaders(app: FastifyInstance, config: Config): void {
  app.addHook("onRequest", async (request, reply) => {
    reply
      .header("request-id", request.id)
      .header("x-content-type-options", "nosniff")
      .header("referrer-policy", "no-referrer")
      // Responses contain patient data; those that may be cached (files, images, the application) override this header.
      .header("cache-control", "no-store")
      // A page that opens ours, or is opened by it, gets no reference to its window.
      .header("cross-origin-opener-policy", "same-origin");
    if (config.PUBLIC_URL?.startsWith("https:")) reply.header("strict-transport-security", "max-age=31536000");
  });
}

/** The contract's calls refuse such text in their bodies; this check covers addresses of every kind. */
async function refuseUnstorableText({ params, query }: FastifyRequest): Promise<void> {
  if (findUnstorablePath(params) || findUnstorablePath(query)) refuse("badInput");
}

/** Joins the archives or documents of all slices; a test of the slices checks that no kind is missing. */
const joinParts = <T extends object>(part: (slice: Slice) => Partial<T> | undefined): T =>
  Object.assign({}, ...slices.map(part)) as T;

/** Returns those of the given sessions, guest sessions, API keys and devices that are still valid. */
function findValidHolders(database: Database): FindValidHolders<ValidHolder> {
  const kinds = slices.flatMap(({ validHolders }) => (validHolders ? [validHolders(database)] : []));
  return async (asked) => {
    const found = new Map<string, ValidHolder>();
    for (const find of kinds) {
      const others = asked.filter((one) => !found.has(one));
      if (others.length > 0) for (const [id, reader] of await find(others)) found.set(id, reader);
    }
    return found;
  };
}

function measureRequests(app: FastifyInstance): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    const labels = { method: request.method, route, status: String(reply.statusCode) };
    requestSeconds.observe(labels, reply.elapsedTime / 1000);
  });
}

const logPrincipal =
  (authenticate: Authenticate): Authenticate =>
  async (request, ...rest) => {
    const principal = await authenticate(request, ...rest);
    if (principal) logCaller(request, principal);
    return principal;
  };
