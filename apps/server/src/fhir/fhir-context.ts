import type { FastifyReply, FastifyRequest } from "fastify";
import type { KeyScope } from "@arcada/contract/integrations/integrations.rules";
import { hasAccess } from "@arcada/contract/kernel/roles";
import type { SmartResource, SmartRight } from "@arcada/contract/smart/smart-scopes";
import { demandAppAccess } from "../domain/app-access.ts";
import type { Role } from "@arcada/contract/kernel/roles";
import { auditWithCommit } from "../platform/audit/audit.ts";
import type { Db } from "../platform/database/database.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Principal } from "../platform/http/request-context.ts";
import type { Serving } from "../platform/http/serve-calls.ts";
import { parseLanguage } from "../platform/text/texts.ts";
import type { Language } from "../platform/text/texts.ts";

export const fhirRoot = "/fhir";
export const fhirMediaType = "application/fhir+json; charset=utf-8";

/** The reader of resources: a member of an institution, or a program with its key. */
export interface FhirReader {
  iid: string;
  uid: string;
  role: Role;
  timeZone: string;
  language: Language;
  /**
   * Returns the only patient whose resources of this type the reader may see; null if there is no such limit. Refuses an
   * app that may read none of this type.
   */
  patientOf(type: SmartResource): string | null;
}
/** A request that reads, in its transaction. */
export interface FhirContext extends FhirReader {
  db: Db;
  /** The address of the FHIR endpoint, for the addresses in its responses. */
  base: string;
  /** Writes a line of the audit log together with the reading, if this kind of reading has an action. */
  note(action: string | undefined, subject: string | null): void;
}

/** The right that a reader needs for a type of resource. */
export interface FhirAccess {
  roles: readonly Role[];
  /** The scopes of a key, one of which is needed. */
  scopes: readonly KeyScope[];
}

/**
 * Returns services that authenticate a request once for the same scopes: a request that reads and writes in several
 * steps counts as one against the limit of its key.
 */
export function authenticateOnce(serving: Serving): Serving {
  const known = new WeakMap<FastifyRequest, Map<string, ReturnType<Serving["authenticate"]>>>();
  return {
    ...serving,
    authenticate: (request, reply, mode, scopes = []) => {
      const ofRequest = known.get(request) ?? new Map<string, ReturnType<Serving["authenticate"]>>();
      known.set(request, ofRequest);
      const key = [mode, ...scopes].join(" ");
      const found = ofRequest.get(key) ?? serving.authenticate(request, reply, mode, scopes);
      ofRequest.set(key, found);
      return found;
    },
  };
}

/** The use of a type of resource by a request, which the scopes of an app must allow. */
export interface AppDemand {
  type: SmartResource;
  right: SmartRight;
}

/**
 * Returns who asks; refuses a key or an app without one of the scopes, and a role without access.
 * @param demand null if the caller itself compares the scopes of an app
 */
export async function authenticateReader(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  { roles, scopes }: FhirAccess,
  demand: AppDemand | null,
): Promise<Principal & { iid: string; patientId: string | null }> {
  const accepted = [...scopes, "fhir" as const];
  const principal = (await serving.authenticate(request, reply, "stays", accepted)) ?? refuse("unknownSession");
  const { iid } = principal;
  if (!hasAccess(roles, principal.role) || !iid) return refuse("notAllowed");
  if (principal.factorMissing) refuse("factorRequired");
  const { patientId } = demand ? demandAppAccess(principal, demand.type, demand.right) : { patientId: null };
  return { ...principal, iid, patientId };
}

/** Runs a reading request in one transaction within the reader's institution. */
export async function runFhirRequest<T>(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  access: FhirAccess,
  demand: AppDemand,
  work: (context: FhirContext) => Promise<T>,
): Promise<T> {
  const principal = await authenticateReader(serving, request, reply, access, demand);
  const { iid, uid, role, timeZone } = principal;
  return serving.database.as({ system: false, iid, uid }, (db) =>
    work({
      db,
      iid,
      uid,
      role,
      timeZone,
      base: baseUrl(serving, request),
      language: parseLanguage(request.headers["accept-language"]),
      patientOf: (type) =>
        type === demand.type ? principal.patientId : demandAppAccess(principal, type, "r").patientId,
      note: (action, subject) =>
        action !== undefined &&
        auditWithCommit(db, {
          institution_id: iid,
          user_id: uid,
          action,
          subject,
          detail: { by: "fhir", ...(principal.app && { app: principal.app.id }) },
          address: request.ip,
          request_id: request.id,
        }),
    }),
  );
}

export const baseUrl = ({ config }: Serving, { protocol, host }: FastifyRequest): string =>
  `${config.PUBLIC_URL?.replace(/\/$/, "") ?? `${protocol}://${host}`}${fhirRoot}`;
