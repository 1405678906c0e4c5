import { roles } from "@arcada/contract/kernel/roles";
import type { smartCalls, ConsentQuestion } from "@arcada/contract/smart/smart.calls";
import type { Parsed } from "@arcada/contract/kernel/call";
import { intersectScopes, needsPatient, readResourceScopes, splitScopes } from "@arcada/contract/smart/smart-scopes";
import { smartRules } from "@arcada/contract/smart/smart.rules";
import { z } from "zod";
import { findTicket, issueTicket, redeemTicket } from "../account/ticket.writes.ts";
import { bypassTenantScope } from "../platform/database/database.ts";
import type { Db } from "../platform/database/database.ts";
import type { MemberContext } from "../platform/http/request-context.ts";
import { refuse } from "../platform/http/refuse.ts";
import { findActiveApp } from "./app.store.ts";
import type { AppRow } from "./app.store.ts";
import { insertGrant } from "./grant.store.ts";
import { findOAuthAddresses } from "../domain/oauth-addresses.ts";

type Request = Parsed<typeof smartCalls.ask>["request"];
type AuthorizationError = "invalid_request" | "unsupported_response_type" | "invalid_scope" | "access_denied";

/** A request that may be put before a person. */
interface CheckedRequest {
  app: AppRow;
  scopes: string[];
  challenge: string;
  patient: ConsentQuestion["patient"];
  choosesPatient: boolean;
}

export async function askForConsent(
  context: MemberContext,
  request: Request,
): Promise<{ question: ConsentQuestion | null; redirect: string | null }> {
  const checked = await checkRequest(context, request);
  if ("error" in checked) return { question: null, redirect: redirectWithError(request, checked) };
  const { app, scopes, patient, choosesPatient } = checked;
  const { host } = new URL(request.redirect_uri);
  return { question: { app: app.name, host, scopes, patient, choosesPatient }, redirect: null };
}

/** Stores what the person decided. The address carries a code, or says that nothing is allowed. */
export async function decideConsent(
  context: MemberContext,
  { request, allow, patientId }: Parsed<typeof smartCalls.decide>,
): Promise<{ redirect: string }> {
  const { db, principal } = context;
  const checked = await checkRequest(context, request);
  if ("error" in checked) return { redirect: redirectWithError(request, checked) };
  const { app, scopes, challenge } = checked;
  context.subject = app.id;
  context.detail = { allowed: allow };
  if (!allow) return { redirect: redirectWithError(request, { error: "access_denied" }) };
  const patient = checked.choosesPatient ? await requirePatient(db, principal.iid, patientId) : checked.patient;
  if (checked.patient && !(await spendLaunch(db, request.launch ?? "")))
    return { redirect: redirectWithError(request, invalid("The launch was used before.")) };
  context.detail = { allowed: true, scopes, patient: patient?.id ?? null };
  const code = await insertGrant(db, {
    institution_id: principal.iid,
    app_id: app.id,
    user_id: principal.uid,
    authority_id: roles[principal.role].authorityId,
    patient_id: patient?.id ?? null,
    scopes,
    challenge,
    redirect_uri: request.redirect_uri,
  });
  return { redirect: addToAddress(request.redirect_uri, { code, state: request.state }) };
}

interface Rejection {
  error: AuthorizationError;
  description?: string;
}
const invalid = (description: string): Rejection => ({ error: "invalid_request", description });

/**
 * Checks a request. An unknown app, or an address that the app has not registered, is refused to the person: the
 * browser must not be sent there. Every other fault is told to the app.
 */
async function checkRequest(context: MemberContext, request: Request): Promise<CheckedRequest | Rejection> {
  const { db, principal, config } = context;
  const isId = z.uuid().safeParse(request.client_id).success;
  const app = (isId ? await findActiveApp(db, request.client_id) : undefined) ?? refuse("appUnknown");
  if (app.institution_id !== principal.iid) refuse("appUnknown");
  if (!app.redirect_uris.includes(request.redirect_uri)) refuse("appRedirect");
  if (request.response_type !== "code") return { error: "unsupported_response_type" };
  if (!request.state) return invalid("The parameter state is missing.");
  const { fhir } = findOAuthAddresses(config, context.request);
  if (request.aud?.replace(/\/$/, "") !== fhir) return invalid(`The parameter aud must be ${fhir}.`);
  const { code_challenge: challenge = "", code_challenge_method: method } = request;
  if (method !== "S256" || !/^[\w-]{43}$/.test(challenge)) return invalid("PKCE with the method S256 is required.");
  const scopes = findGrantableScopes(principal.role, request, app);
  if (readResourceScopes(scopes).length === 0) return { error: "invalid_scope" };
  if (!scopes.includes("launch"))
    return { app, scopes, challenge, patient: null, choosesPatient: needsPatient(scopes) };
  const patient = await findLaunchedPatient(context, app.id, request.launch ?? "");
  return patient ? { app, scopes, challenge, patient, choosesPatient: false } : invalid("The launch is not valid.");
}

/** A laboratory has no patients of its own, so that no app of it gets a patient. */
function findGrantableScopes(role: MemberContext["principal"]["role"], request: Request, app: AppRow): string[] {
  const isLab = roles[role].side === "lab";
  return intersectScopes(splitScopes(request.scope), app.scopes).filter((scope) => {
    if (scope === "launch") return request.launch !== undefined && !isLab;
    return !scope.startsWith("system/") && !(isLab && needsPatient([scope]));
  });
}

const launchKind = "smartLaunch";
const launchContent = z.object({ app: z.string(), uid: z.string(), patientId: z.string() });

/** Returns the address of an app with a code for the patient, for the person who opens it and for nobody else. */
export async function launchApp(
  { db, principal, config, request }: MemberContext,
  appId: string,
  patientId: string,
): Promise<string> {
  const app = (await findActiveApp(db, appId)) ?? refuse("notFound");
  const { id } = await requirePatient(db, principal.iid, patientId);
  if (!app.launch_url) return refuse("notFound");
  const content = { app: app.id, uid: principal.uid, patientId: id };
  const launch = await bypassTenantScope(db, () =>
    issueTicket(db, launchKind, principal.iid, content, smartRules.launchSeconds),
  );
  return addToAddress(app.launch_url, { iss: findOAuthAddresses(config, request).fhir, launch });
}

async function findLaunchedPatient(
  { db, principal }: MemberContext,
  appId: string,
  launch: string,
): Promise<ConsentQuestion["patient"]> {
  const ticket = await bypassTenantScope(db, () => findTicket(db, launchKind, launch));
  const { data } = launchContent.safeParse(ticket?.data);
  if (!data || ticket?.target !== principal.iid || data.app !== appId || data.uid !== principal.uid) return null;
  return findPatient(db, principal.iid, data.patientId);
}

const spendLaunch = async (db: Db, launch: string): Promise<boolean> =>
  (await bypassTenantScope(db, () => redeemTicket(db, launchKind, launch))) !== undefined;

const requirePatient = async (
  db: Db,
  iid: string,
  id: string | null,
): Promise<NonNullable<ConsentQuestion["patient"]>> =>
  (id === null ? null : await findPatient(db, iid, id)) ?? refuse("notFound");

const findPatient = async (db: Db, iid: string, id: string): Promise<ConsentQuestion["patient"]> =>
  (await db
    .selectFrom("patient")
    .select(["id", "name", "number"])
    .where("institution_id", "=", iid)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst()) ?? null;

const redirectWithError = ({ redirect_uri: address, state }: Request, { error, description }: Rejection): string =>
  addToAddress(address, { error, error_description: description, state });

/** The address keeps the parameters that the app registered with it. */
function addToAddress(address: string, parameters: Record<string, string | undefined>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.append(name, value);
  return url.href;
}
