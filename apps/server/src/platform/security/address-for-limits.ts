import { isIPv6 } from "node:net";

/**
 * Returns the address by which limits are counted. An IPv6 subscriber can send from a whole /64 (RFC 6177), an IPv4
 * subscriber from a single address.
 */
export function limitedAddress(address: string): string {
  const bare = address.split("%", 1)[0]!.toLowerCase();
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  if (ipv4) return ipv4[1]!;
  if (!isIPv6(bare)) return address;
  const [head = "", tail] = bare.split("::");
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const [before, after] = [groups(head), groups(tail ?? "")];
  const all =
    tail === undefined ? before : [...before, ...Array<string>(8 - before.length - after.length).fill("0"), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
