import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clinicRoles, mayRole } from "@arcada/contract/kernel/roles";
import type { StudyOrigin } from "@arcada/contract/study/study.rules";
import { auditWithCommit } from "../platform/audit/audit.ts";
import type { Config } from "../platform/runtime/config.ts";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Serving } from "../platform/http/serve.ts";
import type { Place } from "./find.store.ts";
import { isUid } from "./index.jobs.ts";

/** A DICOMweb request of somebody in a clinic. */
export interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  iid: string;
  uid: string;
  sessionId: string;
  origin: StudyOrigin;
  /** Refuses a device that was locked in the meantime. */
  again: () => Promise<void>;
  /** The service's own address, for the URLs in its responses. */
  base: string;
  place: Place;
  query: Record<string, unknown>;
  accept: string | undefined;
  config: Config;
  as: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
}

export const root = "/dicomweb";

/** Only clinics store images: a lab gets the images of its orders with the orders. */
export async function askedBy(serving: Serving, request: FastifyRequest, reply: FastifyReply): Promise<Asked> {
  const scopes =
    request.method === "POST" ? (["dicomweb.write", "device.work"] as const) : (["dicomweb.read"] as const);
  const asker = (await serving.authenticate(request, reply, "stays", scopes)) ?? refuse("unknownSession");
  if (!mayRole(clinicRoles, asker.role) || !asker.iid) return refuse("notAllowed");
  if (asker.factorMissing) refuse("factorRequired");
  const { uid, iid, sessionId } = asker;
  const query = request.query as Record<string, unknown>;
  const { study, series, instance } = request.params as Place;
  for (const named of [study, series, instance]) if (named !== undefined && !isUid(named)) refuse("notFound");
  return {
    request,
    reply,
    iid,
    uid,
    sessionId,
    origin: asker.kind === "device" ? "device" : "stow",
    again: async () => void (asker.kind === "device" && (await serving.authenticate(request, reply, "stays", scopes))),
    base: `${serving.config.PUBLIC_URL?.replace(/\/$/, "") ?? `${request.protocol}://${request.host}`}${root}`,
    place: { ...(study && { study }), ...(series && { series }), ...(instance && { instance }) },
    query,
    accept: typeof query.accept === "string" ? query.accept : request.headers.accept,
    config: serving.config,
    as: (work) => serving.database.as({ system: false, iid, uid }, work),
  };
}

type Action = "study.list" | "study.read" | "study.upload";
const auditAgainMs = 10 * 60_000;
const noted = new Map<string, number>();

/** Writes a line of the audit log; a viewer that reads a study image by image leaves one line in ten minutes. */
export function note(asked: Asked, db: Db, action: Action, subject: string | null, detail: object = {}): void {
  const key = createHash("sha256").update(`${asked.sessionId} ${action} ${subject}`).digest("base64");
  const now = Date.now();
  if (action === "study.read" && now - (noted.get(key) ?? 0) < auditAgainMs) return;
  if (noted.size > 10_000) noted.clear();
  noted.set(key, now);
  auditWithCommit(db, {
    institution_id: asked.iid,
    user_id: asked.uid,
    action,
    subject,
    detail: { ...detail, by: "dicomweb" },
    address: asked.request.ip,
    request_id: asked.request.id,
  });
}

/**
 * The bytes never change, but the client must ask each time, because its rights may change. Returns true if the client
 * has these bytes.
 */
export function unchanged({ request, reply }: Asked, parts: readonly string[]): boolean {
  const etag = `"${createHash("sha256").update(parts.join("\n")).digest("base64url").slice(0, 32)}"`;
  reply
    .header("etag", etag)
    .header("cache-control", "private, no-cache")
    .header("vary", "accept, token, authorization, origin");
  const wanted = request.headers["if-none-match"];
  return wanted !== undefined && wanted.split(",").some((given) => given.trim().replace(/^W\//, "") === etag);
}
