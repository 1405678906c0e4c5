import * as openid from "openid-client";
import { account } from "@arcada/contract/account/account.fields";
import type { Provider } from "../../platform/runtime/config.ts";
import { Refused, refuse } from "../../platform/http/refuse.ts";

/** The values that a sign-in at the identity provider starts with and that its response is checked against. */
export interface Journey {
  verifier: string;
  nonce: string;
  state: string;
}
/** The person that the identity provider names. */
export interface Stranger {
  issuer: string;
  subject: string;
  email: string | null;
  name: string | null;
}

const secondsToAnswer = 6;
const found = new Map<string, Promise<openid.Configuration>>();

export const newJourney = (state: string): Journey => ({
  verifier: openid.randomPKCECodeVerifier(),
  nonce: openid.randomNonce(),
  state,
});

/** Returns the address at the identity provider at which the browser signs in. */
export async function addressAt(provider: Provider, journey: Journey, callback: string): Promise<string> {
  const configuration = await configurationOf(provider);
  const target = openid.buildAuthorizationUrl(configuration, {
    redirect_uri: callback,
    scope: "openid email profile",
    code_challenge: await openid.calculatePKCECodeChallenge(journey.verifier),
    code_challenge_method: "S256",
    state: journey.state,
    nonce: journey.nonce,
  });
  return target.href;
}

/**
 * Trades the response in the browser's redirect for the identity. An email address counts if the provider has verified
 * it.
 */
export async function strangerFrom(provider: Provider, journey: Journey, came: URL): Promise<Stranger> {
  const configuration = await configurationOf(provider);
  try {
    const tokens = await openid.authorizationCodeGrant(configuration, came, {
      pkceCodeVerifier: journey.verifier,
      expectedState: journey.state,
      expectedNonce: journey.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims()!;
    const said = claims["email"]
      ? claims
      : { ...claims, ...(await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)) };
    if (!isPlain(claims.sub, subjectMost)) refuse("providerFailed");
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: isTrue(said["email_verified"]) ? addressIn(said["email"]) : null,
      name: nameIn(said["name"]),
    };
  } catch (error) {
    if (error instanceof Refused) throw error;
    return refuse(isAway(error) ? "providerAway" : "providerFailed");
  }
}

// OpenID Connect Core 1.0, 2: at most 255 characters. Text that no database can store is not accepted.
const subjectMost = 255;
const isPlain = (text: unknown, most: number): text is string =>
  typeof text === "string" && text.length > 0 && text.length <= most && text.isWellFormed() && !/\p{Cc}/u.test(text);
const addressIn = (email: unknown): string | null =>
  isPlain(email, 120) && email.includes("@") && account.safeParse(email).success ? email.trim().toLowerCase() : null;
const nameIn = (name: unknown): string | null => {
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

// Some providers send the word instead of the value.
const isTrue = (value: unknown): boolean => value === true || value === "true";

/** Reads the provider's discovery document once. If the provider did not answer, the next call asks again. */
function configurationOf(provider: Provider): Promise<openid.Configuration> {
  const known = found.get(provider.id);
  if (known) return known;
  const asking = openid
    .discovery(
      new URL(provider.issuer),
      provider.clientId,
      provider.clientSecret,
      provider.clientSecret ? undefined : openid.None(),
      {
        timeout: secondsToAnswer,
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
      found.delete(provider.id);
      throw new Refused("providerAway", null, false);
    });
  found.set(provider.id, asking);
  return asking;
}

const answerBytesMost = 1_000_000;

/** Reads a response at once and up to a limit that no honest one reaches: an endless one would fill our memory. */
const fetchBounded: openid.CustomFetch = async (url, options) => {
  const answer = await fetch(url, options as RequestInit);
  if (!answer.body) return answer;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > answerBytesMost) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), answer);
};

/** True if there was no response, or one of a server in trouble. */
function isAway(error: unknown): boolean {
  const { code, cause, status } = error as { code?: string; cause?: unknown; status?: number };
  if (code === "OAUTH_TIMEOUT" || (status ?? 0) >= 500) return true;
  if (cause instanceof Response) return cause.status >= 500;
  return error instanceof TypeError && error.message === "fetch failed";
}
