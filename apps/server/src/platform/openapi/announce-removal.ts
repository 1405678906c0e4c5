import type { onRequestHookHandler } from "fastify";
import type { Call } from "@arcada/contract/kernel/call";

/** Tells programs in every answer of the call since when it is deprecated (RFC 9745) and until when it is served (RFC 8594). */
export function announceRemoval({ since, until }: NonNullable<Call["deprecated"]>): onRequestHookHandler {
  const deprecation = `@${Math.floor(Date.parse(since) / 1000)}`;
  const sunset = new Date(until).toUTCString();
  return (_, reply, done) => {
    reply.headers({ deprecation, sunset, link: '</docs>; rel="deprecation"; type="text/html"' });
    done();
  };
}
