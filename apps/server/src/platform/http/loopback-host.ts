/** True if a host name or address, with or without the brackets of IPv6, means the machine that it is used on. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|(.+\.)?localhost|(::ffff:)?127(\.\d{1,3}){3}|::1)$/i.test(withoutBrackets(host));
export const withoutBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");
