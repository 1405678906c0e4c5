import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import type { OperationOutcome, OperationOutcomeIssue } from "@medplum/fhirtypes";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { refusedRequests } from "../platform/telemetry/counters-and-histograms.ts";
import { refusalNameOf } from "../platform/http/error-handler.ts";
import { Refused } from "../platform/http/refuse.ts";
import { parseLanguage, translate } from "../platform/text/texts.ts";
import { fhirMediaType } from "./fhir-context.ts";

/** Answers every error with an OperationOutcome in the reader's language. */
export function registerFhirErrors(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const name = refusalNameOf(error);
    refusedRequests.inc({ refusal: name });
    if (name === "internal") request.log.error({ err: error, route: request.routeOptions.url }, "fhir");
    const details = error instanceof Refused ? error.details : null;
    return reply
      .code(refusals[name].status)
      .type(fhirMediaType)
      .send(describeRefusal(request, name, details));
  });
}

const issueCodes: Partial<Record<number, OperationOutcomeIssue["code"]>> = {
  400: "invalid",
  401: "login",
  403: "forbidden",
  404: "not-found",
  406: "not-supported",
  409: "conflict",
  412: "conflict",
  413: "too-long",
  415: "not-supported",
  422: "business-rule",
  429: "throttled",
  503: "transient",
  507: "no-store",
};

/** The elements of a refusal that a test or a program can tell apart; `field: reason`. */
const listFields = (name: RefusalName, details: unknown): string[] =>
  name === "badInput" && typeof details === "object" && details !== null
    ? Object.entries(details).map(([field, reason]) => `${field}: ${String(reason)}`)
    : [];

function describeRefusal(request: FastifyRequest, name: RefusalName, details: unknown): OperationOutcome {
  const values = typeof details === "object" && details !== null ? (details as Record<string, string>) : {};
  const message = translate(parseLanguage(request.headers["accept-language"]), "refusals", name, values);
  const fields = listFields(name, details);
  const issue: OperationOutcomeIssue = {
    severity: "error",
    code: issueCodes[refusals[name].status] ?? "exception",
    details: { coding: [{ system: "urn:arcada:refusal", code: name }], text: message },
    diagnostics: fields.length > 0 ? `${message} (${fields.join("; ")})` : message,
    ...(name === "badInput" && fields.length > 0 && { expression: Object.keys(values) }),
  };
  return { resourceType: "OperationOutcome", issue: [issue] };
}
