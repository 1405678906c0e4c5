import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { accountRules } from "@arcada/contract/account/account.rules";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { screens } from "@arcada/contract/screens";
import type { Config } from "../../platform/runtime/config.ts";
import type { Provider } from "../../platform/runtime/identity-provider-settings.ts";
import type { Database } from "../../platform/database/database.ts";
import { newSecret, secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { Refused, refuse } from "../../platform/http/refuse.ts";
import { parseLanguage } from "../../platform/text/texts.ts";
import { issueTicket, redeemTicket } from "../ticket.writes.ts";
import { readCookie, setCookie } from "../../platform/http/cookies.ts";
import { publicOrigin, providerCookieName } from "../session/cookie-names.ts";
import { authorizationUrl, createAuthorizationRequest, redeemCallback } from "./openid-client.ts";
import type { AuthorizationRequest } from "./openid-client.ts";
import { findOrCreateUser } from "./find-or-create-user.ts";
import { followProviderGroups } from "./follow-provider-groups.ts";

export const providerPaths = { start: "/v1/base/provider/start", callback: "/v1/base/provider/callback" } as const;

interface ProviderServices {
  config: Config;
  database: Database;
}
/** The state that is kept here while the user signs in at the identity provider. */
interface PendingSignIn extends AuthorizationRequest {
  provider: string;
  browser: string;
  redirect: string;
}

/**
 * Serves the sign-in at an identity provider (OpenID Connect): two redirects of the browser, which are not calls of the
 * contract.
 */
export function serveProviders(app: FastifyInstance, services: ProviderServices): void {
  app.get(providerPaths.start, (request, reply) => redirectOrProblem(reply, () => start(services, request, reply)));
  app.get(providerPaths.callback, (request, reply) =>
    redirectOrProblem(reply, () => handleCallback(services, request, reply)),
  );
}

/** Redirects to the target. An error is shown on a page of ours, because a person is looking. */
async function redirectOrProblem(reply: FastifyReply, target: () => Promise<string>): Promise<FastifyReply> {
  try {
    return reply.redirect(await target(), 303);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return reply.redirect(`${screens.authRedirect.path}?problem=${error.refusal satisfies RefusalName}`, 303);
  }
}

async function start(
  { config, database }: ProviderServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { provider: id, redirect } = request.query as Record<string, unknown>;
  const provider = requireProvider(config, id);
  const state = newSecret();
  const authorization = createAuthorizationRequest(state);
  const origin = publicOrigin(config, request);
  const target = await authorizationUrl(provider, authorization, origin + providerPaths.callback);
  const name = providerCookieName(config, request);
  // One cookie serves all sign-ins of this browser: two tabs may be under way at once.
  const known = readCookie(request, name);
  const browser = known && /^[\w-]{43}$/.test(known) ? known : newSecret();
  const pending: PendingSignIn = {
    ...authorization,
    state: "",
    provider: provider.id,
    browser: secretHash(browser),
    redirect: toOwnPath(redirect, origin),
  };
  await database.asSystem((db) =>
    issueTicket(db, "provider", secretHash(browser), { ...pending }, factorRules.providerSeconds, state),
  );
  // Lax: the way back starts at the identity provider, and a strict cookie would not be sent.
  setCookie(reply, config, request, name, browser, factorRules.providerSeconds, "Lax");
  return target;
}

async function handleCallback(
  { config, database }: ProviderServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const origin = publicOrigin(config, request);
  const callbackUrl = new URL(request.url, origin);
  const state = callbackUrl.searchParams.get("state") ?? "";
  const browser = readCookie(request, providerCookieName(config, request)) ?? "";
  const ticket = await database.asSystem((db) => redeemTicket(db, "provider", state));
  const pending = ticket?.data as PendingSignIn | undefined;
  if (!pending || pending.browser !== secretHash(browser)) refuse("providerFailed");
  const provider = requireProvider(config, pending.provider);
  const identity = await redeemCallback(provider, { ...pending, state }, callbackUrl);
  const code = await database.asSystem(async (db) => {
    const uid = await findOrCreateUser(db, identity, parseLanguage(request.headers["accept-language"]));
    if (uid === null) refuse("providerUnverified");
    await followProviderGroups({ db, uid, address: request.ip }, provider, identity);
    // Bound to this browser: a link with another person's code signs nobody in.
    return issueTicket(
      db,
      "exchange",
      uid,
      { provider: provider.id, browser: pending.browser },
      accountRules.exchangeSeconds,
    );
  });
  setCookie(
    reply,
    config,
    request,
    providerCookieName(config, request),
    browser,
    accountRules.exchangeSeconds,
    "Strict",
  );
  return `${screens.authRedirect.path}?${new URLSearchParams({ code, redirect: pending.redirect })}`;
}

const requireProvider = (config: Config, id: unknown): Provider =>
  config.OIDC_PROVIDERS.find((one) => one.id === id) ?? refuse("providerUnknown");

/** Returns the path to open after the sign-in: a path of this site, or the start page. */
function toOwnPath(redirect: unknown, origin: string): string {
  if (typeof redirect !== "string" || redirect.length > 2000 || !URL.canParse(redirect, origin)) return "/";
  const target = new URL(redirect, origin);
  // "/.//elsewhere.example" has our origin for the parser, but its path alone would be another site for the browser.
  return target.origin === origin && !target.pathname.startsWith("//")
    ? target.pathname + target.search + target.hash
    : "/";
}
