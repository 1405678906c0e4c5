import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const [ownKey, foreignKey] = [pair(), pair()];
export const clientSecret = "a-secret-of-the-liar";
const encodePart = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export type Claims = Record<string, unknown>;
interface MisbehaviourRules {
  /** Claims of the ID token in addition to, or instead of, the true ones. */
  overrideClaims?: (issuer: string) => Claims;
  /** Returns the token's text in place of an honest signature. */
  signToken?: (head: Claims, claims: Claims) => string;
  /** Metadata in addition to, or instead of, the true ones. */
  overrideMetadata?: (issuer: string) => Claims;
  /** The response that never ends, never begins, or is malformed. */
  endlessResponse?: "discovery" | "token" | "jwks";
  missingResponse?: "discovery" | "token" | "jwks";
  malformedResponse?: "discovery" | "token" | "jwks";
}
const signJwt = (head: Claims, claims: Claims, key = ownKey.privateKey): string => {
  const text = `${encodePart(head)}.${encodePart(claims)}`;
  return `${text}.${createSign("sha256").update(text).sign(key).toString("base64url")}`;
};
const signWithSecret = (secret: string) => (head: Claims, claims: Claims) => {
  const text = `${encodePart({ ...head, alg: "HS256" })}.${encodePart(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
};
const publicPem = ownKey.publicKey.export({ type: "spki", format: "pem" }).toString();
const now = (): number => Math.floor(Date.now() / 1000);

/** The lies of a provider; "honest" has none. */
export const misbehaviours = {
  honest: {},
  otherAudience: { overrideClaims: () => ({ aud: "somebody else" }) },
  otherParty: { overrideClaims: () => ({ aud: ["arcada", "other"], azp: "other" }) },
  otherIssuer: { overrideClaims: () => ({ iss: "https://accounts.example" }) },
  otherNonce: { overrideClaims: () => ({ nonce: "another" }) },
  noNonce: { overrideClaims: () => ({ nonce: undefined }) },
  expired: { overrideClaims: () => ({ iat: now() - 7200, exp: now() - 3600 }) },
  noSubject: { overrideClaims: () => ({ sub: undefined }) },
  endlessSubject: { overrideClaims: () => ({ sub: "s".repeat(100_000) }) },
  oddSubject: { overrideClaims: () => ({ sub: "a\u0000b" }) },
  oddAddress: { overrideClaims: () => ({ sub: "odd", email: "odd\u0000@house.test" }) },
  halfVerified: { overrideClaims: () => ({ sub: "half", email: "half@house.test", email_verified: "yes" }) },
  unsigned: { signToken: (head, claims) => `${encodePart({ ...head, alg: "none" })}.${encodePart(claims)}.` },
  signedByNobody: { signToken: (head, claims) => `${encodePart(head)}.${encodePart(claims)}.` },
  signedByPublicKey: { signToken: signWithSecret(publicPem) },
  signedBySecret: { signToken: signWithSecret(clientSecret) },
  signedByStranger: { signToken: (head, claims) => signJwt(head, claims, foreignKey.privateKey) },
  changedAfter: {
    signToken: (head, claims) => {
      const [first, , last] = signJwt(head, claims).split(".");
      return `${first}.${encodePart({ ...claims, sub: "somebody else" })}.${last}`;
    },
  },
  lyingIssuer: { overrideMetadata: () => ({ issuer: "https://accounts.example" }) },
  endlessDiscovery: { endlessResponse: "discovery" },
  silentDiscovery: { missingResponse: "discovery" },
  garbledDiscovery: { malformedResponse: "discovery" },
  endlessToken: { endlessResponse: "token" },
  silentToken: { missingResponse: "token" },
  garbledToken: { malformedResponse: "token" },
  endlessKeys: { endlessResponse: "jwks" },
  silentKeys: { missingResponse: "jwks" },
  garbledKeys: { malformedResponse: "jwks" },
} as const satisfies Record<string, MisbehaviourRules>;
export type Misbehaviour = keyof typeof misbehaviours;

/**
 * These misbehaviours concern the provider's metadata and keys. They persist once they are cached, so each needs its
 * own provider.
 */
export const providerMisbehaviours = (Object.keys(misbehaviours) as Misbehaviour[]).filter((name) =>
  /Discovery$|Keys$|^lyingIssuer$/.test(name),
);

/** OpenID providers on this machine that sign in everybody at once, each with a different lie. */
export class MisbehavingProviders {
  /** The current lie of the provider "liar". */
  current: Misbehaviour = "honest";
  readonly #server: Server;
  /** Nonces by code, and who each code is for. */
  readonly #codes = new Map<string, string>();
  #next = 0;
  private constructor(server: Server) {
    this.#server = server;
    server.on("request", (request, response) => this.#answers(request, response));
  }
  static async open(): Promise<MisbehavingProviders> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new MisbehavingProviders(server);
  }
  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  issuer(name: Misbehaviour | "liar"): string {
    return `${this.address}/${name}`;
  }
  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answers(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.address);
    const [, name, ...rest] = url.pathname.split("/");
    const rules: MisbehaviourRules = misbehaviours[name === "liar" ? this.current : (name as Misbehaviour)];
    const issuer = this.issuer(name as Misbehaviour);
    const endpoint = rest.join("/");
    const kind = endpoint === "token" ? "token" : endpoint === "jwks" ? "jwks" : "discovery";
    if (endpoint !== "auth" && rules.missingResponse === kind) return;
    if (endpoint !== "auth" && rules.endlessResponse === kind) return this.#pours(response);
    if (endpoint !== "auth" && rules.malformedResponse === kind) return json(response, `{"issuer":`);
    if (endpoint === "auth") return this.#sendsBack(url, response, issuer);
    if (endpoint === "jwks")
      return json(response, { keys: [{ ...ownKey.publicKey.export({ format: "jwk" }), kid: "k", use: "sig" }] });
    if (endpoint === "token") return void this.#signs(request, response, { rules, issuer });
    return json(response, {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      ...rules.overrideMetadata?.(issuer),
    });
  }
  #sendsBack(url: URL, response: ServerResponse, issuer: string): void {
    const code = `code-${(this.#next += 1)}`;
    this.#codes.set(code, url.searchParams.get("nonce") ?? "");
    const back = new URL(url.searchParams.get("redirect_uri") ?? this.address);
    back.search = String(new URLSearchParams({ code, state: url.searchParams.get("state") ?? "", iss: issuer }));
    response.writeHead(302, { location: back.href }).end();
  }
  async #signs(
    request: IncomingMessage,
    response: ServerResponse,
    { rules, issuer }: { rules: MisbehaviourRules; issuer: string },
  ): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const nonce = this.#codes.get(new URLSearchParams(body).get("code") ?? "");
    const claims = {
      iss: issuer,
      aud: "arcada",
      sub: `somebody at ${issuer}`,
      nonce,
      iat: now(),
      exp: now() + 600,
      email: "somebody@liar.test",
      email_verified: true,
      ...rules.overrideClaims?.(issuer),
    };
    const head = { alg: "RS256", kid: "k", typ: "JWT" };
    json(response, {
      access_token: "x",
      token_type: "Bearer",
      expires_in: 600,
      id_token: (rules.signToken ?? ((one, two) => signJwt(one, two)))(head, claims),
    });
  }
  /** Sends a gigabyte, unless the reader disconnects. */
  #pours(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(`{"keys":[],"padding":"`);
    const chunk = Buffer.alloc(1_000_000, 0x61);
    let left = 1000;
    const pour = () => {
      while (left-- > 0) if (!response.write(chunk)) return void response.once("drain", pour);
      response.end(`"}`);
    };
    pour();
  }
}

const json = (response: ServerResponse, value: unknown): void =>
  void response
    .writeHead(200, { "content-type": "application/json" })
    .end(typeof value === "string" ? value : JSON.stringify(value));
