import type { FastifyRequest } from "fastify";
import { authorizePath } from "@arcada/contract/smart/authorize-path";
import type { Config } from "../platform/runtime/config.ts";

/** The addresses that an app must know, as seen from outside. */
export interface OAuthAddresses {
  /** The base of FHIR, which an app names as `aud` and a launch as `iss`. */
  fhir: string;
  authorize: string;
  token: string;
  revoke: string;
}

export const tokenPath = "/oauth/token";
export const revokePath = "/oauth/revoke";

export function findOAuthAddresses(
  { PUBLIC_URL }: Pick<Config, "PUBLIC_URL">,
  { protocol, host }: Pick<FastifyRequest, "protocol" | "host">,
): OAuthAddresses {
  const origin = PUBLIC_URL?.replace(/\/$/, "") ?? `${protocol}://${host}`;
  return {
    fhir: `${origin}/fhir`,
    authorize: `${origin}${authorizePath}`,
    token: `${origin}${tokenPath}`,
    revoke: `${origin}${revokePath}`,
  };
}
