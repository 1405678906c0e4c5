import type { FastifyInstance } from "fastify";
import { contentDispositionName, openSanitized } from "../platform/http/file-routes.ts";
import { sendBytes } from "../platform/http/range-response.ts";
import { refuse } from "../platform/http/refuse.ts";
import type { Serving } from "../platform/http/serve-calls.ts";
import { files } from "../platform/runtime/services.ts";
import { fhirRoot, runFhirRequest } from "./fhir-context.ts";
import { documentReferenceDefinition, findDocument } from "./resources/document-reference.ts";

/** Serves the bytes of a document to whoever may read its DocumentReference, with the same credentials. */
export function serveBinary(scope: FastifyInstance, serving: Serving): void {
  scope.get(`${fhirRoot}/Binary/:id`, async (request, reply) => {
    const { id } = request.params as { id: string };
    const { access, audit } = documentReferenceDefinition;
    const { document, iid } = await runFhirRequest(serving, request, reply, access, async (context) => {
      const found = (/^[A-Za-z0-9.-]{1,64}$/.test(id) && (await findDocument(context, id))) || refuse("notFound");
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
