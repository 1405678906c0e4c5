import type { FastifyReply, FastifyRequest } from "fastify";
import { caseRoles, hasAccess, roles } from "@arcada/contract/kernel/roles";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import type { Provisioner } from "../member/provisioning.writes.ts";
import { audit } from "../platform/audit/audit.ts";
import { retryOnConflict } from "../platform/database/retry.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Serving } from "../platform/http/serve.ts";

/** An organisation whose members follow its identity provider, in a transaction. */
export interface ProvisionedInstitution extends Provisioner {
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
        by: "scim",
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

export const baseUrl = ({ config }: Serving, { protocol, host }: FastifyRequest): string =>
  `${config.PUBLIC_URL?.replace(/\/$/, "") ?? `${protocol}://${host}`}${scimRules.root}`;
