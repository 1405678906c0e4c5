import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { accountRules } from "@arcada/contract/account/account.rules";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { screens } from "@arcada/contract/screens";
import type { Config, Provider } from "../../platform/runtime/config.ts";
import type { Database } from "../../platform/database/database.ts";
import { newSecret, secretHash } from "../../platform/runtime/ids.ts";
import { Refused, refuse } from "../../platform/http/refuse.ts";
import { languageOf } from "../../platform/text/texts.ts";
import { issueTicket, redeemTicket } from "../account.store.ts";
import { readCookie, setCookie } from "../../platform/http/cookies.ts";
import { originOf, providerName } from "../cookies.ts";
import { addressAt, newJourney, strangerFrom } from "./provider.ts";
import type { Journey } from "./provider.ts";
import { userOf } from "./provider.store.ts";

export const providerPaths = { start: "/v1/base/provider/start", callback: "/v1/base/provider/callback" } as const;

interface Served {
  config: Config;
  database: Database;
}
/** The state that is kept here while the user signs in at the identity provider. */
interface Waiting extends Journey {
  provider: string;
  browser: string;
  redirect: string;
}

/**
 * Serves the sign-in at an identity provider (OpenID Connect): two redirects of the browser, which are not calls of the
 * contract.
 */
export function serveProviders(app: FastifyInstance, served: Served): void {
  app.get(providerPaths.start, (request, reply) => orProblem(reply, () => start(served, request, reply)));
  app.get(providerPaths.callback, (request, reply) => orProblem(reply, () => comeBack(served, request, reply)));
}

/** Redirects to the target. An error is shown on a page of ours, because a person is looking. */
async function orProblem(reply: FastifyReply, target: () => Promise<string>): Promise<FastifyReply> {
  try {
    return reply.redirect(await target(), 303);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return reply.redirect(`${screens.authRedirect.path}?problem=${error.refusal satisfies RefusalName}`, 303);
  }
}

async function start({ config, database }: Served, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const { provider: id, redirect } = request.query as Record<string, unknown>;
  const provider = providerOf(config, id);
  const state = newSecret();
  const journey = newJourney(state);
  const origin = originOf(config, request);
  const target = await addressAt(provider, journey, origin + providerPaths.callback);
  const name = providerName(config, request);
  // One cookie serves all sign-ins of this browser: two tabs may be under way at once.
  const known = readCookie(request, name);
  const browser = known && /^[\w-]{43}$/.test(known) ? known : newSecret();
  const waiting: Waiting = {
    ...journey,
    state: "",
    provider: provider.id,
    browser: secretHash(browser),
    redirect: ownPath(redirect, origin),
  };
  await database.asSystem((db) =>
    issueTicket(db, "provider", secretHash(browser), { ...waiting }, factorRules.providerSeconds, state),
  );
  // Lax: the way back starts at the identity provider, and a strict cookie would not be sent.
  setCookie(reply, config, request, name, browser, factorRules.providerSeconds, "Lax");
  return target;
}

async function comeBack({ config, database }: Served, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const origin = originOf(config, request);
  const came = new URL(request.url, origin);
  const state = came.searchParams.get("state") ?? "";
  const browser = readCookie(request, providerName(config, request)) ?? "";
  const ticket = await database.asSystem((db) => redeemTicket(db, "provider", state));
  const waiting = ticket?.data as Waiting | undefined;
  if (!waiting || waiting.browser !== secretHash(browser)) refuse("providerFailed");
  const provider = providerOf(config, waiting.provider);
  const who = await strangerFrom(provider, { ...waiting, state }, came);
  const code = await database.asSystem(async (db) => {
    const uid = await userOf(db, who, languageOf(request.headers["accept-language"]));
    if (uid === null) refuse("providerUnverified");
    // Bound to this browser: a link with another person's code signs nobody in.
    return issueTicket(
      db,
      "exchange",
      uid,
      { provider: provider.id, browser: waiting.browser },
      accountRules.exchangeSeconds,
    );
  });
  setCookie(reply, config, request, providerName(config, request), browser, accountRules.exchangeSeconds, "Strict");
  return `${screens.authRedirect.path}?${new URLSearchParams({ code, redirect: waiting.redirect })}`;
}

const providerOf = (config: Config, id: unknown): Provider =>
  config.OIDC_PROVIDERS.find((one) => one.id === id) ?? refuse("providerUnknown");

/** Returns the path to open after the sign-in: a path of this site, or the start page. */
function ownPath(redirect: unknown, origin: string): string {
  if (typeof redirect !== "string" || redirect.length > 2000 || !URL.canParse(redirect, origin)) return "/";
  const target = new URL(redirect, origin);
  // "/.//elsewhere.example" has our origin for the parser, but its path alone would be another site for the browser.
  return target.origin === origin && !target.pathname.startsWith("//")
    ? target.pathname + target.search + target.hash
    : "/";
}
