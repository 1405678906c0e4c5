import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../runtime/config.ts";

/**
 * Returns a cookie's name: the prefix binds it to this host and to https; without https a browser refuses the prefix.
 */
export const cookieName = (config: Config, request: FastifyRequest, name: string): string =>
  isSecure(config, request) ? `__Host-${name}` : name;

const isSecure = (config: Config, request: FastifyRequest): boolean =>
  config.PUBLIC_URL?.startsWith("https:") === true || request.protocol === "https";

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
