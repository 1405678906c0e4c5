import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { clinicRoles, hasAccess } from "@arcada/contract/kernel/roles";
import type { StudyOrigin } from "@arcada/contract/study/study.rules";
import { auditWithCommit } from "../platform/audit/audit.ts";
import type { Config } from "../platform/runtime/config.ts";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Serving } from "../platform/http/serve-calls.ts";
import type { ResourcePath } from "./indexed-instances.store.ts";
import { isPathUid } from "./indexing/index.jobs.ts";

/** A DICOMweb request of a clinic's user. */
export interface DicomwebContext {
  request: FastifyRequest;
  reply: FastifyReply;
  iid: string;
  uid: string;
  sessionId: string;
  origin: StudyOrigin;
  /** Refuses a device that was locked in the meantime. */
  recheckAccess: () => Promise<void>;
  /** The service's own address, for the URLs in its responses. */
  baseUrl: string;
  resource: ResourcePath;
  query: Record<string, unknown>;
  accept: string | undefined;
  config: Config;
  withTenant: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
}

export const dicomwebRoot = "/dicomweb";

/** Only clinics store images: a lab gets the images of its orders with the orders. */
export async function openDicomwebContext(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<DicomwebContext> {
  const scopes =
    request.method === "POST" ? (["dicomweb.write", "device.work"] as const) : (["dicomweb.read"] as const);
  const principal = (await serving.authenticate(request, reply, "stays", scopes)) ?? refuse("unknownSession");
  if (!hasAccess(clinicRoles, principal.role) || !principal.iid) return refuse("notAllowed");
  if (principal.factorMissing) refuse("factorRequired");
  const { uid, iid, sessionId } = principal;
  const query = request.query as Record<string, unknown>;
  const { study, series, instance } = request.params as ResourcePath;
  for (const named of [study, series, instance]) if (named !== undefined && !isPathUid(named)) refuse("notFound");
  return {
    request,
    reply,
    iid,
    uid,
    sessionId,
    origin: principal.kind === "device" ? "device" : "stow",
    recheckAccess: async () =>
      void (principal.kind === "device" && (await serving.authenticate(request, reply, "stays", scopes))),
    baseUrl: `${serving.config.PUBLIC_URL?.replace(/\/$/, "") ?? `${request.protocol}://${request.host}`}${dicomwebRoot}`,
    resource: { ...(study && { study }), ...(series && { series }), ...(instance && { instance }) },
    query,
    accept: typeof query.accept === "string" ? query.accept : request.headers.accept,
    config: serving.config,
    withTenant: (work) => serving.database.as({ system: false, iid, uid }, work),
  };
}

type AuditedAction = "study.list" | "study.read" | "study.upload";
const recentReads = new LRUCache<string, true>({ max: 10_000, ttl: 10 * 60_000 });

/** Writes a line of the audit log; a viewer that reads a study image by image leaves one line in ten minutes. */
export function auditAccess(
  context: DicomwebContext,
  db: Db,
  action: AuditedAction,
  subject: string | null,
  detail: object = {},
): void {
  if (action === "study.read") {
    const key = createHash("sha256").update(`${context.sessionId} ${subject}`).digest("base64");
    if (recentReads.has(key)) return;
    recentReads.set(key, true);
  }
  auditWithCommit(db, {
    institution_id: context.iid,
    user_id: context.uid,
    action,
    subject,
    detail: { ...detail, by: "dicomweb" },
    address: context.request.ip,
    request_id: context.request.id,
  });
}

/**
 * The bytes never change, but the client must ask each time, because its rights may change. Returns true if the client
 * has these bytes.
 */
export function isUnchanged({ request, reply }: DicomwebContext, parts: readonly string[]): boolean {
  const etag = `"${createHash("sha256").update(parts.join("\n")).digest("base64url").slice(0, 32)}"`;
  reply
    .header("etag", etag)
    .header("cache-control", "private, no-cache")
    .header("vary", "accept, token, authorization, origin");
  const wanted = request.headers["if-none-match"];
  return wanted !== undefined && wanted.split(",").some((given) => given.trim().replace(/^W\//, "") === etag);
}
