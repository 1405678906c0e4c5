import { createHash } from "node:crypto";
import { roles } from "@arcada/contract/kernel/roles";
import { intersectScopes, splitScopes } from "@arcada/contract/smart/smart-scopes";
import type { Db } from "../platform/database/database.ts";
import { noteUse } from "./app.store.ts";
import type { AppRow } from "./app.store.ts";
import {
  endGrant,
  findRefreshToken,
  hasLivePerson,
  insertBackendGrant,
  issueTokens,
  redeemCode,
  spendRefreshToken,
} from "./grant.store.ts";
import type { GrantRow } from "./grant.store.ts";
import type { TokenError, TokenForm } from "./token-form.ts";

/** The answer to an app, as RFC 6749, 5.1 and SMART App Launch name its properties. */
export interface TokenAnswer {
  access_token: string;
  token_type: "Bearer";
  expires_in: number;
  scope: string;
  refresh_token?: string;
  patient?: string;
}
/** A fault is returned and not thrown, because what it wrote must be kept: a spent code, an ended grant. */
export type TokenOutcome = { answer: TokenAnswer } | { error: TokenError; replayed?: GrantRow };

type GrantHandler = (db: Db, app: AppRow, form: TokenForm) => Promise<TokenOutcome>;

export const grantHandlers: Record<string, GrantHandler> = {
  authorization_code: exchangeCode,
  refresh_token: refresh,
  client_credentials: admitBackend,
};

async function exchangeCode(db: Db, app: AppRow, form: TokenForm): Promise<TokenOutcome> {
  const { code, code_verifier: verifier = "", redirect_uri: address } = form;
  if (code === undefined) return { error: "invalid_request" };
  const { grant, replayed } = await redeemCode(db, code);
  if (!grant) return { error: "invalid_grant", ...(replayed && { replayed }) };
  const isOwn = grant.app_id === app.id && grant.redirect_uri === address;
  if (!isOwn || !provesChallenge(verifier, grant.challenge)) return { error: "invalid_grant" };
  if (!(await hasLivePerson(db, grant.id))) return { error: "invalid_grant" };
  return answer(db, app, grant, grant.scopes);
}

/** RFC 7636, 4.6. */
const provesChallenge = (verifier: string, challenge: string | null): boolean =>
  /^[\w.~-]{43,128}$/.test(verifier) && createHash("sha256").update(verifier).digest("base64url") === challenge;

async function refresh(db: Db, app: AppRow, form: TokenForm): Promise<TokenOutcome> {
  if (form.refresh_token === undefined) return { error: "invalid_request" };
  const found = await findRefreshToken(db, form.refresh_token);
  if (!found || found.grant.app_id !== app.id) return { error: "invalid_grant" };
  const { grant } = found;
  if (found.isSpent) {
    await endGrant(db, grant.id, "refreshReplayed");
    return { error: "invalid_grant", replayed: grant };
  }
  if (!(await hasLivePerson(db, grant.id))) return { error: "invalid_grant" };
  const wanted = form.scope === undefined ? grant.scopes : splitScopes(form.scope);
  const scopes = intersectScopes(wanted, grant.scopes);
  if (scopes.length === 0 || wanted.some((scope) => !scopes.includes(scope))) return { error: "invalid_scope" };
  await spendRefreshToken(db, found.id);
  return answer(db, app, grant, scopes);
}

/** A backend service acts for the organisation, as an API key does. */
async function admitBackend(db: Db, app: AppRow, form: TokenForm): Promise<TokenOutcome> {
  if (app.kind !== "keys") return { error: "unauthorized_client" };
  const wanted = splitScopes(form.scope ?? "").filter((scope) => scope.startsWith("system/"));
  const scopes = intersectScopes(wanted, app.scopes);
  if (scopes.length === 0) return { error: "invalid_scope" };
  const { type } = await db
    .selectFrom("institution")
    .select("type")
    .where("id", "=", app.institution_id)
    .executeTakeFirstOrThrow();
  const grant = await insertBackendGrant(db, {
    institution_id: app.institution_id,
    app_id: app.id,
    user_id: null,
    authority_id: roles[type === "lab" ? "factoryAdmin" : "clinicAdmin"].authorityId,
    patient_id: null,
    scopes,
    challenge: null,
    redirect_uri: null,
  });
  return answer(db, app, grant, scopes);
}

async function answer(db: Db, app: AppRow, grant: GrantRow, scopes: readonly string[]): Promise<TokenOutcome> {
  const withRefresh = grant.user_id !== null && grant.scopes.includes("offline_access");
  const { access, refresh: next, seconds } = await issueTokens(db, grant, { scopes, withRefresh });
  await noteUse(db, app.id);
  return {
    answer: {
      access_token: access,
      token_type: "Bearer",
      expires_in: seconds,
      scope: scopes.join(" "),
      ...(next !== null && { refresh_token: next }),
      ...(grant.patient_id !== null && { patient: grant.patient_id }),
    },
  };
}
