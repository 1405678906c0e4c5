import type { ResourceScope, SmartResource, SmartRight } from "@arcada/contract/smart/smart-scopes";
import type { Principal } from "../platform/http/request-context.ts";
import { refuse } from "../platform/http/refuse.ts";

/** The records that an app may see in a request. */
export interface AppAccess {
  /** The only patient whose records are shown; null: all that the person or the organisation may see. */
  patientId: string | null;
}

/**
 * Answers whether a principal may do something with a kind of FHIR resource. People and API keys are limited by their
 * roles and scopes elsewhere. Refuses appScopeMissing for an app without a fitting scope.
 * @param right c, r, u, d or s: create, read, update, delete, search
 */
export function demandAppAccess(principal: Pick<Principal, "app">, type: SmartResource, right: SmartRight): AppAccess {
  const { app } = principal;
  if (!app) return { patientId: null };
  const fitting = app.scopes.filter((scope) => allows(scope, type, right));
  // A scope of the person or of the organisation is wider than one of the patient.
  if (fitting.some(({ context }) => context !== "patient")) return { patientId: null };
  if (fitting.length === 0 || app.patientId === null) return refuse("appScopeMissing", { scope: `${type}.${right}` });
  return { patientId: app.patientId };
}

const allows = ({ type, rights }: ResourceScope, wanted: SmartResource, right: SmartRight): boolean =>
  (type === "*" || type === wanted) && rights.includes(right);
