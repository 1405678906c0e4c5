import type { FastifyRequest } from "fastify";
import type { Config } from "../kernel/config.ts";
import { cookieName } from "../kernel/cookies.ts";

/** Browsers say so themselves: no page can leave these headers out of its requests. */
export const isBrowser = (request: FastifyRequest): boolean =>
  request.headers["sec-fetch-site"] !== undefined || request.headers.origin !== undefined;

/** The address that people use, as their browser names the place where a passkey or a sign-in at another house belongs. */
export const originOf = (config: Config, request: FastifyRequest): string =>
  config.PUBLIC_URL ? new URL(config.PUBLIC_URL).origin : `${request.protocol}://${request.host}`;

export const sidName = (config: Config, request: FastifyRequest): string => cookieName(config, request, "sid");
export const deviceName = (config: Config, request: FastifyRequest): string => cookieName(config, request, "did");

/** This cookie identifies the browser that requests codes, whoever uses it. */
export const codeBrowserName = (config: Config, request: FastifyRequest): string => cookieName(config, request, "cid");

/** Of the browser in which a sign-in at another house was begun. */
export const providerName = (config: Config, request: FastifyRequest): string =>
  cookieName(config, request, "provider");
