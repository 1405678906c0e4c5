import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** An IP address to which a host name resolves. */
export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/**
 * Returns the addresses behind a host name, one of which is then connected to, so that a second DNS response cannot
 * name another one. Null if one of them must not be reached from here.
 * @param networks private ones that may be reached besides the internet
 */
export async function resolveReachable(hostname: string, networks: BlockList): Promise<ResolvedAddress[] | null> {
  const literal = parseLiteralAddress(hostname);
  const found = literal
    ? [literal]
    : (await lookup(hostname, { all: true })).map(({ address, family }) => ({ address, family: family as 4 | 6 }));
  return found.length > 0 && found.every((resolved) => mayReach(resolved, networks)) ? found : null;
}

/** Returns the address if a host is written as a literal address. */
export function parseLiteralAddress(hostname: string): ResolvedAddress | null {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(address);
  return family === 0 ? null : { address, family: family as 4 | 6 };
}

/** Makes a list of networks such as 10.1.0.0/16, which have been validated before. */
export function toBlockList(rows: readonly string[]): BlockList {
  const list = new BlockList();
  for (const row of rows) {
    const [network = "", bits = ""] = row.split("/");
    list.addSubnet(network, Number(bits), isIP(network) === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

const ipFamily = ({ family }: ResolvedAddress): "ipv4" | "ipv6" => (family === 4 ? "ipv4" : "ipv6");
export const mayReach = (resolved: ResolvedAddress, networks: BlockList): boolean =>
  isPublicAddress(resolved) || isAllowedNetwork(resolved, networks);
export const isAllowedNetwork = (resolved: ResolvedAddress, networks: BlockList): boolean =>
  networks.check(resolved.address, ipFamily(resolved));

/**
 * True for a public address. IPv6 addresses outside the unicast range of the internet lead somewhere else, and parts of
 * that range hide an IPv4 address.
 */
export const isPublicAddress = (resolved: ResolvedAddress): boolean =>
  resolved.family === 4
    ? !reserved.check(resolved.address, "ipv4")
    : internet.check(resolved.address, "ipv6") && !reserved.check(resolved.address, "ipv6");

// https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry.
const reserved = new BlockList();
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
  reserved.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  reserved.addSubnet(network, bits, "ipv6");
const internet = new BlockList();
internet.addSubnet("2000::", 3, "ipv6");

/**
 * Returns true if an endpoint may have this address at all. The network address to which its name resolves is checked
 * at each delivery.
 */
export function isAllowedEndpoint(text: string, networks: BlockList): boolean {
  const url = URL.parse(text);
  if (!url || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  const literal = parseLiteralAddress(url.hostname);
  if (literal && !mayReach(literal, networks)) return false;
  // Without TLS only in a network that the operator has allowed.
  return (
    url.protocol === "https:" || (url.protocol === "http:" && literal !== null && isAllowedNetwork(literal, networks))
  );
}
