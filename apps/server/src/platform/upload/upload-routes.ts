import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Server } from "@tus/server";
import { ERRORS } from "@tus/utils";
import type { Locker } from "@tus/utils";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { caseRoles, mayRole } from "@arcada/contract/kernel/roles";
import { studyRules } from "@arcada/contract/study/study.rules";
import type { Principal } from "../http/request-context.ts";
import type { Database } from "../database/database.ts";
import { nameOf, sendRefusal } from "../http/errors.ts";
import { newId } from "../runtime/ids.ts";
import { refuse } from "../http/refuse.ts";
import type { Serving } from "../http/serve.ts";
import { parts } from "../runtime/services.ts";
import { uploadLocks } from "./upload-locks.ts";
import { UploadStore } from "./upload-store.ts";
import type { Sender } from "./upload-store.ts";

type Served = Pick<Serving, "database" | "authenticate">;
type Locks = ReturnType<typeof uploadLocks>;

/** Resumable uploads by tus 1.0 (https://tus.io/protocols/resumable-upload) under /uploads. */
export async function serveUploads(app: FastifyInstance, serving: Served): Promise<void> {
  const locks = uploadLocks(serving.database.pool.options);
  app.addHook("onClose", () => locks.close());
  await app.register(async (scope) => {
    // The bytes stay in the request: the store reads them as they arrive.
    scope.addContentTypeParser("application/offset+octet-stream", (_request, _body, done) => done(null));
    const handler = (request: FastifyRequest, reply: FastifyReply) => receive(serving, locks, request, reply);
    const how = { bodyLimit: studyRules.fileBytes, config: { bodyMayLast: true }, handler };
    scope.route({ method: ["POST", "OPTIONS"], url: "/uploads", ...how });
    scope.route({ method: ["HEAD", "PATCH", "DELETE", "OPTIONS"], url: "/uploads/:id", ...how });
  });
}

async function receive(serving: Served, locks: Locks, request: FastifyRequest, reply: FastifyReply) {
  // These two extensions of tus are not supported: an upload declares its length, and comes under one address.
  if ("upload-defer-length" in request.headers || "upload-concat" in request.headers) return refuse("badInput");
  if (request.method === "OPTIONS")
    return answer(reply, await tusServer(serving.database, nobody, locks).server.handleWeb(webRequest(request)));
  // An upload that began before the screen was locked may be finished; no new one may begin.
  const how = request.method === "POST" ? "stays" : "upload";
  const asker = await serving.authenticate(request, reply, how, ["orders.write", "studies.write", "device.work"]);
  // Conversion to web streams and back would double the time for the bytes, so the store reads them from the
  // connection.
  const direct = request.method === "PATCH";
  const sender: Sender = { ...senderOf(asker), gone: false, ...(direct && { raw: request.raw }) };
  const stopWatching = watch(serving.database, asker!, sender);
  try {
    const { server, failure } = tusServer(serving.database, sender, direct ? letGo(locks, request) : locks);
    const response = await server.handleWeb(webRequest(request));
    if (response.status < 400) return await answer(reply, response);
    if (direct || response.headers.get("connection") === "close") reply.header("connection", "close");
    return sendRefusal(request, reply.header("tus-resumable", "1.0.0"), nameFor(request, failure(), response.status));
  } finally {
    stopWatching();
  }
}

/**
 * Gives the lock of this upload to the next waiter at once: the connection that holds it, perhaps a dead one, is cut.
 */
const letGo = (locks: Locks, request: FastifyRequest): Locker => ({
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

const nobody: Sender = { uid: "", iid: "", gone: true };
function senderOf(asker: Principal | null): Pick<Sender, "uid" | "iid" | "isDevice"> {
  if (!asker) return refuse("unknownSession");
  if (!mayRole(caseRoles, asker.role) || !asker.iid) return refuse("notAllowed");
  if (asker.factorMissing) return refuse("factorRequired");
  return { uid: asker.uid, iid: asker.iid, isDevice: asker.kind === "device" };
}

/** Makes a tus server for one request, so that its store knows the sender. */
function tusServer(database: Database, sender: Sender, locker: Locker) {
  let failed: unknown;
  const store = new UploadStore(database, parts(), sender);
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

async function answer(reply: FastifyReply, response: Response) {
  reply.code(response.status);
  for (const [name, value] of response.headers)
    if (!["content-type", "content-length"].includes(name)) reply.header(name, value);
  return reply.send();
}

const byError = new Map<unknown, RefusalName>([
  [ERRORS.INVALID_OFFSET, "uploadOffset"],
  [ERRORS.ABORTED, "uploadOffset"],
  [ERRORS.ERR_LOCK_TIMEOUT, "unavailable"],
  [ERRORS.FILE_NO_LONGER_EXISTS, "uploadUnknown"],
  [ERRORS.FILE_NOT_FOUND, "uploadUnknown"],
]);
function nameFor(request: FastifyRequest, error: unknown, status: number): RefusalName {
  const name = byError.get(error) ?? (status === 413 ? "tooLarge" : status < 500 ? "badInput" : nameOf(error));
  if (name === "internal") request.log.error({ err: error }, "upload");
  return name;
}

const lookEvery = 900;

/** Ends a running upload within a second after the session, the membership or the account ended. */
function watch(database: Database, asker: Principal, sender: Sender): () => void {
  const look = async () => {
    const { rows } = await database.asSystem((db) => goneOf[asker.kind](asker).execute(db));
    sender.gone ||= rows[0]?.gone ?? false;
  };
  const timer = setInterval(() => void look().catch(() => {}), lookEvery);
  return () => clearInterval(timer);
}

const sessionGone = (asker: Principal) =>
  sql<{ gone: boolean }>`select exists (select from session where id = ${asker.sessionId} and ended_at is not null)
    or exists (select from users where id = ${asker.uid} and suspended_at is not null)
    or not exists (select from membership where user_id = ${asker.uid} and institution_id = ${asker.iid} and state = 'normal') as gone`;
const keyGone = (asker: Principal) =>
  sql<{ gone: boolean }>`select exists (select from api_key where id = ${asker.sessionId}
    and (revoked_at is not null or expires_at <= now())) as gone`;
const deviceGone = (asker: Principal) =>
  sql<{
    gone: boolean;
  }>`select not exists (select from device where key_id = ${asker.sessionId} and state = 'bound') as gone`;
const goneOf = { browser: sessionGone, api: sessionGone, key: keyGone, device: deviceGone };
