import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import type { Config } from "../kernel/config.ts";

export interface Place {
  address: string;
  family: 4 | 6;
}
type Networks = Config["WEBHOOK_NETWORKS"];

/** Whether an endpoint may stand at this address at all; where its name leads is looked at each time something is sent. */
export function isEndpoint(text: string, networks: Networks): boolean {
  const url = URL.parse(text);
  if (!url || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  const literal = literalOf(url.hostname);
  if (literal && !mayReach(literal, networks)) return false;
  // Without TLS only where the operator has opened a network of their own.
  return url.protocol === "https:" || (url.protocol === "http:" && literal !== null && isOwn(literal, networks));
}

/**
 * The places behind a name, one of which is connected to: whoever answers the question a second time cannot name
 * another. Null where one of them is not to be reached from here.
 */
export async function placesOf(hostname: string, networks: Networks): Promise<Place[] | null> {
  const literal = literalOf(hostname);
  const found = literal
    ? [literal]
    : (await lookup(hostname, { all: true })).map(({ address, family }) => ({ address, family: family as 4 | 6 }));
  return found.length > 0 && found.every((place) => mayReach(place, networks)) ? found : null;
}

function literalOf(hostname: string): Place | null {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(address);
  return family === 0 ? null : { address, family: family as 4 | 6 };
}

const kindOf = ({ family }: Place): "ipv4" | "ipv6" => (family === 4 ? "ipv4" : "ipv6");
const mayReach = (place: Place, networks: Networks): boolean => isPublic(place) || isOwn(place, networks);
const isOwn = (place: Place, networks: Networks): boolean => networks.check(place.address, kindOf(place));

/** IPv6 but for the unicast of the internet leads somewhere else, and parts of that hide an IPv4 address. */
const isPublic = (place: Place): boolean =>
  place.family === 4
    ? !closed.check(place.address, "ipv4")
    : internet.check(place.address, "ipv6") && !closed.check(place.address, "ipv6");

// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry.
const closed = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  closed.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  closed.addSubnet(network, bits, "ipv6");
const internet = new BlockList();
internet.addSubnet("2000::", 3, "ipv6");
