import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Resource } from "@medplum/fhirtypes";
import { findOAuthAddresses } from "../domain/oauth-addresses.ts";
import { contentDispositionName, openSanitized } from "../platform/http/file-routes.ts";
import { sendBytes } from "../platform/http/range-response.ts";
import { allowCrossOrigin } from "../platform/http/cross-origin.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Route, Serving } from "../platform/http/serve-calls.ts";
import { files } from "../platform/runtime/services.ts";
import { serveExports } from "./bulk/serve-export.ts";
import { capabilityStatement } from "./capability-statement.ts";
import {
  authenticateOnce,
  baseUrl,
  fhirMediaType,
  fhirRoot,
  authenticateReader,
  runFhirRequest,
} from "./fhir-context.ts";
import type { FhirContext } from "./fhir-context.ts";
import { registerFhirErrors } from "./operation-outcome.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import { documentReferenceDefinition, findDocument } from "./resources/document-reference.ts";
import { patientDefinition } from "./resources/patient.ts";
import { findDefinition, resourceDefinitions } from "./resources/resource-definitions.ts";
import { answerSearch } from "./search/answer-search.ts";
import { isUuid } from "./search/search-parameters.ts";
import { listParameters, readSearch } from "./search/search-request.ts";
import { loadVisible } from "./search/search-table.ts";
import { listCallRoutes, serveWrites } from "./writes/serve-writes.ts";

/** The form of a search by POST has no reason to be longer. */
const formBytes = 16_384;

/** Serves HL7 FHIR R4: a session or a key sees and does the same as by the other calls, an app what its scopes allow. */
export async function serveFhir(app: FastifyInstance, services: Serving, calls: readonly Route[]): Promise<void> {
  const serving = authenticateOnce(services);
  await app.register(async (scope) => {
    registerFhirErrors(scope);
    allowCrossOrigin(scope, `${fhirRoot}/*`);
    acceptBodies(scope);
    scope.get(`${fhirRoot}/metadata`, async (request, reply) => {
      requireJson(request);
      return reply
        .type(fhirMediaType)
        .send(capabilityStatement(baseUrl(serving, request), findOAuthAddresses(serving.config, request)));
    });
    const callRoutes = listCallRoutes(calls);
    for (const definition of resourceDefinitions) {
      serveResource(scope, serving, definition);
      serveWrites(scope, serving, definition, callRoutes);
    }
    serveBinary(scope, serving);
    serveExports(scope, serving);
    scope.route({
      method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      url: `${fhirRoot}/*`,
      handler: () => refuse("notFound"),
    });
  });
}

function serveResource(scope: FastifyInstance, serving: Serving, definition: ResourceDefinition): void {
  const path = `${fhirRoot}/${definition.type}`;
  const search = (request: FastifyRequest, reply: FastifyReply) => {
    requireJson(request);
    return runSearch(serving, request, reply, definition);
  };
  scope.get(path, search);
  scope.post(`${path}/_search`, { bodyLimit: formBytes }, search);
  scope.get(`${path}/:id`, async (request, reply) => {
    requireJson(request);
    const { id } = request.params as { id: string };
    const resource = await runFhirRequest(
      serving,
      request,
      reply,
      definition.access,
      { type: definition.type, right: "r" },
      (context) => readResource(context, definition, id),
    );
    setVersion(reply, definition, resource);
    return reply.type(fhirMediaType).send(resource);
  });
}

async function runSearch(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
  definition: ResourceDefinition,
) {
  const isStrict = /handling=strict/.test(String(request.headers.prefer ?? ""));
  // The reader's right comes first: nobody learns from a refusal which parameters exist.
  const demand = { type: definition.type, right: "s" } as const;
  const { patientId } = await authenticateReader(serving, request, reply, definition.access, demand);
  const parsed = readSearch(definition, listParameters(request.query, request.body), isStrict);
  const included = parsed.includes.flatMap((name) => {
    const target = findDefinition(definition.includes[name]!.target);
    return target?.kind === "table" ? [target] : [];
  });
  // A key that may not read the included resources by themselves may neither include them nor ask for their elements.
  const readsPatients = parsed.filters.some(({ name }) => {
    const parameter = definition.parameters[name];
    return parameter !== undefined && "readsPatients" in parameter;
  });
  for (const { access, type } of new Set(included))
    await authenticateReader(serving, request, reply, access, { type, right: "r" });
  if (readsPatients) {
    const patients = await authenticateReader(serving, request, reply, patientDefinition.access, {
      type: "Patient",
      right: "s",
    });
    // The elements of other patients must not be guessed by their images or visits.
    if (patients.patientId !== null && patients.patientId !== patientId)
      refuse("appScopeMissing", { scope: "Patient.s" });
  }
  const bundle = await runFhirRequest(serving, request, reply, definition.access, demand, (context) =>
    answerSearch(context, definition, parsed, included),
  );
  return reply.type(fhirMediaType).send(bundle);
}

const resourceIdShape = /^[A-Za-z0-9.-]{1,64}$/;
/** Reads one resource and notes that it was read. */
export async function readResource(
  context: FhirContext,
  definition: ResourceDefinition,
  id: string,
): Promise<Resource> {
  if (definition.kind === "table") {
    if (!isUuid(id)) refuse("notFound");
    const [resource] = await loadVisible(context, definition, [id]);
    const { auditsPatients, audit, includes } = definition;
    context.note(audit?.read, auditsPatients && resource ? (includes.patient?.idOf(resource) ?? id) : id);
    return resource ?? refuse("notFound");
  }
  const patientId = (resourceIdShape.test(id) && (await definition.findPatient(context, id))) || refuse("notFound");
  const only = context.patientOf(definition.type);
  if (only !== null && only !== patientId) refuse("notFound");
  const all = await definition.loadOfPatient(context, patientId);
  const resource = all.find((one) => one.id === id) ?? refuse("notFound");
  context.note(definition.audit?.read, patientId);
  return resource;
}

/** `etag` and `last-modified` of a resource that has them. */
function setVersion(reply: FastifyReply, { isVersioned }: ResourceDefinition, { meta }: Resource): void {
  if (isVersioned && meta?.versionId !== undefined) reply.header("etag", `W/"${meta.versionId}"`);
  if (meta?.lastUpdated) reply.header("last-modified", new Date(meta.lastUpdated).toUTCString());
}

/** Serves the bytes of a document to whoever may read its DocumentReference, with the same credentials. */
function serveBinary(scope: FastifyInstance, serving: Serving): void {
  scope.get(`${fhirRoot}/Binary/:id`, async (request, reply) => {
    const { id } = request.params as { id: string };
    const { access, audit, type: kind } = documentReferenceDefinition;
    const demand = { type: kind, right: "r" } as const;
    const { document, iid } = await runFhirRequest(serving, request, reply, access, demand, async (context) => {
      const found = (/^[A-Za-z0-9.-]{1,64}$/.test(id) && (await findDocument(context, id))) || refuse("notFound");
      const only = context.patientOf(kind);
      if (only !== null && only !== found.patientId) refuse("notFound");
      context.note(audit?.read, found.patientId);
      return { document: found, iid: context.iid };
    });
    const { area, sha256, name, type } = document;
    const total = (await files().bytes(area, iid, sha256)) ?? refuse("notFound");
    reply.headers({
      "content-type": type,
      "cache-control": "private, no-cache",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
      "content-disposition": `attachment; ${contentDispositionName(name)}`,
    });
    return sendBytes(request, reply, {
      total,
      sha256,
      open: (range) => openSanitized(files(), { area, iid, sha256 }, range),
    });
  });
}

function acceptBodies(scope: FastifyInstance): void {
  scope.removeContentTypeParser("text/plain");
  const parseJson = scope.getDefaultJsonParser("error", "error");
  scope.addContentTypeParser("application/fhir+json", { parseAs: "string" }, (request, body, done) =>
    parseJson(request, body as string, done),
  );
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: formBytes },
    (_, body, done) => done(null, listForm(body as string)),
  );
}
/** The values of each name, in an object without a prototype: names come from outside. */
function listForm(body: string): Record<string, string[]> {
  const form = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of new URLSearchParams(body)) (form[name] ??= []).push(value);
  return form;
}

/** XML is not supported. */
function requireJson({ query, headers }: FastifyRequest): void {
  const { _format: format } = query as { _format?: string | string[] };
  const wanted = String(format ?? headers.accept ?? "*/*");
  if (!/json|\*\/\*|application\/\*/.test(wanted)) refuse("notAcceptable");
}
