import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Bundle, OperationOutcome, OperationOutcomeIssue, Organization, Resource, Task } from "@medplum/fhirtypes";
import { sql } from "kysely";
import { refusals } from "@arcada/contract/kernel/refusals";
import { caseRoles, hasAccess } from "@arcada/contract/kernel/roles";
import { demandAppAccess } from "../../domain/app-access.ts";
import type { AppAccess } from "../../domain/app-access.ts";
import { findOAuthAddresses } from "../../domain/oauth-addresses.ts";
import { audit } from "../../platform/audit/audit.ts";
import type { Db } from "../../platform/database/database.ts";
import { allowCrossOrigin } from "../../platform/http/cross-origin.ts";
import { refusalNameOf } from "../../platform/http/error-handler.ts";
import type { Principal } from "../../platform/http/request-context.ts";
import { Refused, refuse } from "../../platform/http/refuse.ts";
import type { Serving } from "../../platform/http/serve-calls.ts";
import { parseLanguage, translate } from "../../platform/text/texts.ts";
import { readOrder } from "../core/order.read.ts";
import type { NamedOrder } from "../core/order.read.ts";
import { capabilityStatement } from "./fhir.capability.ts";
import { searchTasks } from "./fhir.search.ts";
import { toServiceRequest, systems, toTask } from "./fhir.view.ts";
import type { FhirReader } from "./fhir.view.ts";
import type { Row } from "../../tables/row.ts";

const root = "/fhir";
const mediaType = "application/fhir+json; charset=utf-8";
interface FhirRequest extends FhirReader {
  request: FastifyRequest;
  reply: FastifyReply;
  base: string;
  db: Db;
  principal: Principal;
  timeZone: string;
  note(action: "order.list" | "order.read", subject: string | null): Promise<void>;
}
type FhirHandler = (fhirRequest: FhirRequest, id: string) => Promise<Resource>;

/** Serves orders in HL7 FHIR R4, read-only: a session or a key sees the same as by the other calls. */
export async function serveFhir(app: FastifyInstance, serving: Serving): Promise<void> {
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const name = refusalNameOf(error);
      if (name === "internal") request.log.error({ err: error, route: request.routeOptions.url }, "fhir");
      const details = error instanceof Refused ? error.details : null;
      return reply
        .code(refusals[name].status)
        .type(mediaType)
        .send(operationOutcome(request, name, details));
    });
    allowCrossOrigin(scope, `${root}/*`);
    scope.get(`${root}/metadata`, async (request, reply) => {
      requireJson(request);
      return reply
        .type(mediaType)
        .send(capabilityStatement(baseUrl(serving, request), findOAuthAddresses(serving.config, request)));
    });
    for (const [path, handler] of Object.entries(handlers))
      scope.get(`${root}/${path}`, async (request, reply) => {
        requireJson(request);
        const body = await runInScope(serving, request, reply, (fhirRequest) =>
          handler(fhirRequest, (request.params as { id?: string }).id ?? ""),
        );
        return reply.type(mediaType).send(body);
      });
    scope.get(`${root}/*`, () => refuse("notFound"));
  });
}

const handlers: Record<string, FhirHandler> = {
  Task: searchHandler,
  "Task/:id": async (fhirRequest, id) => toTask(await findOrder(fhirRequest, "Task", id), fhirRequest),
  "ServiceRequest/:id": async (fhirRequest, id) =>
    toServiceRequest(await findOrder(fhirRequest, "ServiceRequest", id), fhirRequest),
  "Organization/:id": readOrganization,
};

async function findOrder(fhirRequest: FhirRequest, type: "Task" | "ServiceRequest", id: string): Promise<NamedOrder> {
  const order = (uuid.test(id) && (await readOrder(fhirRequest.db, fhirRequest.iid, id))) || refuse("notFound");
  requireShown(fhirRequest, order, demandAppAccess(fhirRequest.principal, type, "r"));
  fhirRequest.reply
    .header("etag", `W/"${order.version}"`)
    .header("last-modified", new Date(order.updated_at).toUTCString());
  await fhirRequest.note("order.read", id);
  return order;
}
/** An app that may see one patient gets no order of another one, nor one that another organisation wrote. */
function requireShown({ iid }: FhirRequest, order: NamedOrder, { patientId }: AppAccess): void {
  if (patientId === null) return;
  if (order.institution_id !== iid || order.patient_id !== patientId) refuse("notFound");
}
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function searchHandler(fhirRequest: FhirRequest): Promise<Bundle<Task>> {
  const { request, base, db } = fhirRequest;
  const query = Object.entries(request.query as Record<string, string | string[]>).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const strict = /handling=strict/.test(String(request.headers.prefer ?? ""));
  const { patientId } = demandAppAccess(fhirRequest.principal, "Task", "s");
  const { orders, total, next, used } = await searchTasks(db, { ...fhirRequest, patientId }, query, strict);
  await fhirRequest.note("order.list", null);
  const at = (pairs: [string, string][]) => `${base}/Task${pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ""}`;
  const nextParameters = used.filter(([name]) => name !== "_cursor");
  return {
    resourceType: "Bundle",
    type: "searchset",
    total,
    link: [
      { relation: "self", url: at(used) },
      ...(next ? [{ relation: "next", url: at([...nextParameters, ["_cursor", next]]) }] : []),
    ],
    ...(orders.length > 0 && {
      entry: orders.map((order) => ({
        fullUrl: `${base}/Task/${order.id}`,
        resource: toTask(order, fhirRequest),
        search: { mode: "match" as const },
      })),
    }),
  };
}

/** The reader's own institution, or the other side of one of its orders. */
async function readOrganization({ db, iid, principal }: FhirRequest, id: string): Promise<Organization> {
  // An organisation is no patient's record: an app with a patient sees those of the orders that it may see.
  const { patientId } = demandAppAccess(principal, "Organization", "r");
  if (!uuid.test(id)) refuse("notFound");
  const { rows } = await sql<Row<"institution", "name" | "number" | "type" | "country">>`
    select name, number, type, country from institution where id = ${id} and (id = ${iid} or exists (select from orders o
      where (o.institution_id = ${iid} and o.receiver_id = institution.id
          and (${patientId}::uuid is null or o.patient_id = ${patientId}))
        or (${patientId}::uuid is null and o.institution_id = institution.id and o.receiver_id = ${iid} and o.handed_over_at is not null)))`.execute(
    db,
  );
  const { name, number, type, country } = rows[0] ?? refuse("notFound");
  return {
    resourceType: "Organization",
    id,
    identifier: [{ system: systems.organisationNumber, value: number }],
    active: true,
    type: [{ coding: [{ system: systems.organisationType, code: type }] }],
    name,
    ...(country && { address: [{ country }] }),
  };
}

async function runInScope<T>(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (fhirRequest: FhirRequest) => Promise<T>,
): Promise<T> {
  const principal =
    (await serving.authenticate(request, reply, "stays", ["orders.read", "fhir"])) ?? refuse("unknownSession");
  const { iid, uid } = principal;
  if (!hasAccess(caseRoles, principal.role) || !iid) return refuse("notAllowed");
  if (principal.factorMissing) refuse("factorRequired");
  return serving.database.as({ system: false, iid, uid }, (db) =>
    work({
      request,
      reply,
      db,
      iid,
      principal,
      timeZone: principal.timeZone,
      base: baseUrl(serving, request),
      language: parseLanguage(request.headers["accept-language"]),
      note: (action, subject) =>
        audit(db, {
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

const baseUrl = ({ config }: Serving, { protocol, host }: FastifyRequest): string =>
  `${config.PUBLIC_URL?.replace(/\/$/, "") ?? `${protocol}://${host}`}${root}`;

/** XML is not supported. */
function requireJson({ query, headers }: FastifyRequest): void {
  const { _format: format } = query as { _format?: string | string[] };
  const wanted = String(format ?? headers.accept ?? "*/*");
  if (!/json|\*\/\*|application\/\*/.test(wanted)) refuse("notAcceptable");
}

const issueCodes: Partial<Record<number, OperationOutcomeIssue["code"]>> = {
  400: "invalid",
  401: "login",
  403: "forbidden",
  404: "not-found",
  406: "not-supported",
  422: "invalid",
  429: "throttled",
  503: "transient",
};
function operationOutcome(request: FastifyRequest, name: keyof typeof refusals, details: unknown): OperationOutcome {
  const values = (details ?? {}) as Record<string, string>;
  const message = translate(parseLanguage(request.headers["accept-language"]), "refusals", name, values);
  const fields = name === "badInput" ? ` (${Object.keys(values).join(", ")})` : "";
  return {
    resourceType: "OperationOutcome",
    issue: [
      { severity: "error", code: issueCodes[refusals[name].status] ?? "exception", diagnostics: `${message}${fields}` },
    ],
  };
}
