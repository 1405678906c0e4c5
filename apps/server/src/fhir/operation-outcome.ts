import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import type { OperationOutcome, OperationOutcomeIssue } from "@medplum/fhirtypes";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { refusedRequests } from "../platform/telemetry/counters-and-histograms.ts";
import { refusalNameOf, setRetryAfter } from "../platform/http/error-handler.ts";
import { Refused } from "../platform/http/refuse.ts";
import { parseLanguage, translate } from "../platform/text/texts.ts";
import { fhirMediaType } from "./fhir-context.ts";

/** A refusal because of a condition in the headers of the request, which HTTP answers with a status of its own. */
export class PreconditionFailed extends Refused {
  constructor({ refusal, details }: Pick<Refused, "refusal" | "details">) {
    super(refusal, details, false);
  }
}

/** Answers every error with an OperationOutcome in the reader's language. */
export function registerFhirErrors(scope: FastifyInstance): void {
  scope.setErrorHandler((error: FastifyError, request, reply) => {
    const name = refusalNameOf(error);
    refusedRequests.inc({ refusal: name });
    if (name === "internal") request.log.error({ err: error, route: request.routeOptions.url }, "fhir");
    const details = error instanceof Refused ? error.details : null;
    const status = error instanceof PreconditionFailed ? 412 : refusals[name].status;
    setRetryAfter(reply, name);
    return reply
      .code(status)
      .type(fhirMediaType)
      .send(describeRefusal(request, name, { details, status }));
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

interface Candidates {
  candidates: readonly { id: string }[];
}
/** The elements that were refused, each with the reason, or the records of the same person. */
function listFields(name: RefusalName, details: unknown): string[] {
  if (typeof details !== "object" || details === null) return [];
  if (name === "badInput") return Object.entries(details).map(([field, reason]) => `${field}: ${String(reason)}`);
  if (name === "patientDuplicate") return (details as Candidates).candidates.map(({ id }) => `Patient/${id}`);
  return [];
}

function describeRefusal(
  request: FastifyRequest,
  name: RefusalName,
  { details, status }: { details: unknown; status: number },
): OperationOutcome {
  const values = typeof details === "object" && details !== null ? (details as Record<string, string>) : {};
  const message = translate(parseLanguage(request.headers["accept-language"]), "refusals", name, values);
  const fields = listFields(name, details);
  const issue: OperationOutcomeIssue = {
    severity: "error",
    code: issueCodes[status] ?? "exception",
    details: { coding: [{ system: "urn:arcada:refusal", code: name }], text: message },
    diagnostics: fields.length > 0 ? `${message} (${fields.join("; ")})` : message,
    ...(name === "badInput" && fields.length > 0 && { expression: Object.keys(values) }),
  };
  return { resourceType: "OperationOutcome", issue: [issue] };
}
