import type { Config } from "../kernel/config.ts";
import { isOwn, literalOf, mayReach } from "../kernel/places.ts";

/** Whether an endpoint may stand at this address at all; where its name leads is looked at each time something is sent. */
export function isEndpoint(text: string, networks: Config["WEBHOOK_NETWORKS"]): boolean {
  const url = URL.parse(text);
  if (!url || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  const literal = literalOf(url.hostname);
  if (literal && !mayReach(literal, networks)) return false;
  // Without TLS only where the operator has opened a network of their own.
  return url.protocol === "https:" || (url.protocol === "http:" && literal !== null && isOwn(literal, networks));
}
