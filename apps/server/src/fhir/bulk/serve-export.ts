import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { dataExportRules } from "@arcada/contract/data-export/data-export.rules";
import { timestampInput } from "@arcada/contract/kernel/fields";
import { hasAccess } from "@arcada/contract/kernel/roles";
import type { SmartResource } from "@arcada/contract/smart/smart-scopes";
import {
  dropExportFiles,
  expireOlderExports,
  findExport,
  insertExport,
  listExportFiles,
  updateExport,
  type ExportJobRow,
} from "../../data-export/export-job.writes.ts";
import { audit } from "../../platform/audit/audit.ts";
import { sendBytes } from "../../platform/http/range-response.ts";
import { refuse } from "../../platform/http/refuse.ts";
import type { Principal } from "../../platform/http/request-context.ts";
import type { Serving } from "../../platform/http/serve-calls.ts";
import { newId } from "../../platform/runtime/ids-and-secrets.ts";
import { files } from "../../platform/runtime/services.ts";
import { requireSpace } from "../../platform/upload/storage-quota.ts";
import { parseLanguage } from "../../platform/text/texts.ts";
import { authenticateReader, baseUrl, fhirMediaType, fhirRoot, type FhirAccess } from "../fhir-context.ts";
import { resourceDefinitions } from "../resources/resource-definitions.ts";
import { isUuid } from "../search/search-parameters.ts";
import { enqueueExport } from "./run-export.ts";

/** The right to export an organisation. A person proves themselves anew for that, which a FHIR client cannot do. */
const access: FhirAccess = { roles: ["clinicAdmin", "factoryAdmin"], scopes: ["organisation.export"] };
const exportRoot = `${fhirRoot}/bulk-export`;
const pollSeconds = 5;
/** Finished exports that an organisation keeps at a time: each may have the size of all its records. */
const mostStored = 3;
const ndjson = "application/fhir+ndjson";
const formats = new Set([ndjson, "application/ndjson", "ndjson"]);
/** The compartment of a patient. */
const otherTypes = new Set(["Organization", "Practitioner"]);

/** Serves FHIR Bulk Data (hl7.org/fhir/uv/bulkdata): an export of the organisation as NDJSON, made by a job. */
export function serveExports(scope: FastifyInstance, serving: Serving): void {
  scope.get(`${fhirRoot}/$export`, (request, reply) => begin(serving, request, reply, false));
  scope.get(`${fhirRoot}/Patient/$export`, (request, reply) => begin(serving, request, reply, true));
  scope.get(`${exportRoot}/:id`, (request, reply) => answerStatus(serving, request, reply));
  scope.delete(`${exportRoot}/:id`, (request, reply) => cancel(serving, request, reply));
  scope.get(`${exportRoot}/:id/:place`, (request, reply) => sendFile(serving, request, reply));
}

async function authenticateProgram(serving: Serving, request: FastifyRequest, reply: FastifyReply) {
  // A backend service needs a scope for each type that it gets; this asks for one of any.
  const principal = await authenticateReader(serving, request, reply, access, null);
  const isBackend = principal.app?.scopes.some(({ context }) => context === "system") ?? false;
  return principal.kind === "key" || isBackend ? principal : refuse("notAllowed");
}
type Program = Principal & { iid: string };

async function begin(serving: Serving, request: FastifyRequest, reply: FastifyReply, isOfPatients: boolean) {
  const principal = await authenticateProgram(serving, request, reply);
  if (!String(request.headers.prefer ?? "").includes("respond-async")) refuse("badInput", { Prefer: "required" });
  const wanted = readParameters(request, principal, isOfPatients);
  const base = baseUrl(serving, request);
  const [id, { iid, uid }] = [newId(), principal];
  const row = { institution_id: iid, id, language: parseLanguage(request.headers["accept-language"]), created_by: uid };
  const url = `${base}${request.url.slice(fhirRoot.length)}`;
  await serving.database.as({ system: false, iid, uid }, async (db) => {
    await requireSpace(db, iid);
    await expireOlderExports(db, iid, mostStored - 1);
    if (!(await insertExport(db, row, "fhir", { url, base, ...wanted }))) {
      reply.header("retry-after", String(pollSeconds * 12));
      refuse("exportRuns");
    }
    await enqueueExport(db, { iid, id });
    await audit(db, {
      institution_id: iid,
      user_id: uid,
      action: "institution.export",
      subject: id,
      detail: { by: "fhir", types: wanted.types },
      address: request.ip,
      request_id: request.id,
    });
  });
  return reply.code(202).header("content-location", `${base}/bulk-export/${id}`).send();
}

function readParameters(request: FastifyRequest, principal: Program, isOfPatients: boolean) {
  const { role } = principal;
  const { _type, _since, _outputFormat } = request.query as Record<string, string | string[] | undefined>;
  if (_outputFormat !== undefined && !formats.has(String(_outputFormat)))
    refuse("badInput", { _outputFormat: "invalid" });
  const allowed = resourceDefinitions
    .filter(
      (one) =>
        hasAccess(one.access.roles, role) &&
        !(isOfPatients && otherTypes.has(one.type)) &&
        mayExport(principal, one.type),
    )
    .map(({ type }): string => type);
  const asked = [_type ?? []]
    .flat()
    .flatMap((text) => text.split(","))
    .filter(Boolean)
    .slice(0, 100);
  if (allowed.length === 0) refuse("appScopeMissing", { scope: "system/*.rs" });
  if (asked.some((type) => !allowed.includes(type))) refuse("badInput", { _type: "invalid" });
  const since = _since === undefined ? null : timestampInput.safeParse(_since).data;
  if (since === undefined) refuse("badInput", { _since: "dateShape" });
  return { types: asked.length > 0 ? [...new Set(asked)] : allowed, since: since ?? null };
}

/** True if a backend service may read all resources of a type. A key is limited by its own scope. */
const mayExport = ({ app }: Program, type: SmartResource): boolean =>
  !app ||
  app.scopes.some(
    (scope) => scope.context === "system" && ["*", type].includes(scope.type) && scope.rights.includes("r"),
  );

async function readExport(
  serving: Serving,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ row: ExportJobRow; principal: Program }> {
  const principal = await authenticateProgram(serving, request, reply);
  const { id } = request.params as { id: string };
  if (!isUuid(id)) return refuse("notFound");
  const { iid, uid } = principal;
  const row = await serving.database.as({ system: false, iid, uid }, (db) => findExport(db, iid, id));
  // An app reaches its own exports alone: another one's may hold more than its scopes allow.
  // It loses them with the scopes that its registration has lost since.
  const isReached =
    principal.kind === "key" ||
    (row?.created_by === uid &&
      resourceDefinitions.every(({ type }) => !row.request?.types.includes(type) || mayExport(principal, type)));
  return isReached && row?.kind === "fhir" && row.state !== "cancelled" && row.state !== "expired"
    ? { row, principal }
    : refuse("notFound");
}

async function answerStatus(serving: Serving, request: FastifyRequest, reply: FastifyReply) {
  const { row, principal } = await readExport(serving, request, reply);
  if (row.state === "failed") refuse("internal");
  if (row.state !== "done") {
    const progress = `${Math.floor(row.progress * 100)}%`;
    return reply
      .code(202)
      .headers({ "x-progress": progress, "retry-after": String(pollSeconds) })
      .send();
  }
  const { iid, uid } = principal;
  const { created_at: transactionTime } = row;
  const list = await serving.database.as({ system: false, iid, uid }, (db) => listExportFiles(db, iid, row.id));
  const base = baseUrl(serving, request);
  reply.header("expires", new Date(row.expires_at ?? Date.now()).toUTCString());
  return reply.type("application/json; charset=utf-8").send({
    transactionTime,
    request: row.request?.url ?? "",
    requiresAccessToken: true,
    output: list.map(({ place, type, lines }) => ({
      type,
      url: `${base}/bulk-export/${row.id}/${place}.ndjson`,
      count: lines,
    })),
    error: [],
  });
}

/** Cancels a running export, or deletes the files of one that is done. */
async function cancel(serving: Serving, request: FastifyRequest, reply: FastifyReply) {
  const { row, principal } = await readExport(serving, request, reply);
  const { iid, uid } = principal;
  await serving.database.as({ system: false, iid, uid }, async (db) => {
    await updateExport(db, { iid, id: row.id }, ["waiting", "running", "done"], { state: "cancelled" });
    await dropExportFiles(db, iid, row.id);
  });
  return reply.code(202).type(fhirMediaType).send();
}

async function sendFile(serving: Serving, request: FastifyRequest, reply: FastifyReply) {
  const { row, principal } = await readExport(serving, request, reply);
  const [, place] = /^(\d{1,6})\.ndjson$/.exec((request.params as { place: string }).place) ?? [];
  const { iid, uid } = principal;
  const file = await serving.database.as({ system: false, iid, uid }, async (db) => {
    const found = (await listExportFiles(db, iid, row.id)).find((one) => one.place === Number(place));
    if (row.state !== "done" || !found) return refuse("notFound");
    const detail = { by: "fhir", type: found.type, lines: found.lines };
    const at = { address: request.ip, request_id: request.id };
    const action = "institution.downloadExport";
    await audit(db, { institution_id: iid, user_id: uid, action, subject: row.id, detail, ...at });
    return found;
  });
  const { sha256 } = file;
  const total = (await files().bytes("converted", iid, sha256)) ?? refuse("notFound");
  reply.headers({
    "content-type": ndjson,
    "cache-control": `private, max-age=${dataExportRules.fhirDays * 60}`,
    "x-content-type-options": "nosniff",
  });
  return sendBytes(request, reply, { total, sha256, open: (range) => files().read("converted", iid, sha256, range) });
}
