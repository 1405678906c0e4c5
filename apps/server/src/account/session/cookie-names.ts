import type { FastifyRequest } from "fastify";
import type { Config } from "../../platform/runtime/config.ts";
import { cookieName } from "../../platform/http/cookies.ts";

/** Browsers add these headers themselves: no page can leave them out of its requests. */
export const isBrowser = (request: FastifyRequest): boolean =>
  request.headers["sec-fetch-site"] !== undefined || request.headers.origin !== undefined;

/**
 * Returns the origin that people use, as the browser names it for passkeys and for a sign-in at an identity provider.
 */
export const publicOrigin = (config: Config, request: FastifyRequest): string =>
  config.PUBLIC_URL ? new URL(config.PUBLIC_URL).origin : `${request.protocol}://${request.host}`;

export const sessionCookieName = (config: Config, request: FastifyRequest): string =>
  cookieName(config, request, "sid");
export const deviceCookieName = (config: Config, request: FastifyRequest): string => cookieName(config, request, "did");

/** The name of the cookie that identifies the browser that requests codes, regardless of its user. */
export const codeCookieName = (config: Config, request: FastifyRequest): string => cookieName(config, request, "cid");

/** The name of the cookie that identifies the browser in which a sign-in at an identity provider began. */
export const providerCookieName = (config: Config, request: FastifyRequest): string =>
  cookieName(config, request, "provider");
