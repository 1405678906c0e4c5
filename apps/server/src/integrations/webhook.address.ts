import type { Config } from "../platform/runtime/config.ts";
import { isAllowedNetwork, parseLiteralAddress, mayReach } from "../platform/security/outbound-address-guard.ts";

/**
 * Returns true if an endpoint may have this address at all. The network address to which its name resolves is checked
 * at each delivery.
 */
export function isAllowedEndpoint(text: string, networks: Config["WEBHOOK_NETWORKS"]): boolean {
  const url = URL.parse(text);
  if (!url || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  const literal = parseLiteralAddress(url.hostname);
  if (literal && !mayReach(literal, networks)) return false;
  // Without TLS only in a network that the operator has allowed.
  return (
    url.protocol === "https:" || (url.protocol === "http:" && literal !== null && isAllowedNetwork(literal, networks))
  );
}
