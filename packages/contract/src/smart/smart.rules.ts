/** The ways in which an app proves who it is to the token endpoint: none, a shared secret, or a key pair of its own. */
export const appKinds = ["public", "secret", "keys"] as const;
export type AppKind = (typeof appKinds)[number];

export const smartRules = {
  /** The prefixes of every secret, so that a leaked one is recognised. None begins like an API key. */
  accessPrefix: "arcada-access_",
  refreshPrefix: "arcada-refresh_",
  secretPrefix: "arcada-app-secret_",
  /** Seconds for which an authorization code and the code of a launch are valid. */
  codeSeconds: 60,
  launchSeconds: 300,
  /** Seconds for which an access token is valid, of an app with a person and of a backend service. */
  accessSeconds: 900,
  backendSeconds: 300,
  /** Days for which an unused refresh token is valid. */
  refreshDays: 90,
  /** The most seconds that an assertion of a client may be valid. */
  assertionSeconds: 300,
  /** Active apps of one organisation. */
  maxApps: 50,
  maxRedirectUris: 10,
  maxScopes: 60,
  maxScopeLength: 100,
  maxAddressLength: 500,
  /** Characters of a pasted or fetched set of keys, and the keys in it. */
  maxKeySetLength: 20_000,
  maxKeys: 10,
  /** Requests with tokens of one approval: on average per second. */
  requestsPerSecond: 10,
  /** Days for which a revoked app stays in the list, and an ended approval in the database. */
  endedDays: 30,
} as const;

const loopbackHosts = ["127.0.0.1", "[::1]", "localhost"];

/** True for an address to which a browser may be sent with a code: https, or a program on the person's own computer. */
export function isAppAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || text.length > smartRules.maxAddressLength) return false;
  if (url.username !== "" || url.password !== "" || text.includes("#")) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && loopbackHosts.includes(url.hostname));
}
