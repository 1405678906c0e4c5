import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../kernel/config.ts";

/** Browsers say so themselves: no page can leave these headers out of its requests. */
export const isBrowser = (request: FastifyRequest): boolean =>
  request.headers["sec-fetch-site"] !== undefined || request.headers.origin !== undefined;

const isSecure = (config: Config, request: FastifyRequest): boolean =>
  config.PUBLIC_URL?.startsWith("https:") === true || request.protocol === "https";

/** The address that people use, as their browser names the place where a passkey or a sign-in at another house belongs. */
export const originOf = (config: Config, request: FastifyRequest): string =>
  config.PUBLIC_URL ? new URL(config.PUBLIC_URL).origin : `${request.protocol}://${request.host}`;

/** The prefix binds the cookie to this host and to https; without https a browser refuses it. */
export const sidName = (config: Config, request: FastifyRequest): string =>
  isSecure(config, request) ? "__Host-sid" : "sid";
export const deviceName = (config: Config, request: FastifyRequest): string =>
  isSecure(config, request) ? "__Host-did" : "did";

/** Of the browser in which a sign-in at another house was begun. */
export const providerName = (config: Config, request: FastifyRequest): string =>
  isSecure(config, request) ? "__Host-provider" : "provider";

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const [key, value] = part.trim().split("=");
    if (key === name) return value;
  }
  return undefined;
}

/** `seconds` null: until the browser closes. */
export function setCookie(
  reply: FastifyReply,
  config: Config,
  request: FastifyRequest,
  name: string,
  value: string,
  seconds: number | null,
  sameSite: "Strict" | "Lax" = "Strict",
): void {
  const parts = [`${name}=${value}`, "Path=/", "HttpOnly", `SameSite=${sameSite}`];
  if (isSecure(config, request)) parts.push("Secure");
  if (seconds !== null) parts.push(`Max-Age=${seconds}`);
  const before = reply.getHeader("set-cookie");
  reply.header("set-cookie", [...(Array.isArray(before) ? before : before ? [String(before)] : []), parts.join("; ")]);
}
