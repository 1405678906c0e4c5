import * as openid from "openid-client";
import { account } from "@arcada/contract/account/account.schema";
import type { Provider } from "../../platform/runtime/identity-provider-settings.ts";
import { Refused, refuse } from "../../platform/http/refuse.ts";

/** The values that a sign-in at the identity provider starts with and that its response is checked against. */
export interface AuthorizationRequest {
  verifier: string;
  nonce: string;
  state: string;
}
/** The person that the identity provider names. */
export interface ProviderIdentity {
  issuer: string;
  subject: string;
  email: string | null;
  name: string | null;
  /** The groups that the configured claim lists; null: the provider does not tell which they are. */
  groups: readonly string[] | null;
}

const timeoutSeconds = 6;
const discovered = new Map<string, Promise<openid.Configuration>>();

export const createAuthorizationRequest = (state: string): AuthorizationRequest => ({
  verifier: openid.randomPKCECodeVerifier(),
  nonce: openid.randomNonce(),
  state,
});

/** Returns the address at the identity provider at which the browser signs in. */
export async function authorizationUrl(
  provider: Provider,
  authorization: AuthorizationRequest,
  callback: string,
): Promise<string> {
  const configuration = await discover(provider);
  const target = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: ["openid email profile", provider.scope].filter(Boolean).join(" "),
    code_challenge: await openid.calculatePKCECodeChallenge(authorization.verifier),
    code_challenge_method: "S256",
    state: authorization.state,
    nonce: authorization.nonce,
  });
  return target.href;
}

/**
 * Trades the response in the browser's redirect for the identity. An email address counts if the provider has verified
 * it.
 */
export async function redeemCallback(
  provider: Provider,
  authorization: AuthorizationRequest,
  callbackUrl: URL,
): Promise<ProviderIdentity> {
  const configuration = await discover(provider);
  try {
    const tokens = await openid.authorizationCodeGrant(configuration, callbackUrl, {
      pkceCodeVerifier: authorization.verifier,
      expectedState: authorization.state,
      expectedNonce: authorization.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    const isComplete = claims["email"] && (!provider.groupsClaim || provider.groupsClaim in claims);
    const profile = isComplete
      ? claims
      : { ...claims, ...(await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)) };
    if (!isStorableText(claims.sub, maxSubject)) refuse("providerFailed");
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: isTrue(profile["email_verified"]) ? parseEmail(profile["email"]) : null,
      name: parseName(profile["name"]),
      groups: parseGroups(profile, provider),
    };
  } catch (error) {
    if (error instanceof Refused) throw error;
    return refuse(isUnavailable(error) ? "providerAway" : "providerFailed");
  }
}

// OpenID Connect Core 1.0, 2: at most 255 characters. Text that no database can store is not accepted.
const maxSubject = 255;
const isStorableText = (text: unknown, most: number): text is string =>
  typeof text === "string" && text.length > 0 && text.length <= most && text.isWellFormed() && !/\p{Cc}/u.test(text);
const parseEmail = (email: unknown): string | null =>
  isStorableText(email, 120) && email.includes("@") && account.safeParse(email).success
    ? email.trim().toLowerCase()
    : null;
const parseName = (name: unknown): string | null => {
  const said =
    typeof name === "string"
      ? name
          .slice(0, 60)
          .toWellFormed()
          .replace(/\p{Cc}/gu, " ")
          .trim()
      : "";
  return said || null;
};

const maxGroups = 2000;
/**
 * Returns the groups of a person; a claim that is missing lists none. Microsoft Entra leaves out a list that is too long
 * and refers to another place by `_claim_names` (OpenID Connect Core 1.0, 5.6.2): then the groups are unknown.
 */
function parseGroups(profile: Record<string, unknown>, { groupsClaim }: Provider): readonly string[] | null {
  if (groupsClaim === undefined) return null;
  const given = profile[groupsClaim];
  const elsewhere = profile["_claim_names"];
  if (
    given === undefined &&
    typeof elsewhere === "object" &&
    elsewhere !== null &&
    Object.hasOwn(elsewhere, groupsClaim)
  )
    return null;
  return [given]
    .flat()
    .slice(0, maxGroups)
    .filter((one) => isStorableText(one, 300));
}

// Some providers send the word instead of the value.
const isTrue = (value: unknown): boolean => value === true || value === "true";

/** Reads the provider's discovery document once. If the provider did not answer, the next call asks again. */
function discover(provider: Provider): Promise<openid.Configuration> {
  const cached = discovered.get(provider.id);
  if (cached) return cached;
  const discovery = openid
    .discovery(
      new URL(provider.issuer),
      provider.clientId,
      provider.clientSecret,
      provider.clientSecret ? undefined : openid.None(),
      {
        timeout: timeoutSeconds,
        [openid.customFetch]: fetchBounded,
        execute: [
          // Check the signature of the identity token: otherwise anyone between the provider and this server could
          // forge one.
          openid.enableNonRepudiationChecks,
          // A provider on this machine needs no https; the configuration allows no other without it.
          ...(provider.issuer.startsWith("http:") ? [openid.allowInsecureRequests] : []),
        ],
      },
    )
    .catch(() => {
      discovered.delete(provider.id);
      throw new Refused("providerAway", null, false);
    });
  discovered.set(provider.id, discovery);
  return discovery;
}

const maxAnswerBytes = 1_000_000;

/** Reads a response at once and up to a limit that no honest one reaches: an endless one would fill our memory. */
const fetchBounded: openid.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  if (!response.body) return response;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > maxAnswerBytes) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), response);
};

/** True if there was no response, or one of a server in trouble. */
function isUnavailable(error: unknown): boolean {
  const { code, cause, status } = error as { code?: string; cause?: unknown; status?: number };
  if (code === "OAUTH_TIMEOUT" || (status ?? 0) >= 500) return true;
  if (cause instanceof Response) return cause.status >= 500;
  return error instanceof TypeError && error.message === "fetch failed";
}
