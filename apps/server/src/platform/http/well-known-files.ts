import type { FastifyInstance } from "fastify";
import type { Config } from "../runtime/config.ts";
import { sendRefusal } from "./error-handler.ts";

/** The number of days after which a reader asks for security.txt again; RFC 9116 5.1 advises less than a year. */
const validDays = 180;

/** Serves the files that programs look for at fixed places. */
export function serveWellKnownFiles(app: FastifyInstance, config: Config): void {
  // Everything here is either behind a sign-in or the address of one person: nothing is for a search engine.
  app.get("/robots.txt", (_, reply) => reply.type("text/plain; charset=utf-8").send("User-agent: *\nDisallow: /\n"));
  app.get("/.well-known/security.txt", (request, reply) =>
    config.SECURITY_CONTACT.length === 0
      ? sendRefusal(request, reply, "notFound")
      : reply.type("text/plain; charset=utf-8").send(renderSecurityText(config, new Date())),
  );
}

/** RFC 9116. The text is made from the settings of a running server, so it is valid from the day it is read. */
function renderSecurityText({ SECURITY_CONTACT, SECURITY_POLICY, PUBLIC_URL }: Config, now: Date): string {
  const expires = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + validDays));
  return [
    ...SECURITY_CONTACT.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires.toISOString()}`,
    "Preferred-Languages: zh, en",
    ...(PUBLIC_URL ? [`Canonical: ${new URL("/.well-known/security.txt", PUBLIC_URL).href}`] : []),
    ...(SECURITY_POLICY ? [`Policy: ${SECURITY_POLICY}`] : []),
    "",
  ].join("\n");
}
