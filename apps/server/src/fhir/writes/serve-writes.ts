import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { OperationOutcome } from "@medplum/fhirtypes";
import { everyCall } from "@arcada/contract/calls";
import { findUnstorablePath, isStorable } from "@arcada/contract/kernel/storable-text";
import { maxInt32 } from "@arcada/contract/kernel/fields";
import { Refused, refuse } from "../../platform/http/refuse.ts";
import { runCall } from "../../platform/http/serve-calls.ts";
import type { Route, Serving } from "../../platform/http/serve-calls.ts";
import { authenticateReader, baseUrl, fhirMediaType, fhirRoot, runFhirRequest } from "../fhir-context.ts";
import type { AppDemand } from "../fhir-context.ts";
import type {
  CallRoutes,
  ResourceDefinition,
  WriteAnswer,
  WriteDefinition,
  WriteRequest,
} from "../resource-definition.ts";
import { isUuid, readReference } from "../search/search-parameters.ts";
import { readSearch } from "../search/search-request.ts";
import { loadVisible, searchTable } from "../search/search-table.ts";
import { PreconditionFailed } from "../operation-outcome.ts";
import { isObject } from "./body-reader.ts";

/** A resource that is written has no reason to be longer. */
const bodyBytes = 262_144;

export function listCallRoutes(routes: readonly Route[]): CallRoutes {
  const byCall = new Map(routes.map((route) => [route.call, route]));
  return new Map(
    everyCall().flatMap(({ name, row }) => {
      const route = byCall.get(row);
      return route ? [[name, route] as const] : [];
    }),
  );
}

/** Serves `create` and `update` of a type, as far as its definition has them. */
export function serveWrites(
  scope: FastifyInstance,
  serving: Serving,
  definition: ResourceDefinition,
  calls: CallRoutes,
): void {
  const { type, write } = definition;
  if (!write) return;
  const answer = async (request: FastifyRequest, reply: FastifyReply, id: string | null) => {
    const demand = { type, right: id === null ? "c" : "u" } as const;
    const { patientId } = await authenticateReader(serving, request, reply, write.access, demand);
    const body = readBody(request);
    if (id !== null && body.id !== id) refuse("badInput", { [`${type}.id`]: "invalid" });
    if (patientId !== null)
      await requireOwnPatient({ serving, request, reply, definition, write, demand }, body, patientId);
    const found = id === null ? await findExisting(serving, request, reply, definition, write) : null;
    if (found !== null)
      return sendWritten(serving, request, reply, definition, { status: 200, id: found, ignored: [] });
    const written = await write
      .write(buildRequest(serving, request, reply, { write, demand, calls, body, id }))
      .catch(async (error: unknown) => {
        // Another request with the same condition came first: its patient is the one that was asked for.
        const other =
          id === null && error instanceof Refused && error.refusal === "patientDuplicate"
            ? await findExisting(serving, request, reply, definition, write)
            : null;
        if (other !== null) return { status: 200 as const, id: other, ignored: [] };
        // The records of others must not be found by guesses.
        if (patientId !== null && error instanceof Refused && error.refusal === "patientDuplicate")
          refuse("patientDuplicate");
        throw toPreconditionFailure(request, error);
      });
    return sendWritten(serving, request, reply, definition, written);
  };
  if (write.interactions.includes("create"))
    scope.post(`${fhirRoot}/${type}`, { bodyLimit: bodyBytes }, (request, reply) => answer(request, reply, null));
  if (write.interactions.includes("update"))
    scope.put(`${fhirRoot}/${type}/:id`, { bodyLimit: bodyBytes }, (request, reply) =>
      answer(request, reply, (request.params as { id: string }).id),
    );
}

function readBody(request: FastifyRequest): Record<string, unknown> {
  const { body } = request;
  if (!isObject(body)) return refuse("badJson");
  if (findUnstorablePath(body)) refuse("badInput");
  return body;
}

function buildRequest(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    write,
    demand,
    calls,
    body,
    id,
  }: {
    write: WriteDefinition;
    demand: AppDemand;
    calls: CallRoutes;
    body: Record<string, unknown>;
    id: string | null;
  },
): WriteRequest {
  return {
    body,
    id,
    version: id === null ? null : readVersion(request, body),
    isLenient: prefers(request, "handling=lenient"),
    evenIfDuplicate: (request.query as Record<string, unknown>)._evenIfDuplicate === "true",
    read: (work) => runFhirRequest(serving, request, reply, write.access, demand, work),
    call: (name, input) => {
      const route = calls.get(name);
      if (!route) throw new Error(`no call ${name}`);
      return runCall(acceptApps(serving), route, request, reply, { raw: input, mode: "stays" });
    },
  };
}

/** The calls behind a change accept the app whose scopes were compared. */
const acceptApps = (serving: Serving): Serving => ({
  ...serving,
  authenticate: (request, reply, mode, scopes = []) => serving.authenticate(request, reply, mode, [...scopes, "fhir"]),
});

interface LimitedWrite {
  serving: Serving;
  request: FastifyRequest;
  reply: FastifyReply;
  definition: ResourceDefinition;
  write: WriteDefinition;
  demand: AppDemand;
}
/** An app with one patient changes what is this patient's, and leaves it there. */
async function requireOwnPatient(
  { serving, request, reply, definition, write, demand }: LimitedWrite,
  body: Record<string, unknown>,
  patientId: string,
): Promise<void> {
  // Another patient is none of theirs, whatever the body names as its subject.
  if (demand.right === "c" && definition.type === "Patient") refuse("notFound");
  const subject = isObject(body.subject) ? body.subject.reference : undefined;
  const named = typeof subject === "string" ? readReference(subject, "Patient") : null;
  if ((demand.right === "c" || body.subject !== undefined) && named !== patientId) refuse("notFound");
  if (demand.right === "c") return;
  if (definition.kind !== "table" || typeof body.id !== "string" || !isUuid(body.id)) return refuse("notFound");
  const ids = [body.id];
  const seen = await runFhirRequest(serving, request, reply, write.access, demand, (context) =>
    loadVisible(context, definition, ids),
  );
  if (seen.length === 0) refuse("notFound");
}

const prefers = ({ headers }: FastifyRequest, preference: string): boolean =>
  String(headers.prefer ?? "")
    .split(/[,;]/)
    .some((one) => one.trim() === preference);

/** The version that was seen: of `If-Match`, or of the resource itself. A change without one could undo another. */
function readVersion({ headers }: FastifyRequest, { meta }: Record<string, unknown>): number {
  const given: unknown = headers["if-match"] ?? (isObject(meta) ? meta.versionId : undefined);
  const [, version] = /^(?:W\/)?"?(\d{1,10})"?$/.exec(typeof given === "string" ? given : "") ?? [];
  if (version === undefined || Number(version) >= maxInt32) return refuse("badInput", { "If-Match": "required" });
  return Number(version);
}

/** A version that is no longer the newest is a failed condition where the sender made it one. */
function toPreconditionFailure({ headers }: FastifyRequest, error: unknown): unknown {
  const isStale = error instanceof Refused && ["patientChanged", "orderChanged"].includes(error.refusal);
  return isStale && headers["if-match"] !== undefined ? new PreconditionFailed(error) : error;
}

/** Returns the id of the resource that `If-None-Exist` names, if there is one; refuses if there are more. */
async function findExisting(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  definition: ResourceDefinition,
  { access, conditionalCreate }: WriteDefinition,
): Promise<string | null> {
  const condition = request.headers["if-none-exist"];
  if (condition === undefined || definition.kind !== "table") return null;
  const pairs = [...new URLSearchParams(String(condition).replace(/^[^?]{0,200}\?/, ""))];
  const isReadable = String(condition).length <= 1000 && pairs.flat().every(isStorable);
  if (!conditionalCreate || pairs.length === 0 || !isReadable)
    return refuse("badInput", { "If-None-Exist": "invalid" });
  for (const [name, value] of pairs)
    if (!conditionalCreate.includes(name) || value === "") refuse("badInput", { "If-None-Exist": "invalid" });
  // The condition tells whether somebody is there, so that it needs the right to read.
  const demand = { type: definition.type, right: "s" } as const;
  await authenticateReader(serving, request, reply, definition.access, demand);
  const search = { ...readSearch(definition, pairs, true), count: 2, hasTotal: false };
  const { resources } = await runFhirRequest(serving, request, reply, access, demand, (context) => {
    context.note(definition.audit?.search, null);
    return searchTable(context, definition, search);
  });
  if (resources.length > 1)
    throw new PreconditionFailed({ refusal: "badInput", details: { "If-None-Exist": "manyMatches" } });
  return resources[0]?.id ?? null;
}

async function sendWritten(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  definition: ResourceDefinition,
  { status, id, ignored }: WriteAnswer,
) {
  if (definition.kind !== "table") throw new Error(`${definition.type} is not a row`);
  const access = definition.write?.access ?? definition.access;
  const demand = { type: definition.type, right: request.method === "POST" ? "c" : "u" } as const;
  const [resource] = await runFhirRequest(serving, request, reply, access, demand, (context) =>
    loadVisible(context, definition, [id]),
  );
  const version = resource?.meta?.versionId;
  const address = `${baseUrl(serving, request)}/${definition.type}/${id}`;
  reply
    .code(status)
    .type(fhirMediaType)
    .header("location", version === undefined ? address : `${address}/_history/${version}`);
  if (version !== undefined) reply.header("etag", `W/"${version}"`);
  if (resource?.meta?.lastUpdated) reply.header("last-modified", new Date(resource.meta.lastUpdated).toUTCString());
  if (ignored.length > 0 || prefers(request, "return=OperationOutcome")) return reply.send(describeWrite(ignored));
  if (prefers(request, "return=minimal") || !resource) return reply.send("");
  return reply.send(resource);
}

const describeWrite = (ignored: readonly string[]): OperationOutcome => ({
  resourceType: "OperationOutcome",
  issue:
    ignored.length === 0
      ? [{ severity: "information", code: "informational", diagnostics: "Stored" }]
      : ignored.map((place) => ({
          severity: "warning" as const,
          code: "not-supported" as const,
          diagnostics: `${place} was not stored`,
          expression: [place],
        })),
});
