import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Server } from "@tus/server";
import { ERRORS } from "@tus/utils";
import type { Locker } from "@tus/utils";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { caseRoles, hasAccess } from "@arcada/contract/kernel/roles";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { Principal } from "../http/request-context.ts";
import type { Database } from "../database/database.ts";
import { refusalNameOf, sendRefusal } from "../http/error-handler.ts";
import { newId } from "../runtime/ids-and-secrets.ts";
import { refuse } from "../http/refuse.ts";
import type { Serving } from "../http/serve-calls.ts";
import { uploadParts } from "../runtime/services.ts";
import { createUploadLocks } from "./upload-locks.ts";
import { UploadStore } from "./upload-store.ts";
import type { UploadSender } from "./upload-store.ts";
import { selectValue } from "../database/select-value.ts";

type UploadServices = Pick<Serving, "database" | "authenticate">;
type Locks = ReturnType<typeof createUploadLocks>;

/** Resumable uploads by tus 1.0 (https://tus.io/protocols/resumable-upload) under /uploads. */
export async function serveUploads(app: FastifyInstance, services: UploadServices): Promise<void> {
  const locks = createUploadLocks(services.database.direct);
  app.addHook("onClose", () => locks.close());
  await app.register(async (scope) => {
    // The bytes stay in the request: the store reads them as they arrive.
    scope.addContentTypeParser("application/offset+octet-stream", (_request, _body, done) => done(null));
    const handler = (request: FastifyRequest, reply: FastifyReply) => receive(services, locks, request, reply);
    const how = { bodyLimit: studyRules.fileBytes, config: { bodyMayLast: true }, handler };
    scope.route({ method: ["POST", "OPTIONS"], url: "/uploads", ...how });
    scope.route({ method: ["HEAD", "PATCH", "DELETE", "OPTIONS"], url: "/uploads/:id", ...how });
  });
}

async function receive(services: UploadServices, locks: Locks, request: FastifyRequest, reply: FastifyReply) {
  // These two extensions of tus are not supported: an upload declares its length, and comes under one address.
  if ("upload-defer-length" in request.headers || "upload-concat" in request.headers) return refuse("badInput");
  if (request.method === "OPTIONS")
    return sendResponse(
      reply,
      await createTusServer(services.database, nobody, locks).server.handleWeb(webRequest(request)),
    );
  // An upload that began before the screen was locked may be finished; no new one may begin.
  const how = request.method === "POST" ? "stays" : "upload";
  const principal = await services.authenticate(request, reply, how, [
    "orders.write",
    "studies.write",
    "device.work",
    "lab.agent",
  ]);
  // Conversion to web streams and back would double the time for the bytes, so the store reads them from the
  // connection.
  const direct = request.method === "PATCH";
  const sender: UploadSender = { ...toSender(principal), hasEnded: false, ...(direct && { raw: request.raw }) };
  const stopWatching = watchSender(services.database, principal!, sender);
  try {
    const { server, failure } = createTusServer(
      services.database,
      sender,
      direct ? cuttingLocker(locks, request) : locks,
    );
    const response = await server.handleWeb(webRequest(request));
    if (response.status < 400) return await sendResponse(reply, response);
    if (direct || response.headers.get("connection") === "close") reply.header("connection", "close");
    return sendRefusal(
      request,
      reply.header("tus-resumable", "1.0.0"),
      refusalFor(request, failure(), response.status),
    );
  } finally {
    stopWatching();
  }
}

/**
 * Gives the lock of this upload to the next waiter at once: the connection that holds it, perhaps a dead one, is cut.
 */
const cuttingLocker = (locks: Locks, request: FastifyRequest): Locker => ({
  newLock: (id) => {
    const lock = locks.newLock(id);
    return {
      lock: (signal, release) =>
        lock.lock(signal, () => {
          request.raw.destroy();
          return release();
        }),
      unlock: () => lock.unlock(),
    };
  },
});

const nobody: UploadSender = { uid: "", iid: "", hasEnded: true };
function toSender(principal: Principal | null): Pick<UploadSender, "uid" | "iid" | "isDevice"> {
  if (!principal) return refuse("unknownSession");
  if (!hasAccess(caseRoles, principal.role) || !principal.iid) return refuse("notAllowed");
  if (principal.factorMissing) return refuse("factorRequired");
  return { uid: principal.uid, iid: principal.iid, isDevice: principal.kind === "device" };
}

/** Makes a tus server for one request, so that its store knows the sender. */
function createTusServer(database: Database, sender: UploadSender, locker: Locker) {
  let failed: unknown;
  const store = new UploadStore(database, uploadParts(), sender);
  const server = new Server({
    path: "/uploads",
    relativeLocation: true,
    datastore: store,
    locker,
    maxSize: studyRules.fileBytes,
    // A request that must release its lock may still write the received bytes to the disk. A hanging connection is not
    // waited for longer.
    lockDrainTimeout: 1000,
    namingFunction: () => newId(),
    // Our own pages need no CORS permission, and nobody else gets one.
    allowedOrigins: () => false,
    onUploadFinish: async (_request, upload) => {
      await store.received(upload.id);
      return {};
    },
    onResponseError: (_request, error) => {
      failed = error;
      return undefined;
    },
  });
  return { server, failure: () => failed };
}

function webRequest(request: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (typeof value === "string") headers.set(name, value);
  const body = request.method === "POST" ? (Readable.toWeb(request.raw) as ReadableStream<Uint8Array>) : null;
  return new Request(`http://uploads${request.url}`, {
    method: request.method,
    headers,
    body,
    duplex: "half",
  } as RequestInit);
}

async function sendResponse(reply: FastifyReply, response: Response) {
  reply.code(response.status);
  for (const [name, value] of response.headers)
    if (!["content-type", "content-length"].includes(name)) reply.header(name, value);
  return reply.send();
}

const refusalByError = new Map<unknown, RefusalName>([
  [ERRORS.INVALID_OFFSET, "uploadOffset"],
  [ERRORS.ABORTED, "uploadOffset"],
  [ERRORS.ERR_LOCK_TIMEOUT, "unavailable"],
  [ERRORS.FILE_NO_LONGER_EXISTS, "uploadUnknown"],
  [ERRORS.FILE_NOT_FOUND, "uploadUnknown"],
]);
function refusalFor(request: FastifyRequest, error: unknown, status: number): RefusalName {
  const name =
    refusalByError.get(error) ?? (status === 413 ? "tooLarge" : status < 500 ? "badInput" : refusalNameOf(error));
  if (name === "internal") request.log.error({ err: error }, "upload");
  return name;
}

const checkEveryMs = 900;

/** Ends a running upload within a second after the session, the membership or the account ended. */
function watchSender(database: Database, principal: Principal, sender: UploadSender): () => void {
  const check = async () => {
    const hasEnded = await database.asSystem((db) => selectValue(db, endedByKind[principal.kind](principal)));
    sender.hasEnded ||= hasEnded;
  };
  const timer = setInterval(() => void check().catch(() => {}), checkEveryMs);
  return () => clearInterval(timer);
}

const sessionEnded = (principal: Principal) =>
  sql<boolean>`exists (select from session where id = ${principal.sessionId} and ended_at is not null)
    or exists (select from users where id = ${principal.uid} and suspended_at is not null)
    or not exists (select from membership where user_id = ${principal.uid} and institution_id = ${principal.iid} and state = 'normal')`;
const keyEnded = (principal: Principal) =>
  sql<boolean>`exists (select from api_key where id = ${principal.sessionId}
    and (revoked_at is not null or expires_at <= now()))`;
const deviceUnbound = (principal: Principal) =>
  sql<boolean>`not exists (select from device where key_id = ${principal.sessionId} and state = 'bound')`;
// No app uploads: its tokens are accepted by FHIR alone.
const endedByKind = {
  browser: sessionEnded,
  api: sessionEnded,
  key: keyEnded,
  device: deviceUnbound,
  app: () => sql<boolean>`true`,
};
