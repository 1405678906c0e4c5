import type { FastifyReply, FastifyRequest } from "fastify";
import { caseRoles, hasAccess, roles } from "@arcada/contract/kernel/roles";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import { membershipDemanded } from "../member/member.events.ts";
import type { MembershipChange } from "../member/member.events.ts";
import { audit } from "../platform/audit/audit.ts";
import type { Db } from "../platform/database/database.ts";
import { retryOnConflict } from "../platform/database/retry.ts";
import { publish } from "../platform/events/events.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Serving } from "../platform/http/serve-calls.ts";

/** An organisation whose members follow its identity provider, in a transaction. */
export interface ProvisionedInstitution {
  db: Db;
  /** The key of the identity provider, or the manager who gives a group a role. */
  principal: { uid: string };
  address: string;
  iid: string;
  type: "clinic" | "lab";
}
/** A request of an organisation's identity provider. */
export interface ScimContext extends ProvisionedInstitution {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The address of the service, for the locations of resources. */
  base: string;
  query: Record<string, unknown>;
  record(action: `scim.${string}`, subject: string, detail?: Record<string, unknown>): Promise<void>;
}

/** Runs a request in one transaction within the organisation of its key. No session of a person is accepted. */
export async function runScimRequest<T>(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (context: ScimContext) => Promise<T>,
): Promise<T> {
  const principal =
    (await serving.authenticate(request, reply, "stays", ["members.provision"])) ?? refuse("unknownSession");
  const { iid, uid, role } = principal;
  if (principal.kind !== "key" || !iid || !hasAccess(caseRoles, role)) return refuse("notAllowed");
  return retryOnConflict(() =>
    serving.database.as({ system: false, iid, uid }, (db) =>
      work({
        db,
        request,
        reply,
        iid,
        type: roles[role].side === "lab" ? "lab" : "clinic",
        principal: { uid },
        address: request.ip,
        base: baseUrl(serving, request),
        query: request.query as Record<string, unknown>,
        record: (action, subject, detail = {}) =>
          audit(db, {
            institution_id: iid,
            user_id: uid,
            action,
            subject,
            detail,
            address: request.ip,
            request_id: request.id,
          }),
      }),
    ),
  );
}

/** Demands a change of a membership, which the member slice makes or refuses. */
export const demandChange = (
  { db, iid, principal, address }: ProvisionedInstitution,
  change: MembershipChange,
): Promise<void> =>
  publish(db, membershipDemanded, { institution: iid, by: principal.uid, source: "scim", address, change });

export const baseUrl = ({ config }: Serving, { protocol, host }: FastifyRequest): string =>
  `${config.PUBLIC_URL?.replace(/\/$/, "") ?? `${protocol}://${host}`}${scimRules.root}`;
