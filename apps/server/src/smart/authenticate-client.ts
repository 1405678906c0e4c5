import { decodeJwt, jwtVerify } from "jose";
import { z } from "zod";
import { smartRules } from "@arcada/contract/smart/smart.rules";
import { spendOnce } from "../account/ticket.writes.ts";
import type { Database } from "../platform/database/database.ts";
import { secretHash } from "../platform/runtime/ids-and-secrets.ts";
import { findActiveApp } from "./app.store.ts";
import type { AppRow } from "./app.store.ts";
import { findAppOfRefreshToken } from "./grant.store.ts";
import { keyAlgorithms } from "./client-keys.ts";
import type { createKeyFinder } from "./client-keys.ts";
import type { TokenForm } from "./token-form.ts";

export interface ClientCheck {
  database: Database;
  findKeys: ReturnType<typeof createKeyFinder>;
  /** The addresses that an assertion may name as its audience. */
  audience: string[];
}

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const clockToleranceSeconds = 30;

/** Returns the app that asks, if it proves who it is in the way for which it is registered; null otherwise. */
export async function authenticateClient(
  check: ClientCheck,
  form: TokenForm,
  authorization: string | undefined,
): Promise<AppRow | null> {
  const basic = readBasic(authorization);
  const id = basic?.id ?? form.client_id ?? readIssuer(form.client_assertion) ?? (await findOwnerOfToken(check, form));
  if (id === undefined || !z.uuid().safeParse(id).success) return null;
  if (form.client_id !== undefined && form.client_id !== id) return null;
  const app = await check.database.asSystem((db) => findActiveApp(db, id));
  if (!app) return null;
  if (app.kind === "public") return basic || form.client_assertion !== undefined ? null : app;
  if (app.kind === "secret")
    return basic && app.secret_hash !== null && secretHash(basic.secret) === app.secret_hash ? app : null;
  return (await isAssertedBy(check, app, form)) ? app : null;
}

/** A public app may leave out its id when it refreshes, as SMART's own library does: the token names the app. */
async function findOwnerOfToken(
  { database }: ClientCheck,
  { refresh_token: token }: TokenForm,
): Promise<string | undefined> {
  return token === undefined ? undefined : database.asSystem((db) => findAppOfRefreshToken(db, token));
}

/** RFC 6749, 2.3.1: both parts are encoded as in a form. */
function readBasic(authorization: string | undefined): { id: string; secret: string } | null {
  const encoded = /^Basic +([\w+/=-]{1,400})$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, "base64").toString();
  const at = text.indexOf(":");
  if (at < 0) return null;
  try {
    return { id: decodeURIComponent(text.slice(0, at)), secret: decodeURIComponent(text.slice(at + 1)) };
  } catch {
    return null;
  }
}

function readIssuer(assertion: string | undefined): string | undefined {
  try {
    return assertion === undefined ? undefined : decodeJwt(assertion).iss;
  } catch {
    return undefined;
  }
}

/** RFC 7523 with the rules of SMART App Launch: signed by a key of the app, short-lived, and used once. */
async function isAssertedBy(check: ClientCheck, app: AppRow, form: TokenForm): Promise<boolean> {
  const { client_assertion: assertion, client_assertion_type: type } = form;
  if (assertion === undefined || type !== assertionType || app.keys === null) return false;
  const keys = await check.findKeys(app.keys);
  if (!keys) return false;
  const verified = await jwtVerify(assertion, keys, {
    algorithms: keyAlgorithms,
    issuer: app.id,
    subject: app.id,
    audience: check.audience,
    requiredClaims: ["exp", "jti"],
    clockTolerance: clockToleranceSeconds,
  }).catch(() => null);
  const { jti, exp } = verified?.payload ?? {};
  if (typeof jti !== "string" || jti.length === 0 || jti.length > 255 || exp === undefined) return false;
  const secondsLeft = exp - Date.now() / 1000;
  if (secondsLeft > smartRules.assertionSeconds + clockToleranceSeconds) return false;
  const once = { kind: "smartAssertion", hash: secretHash(`${app.id} ${jti}`) };
  const seconds = smartRules.assertionSeconds + 2 * clockToleranceSeconds;
  return check.database.asSystem((db) => spendOnce(db, { ...once, seconds }));
}
