import { createHmac, createSign, generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const [kept, stranger] = [pair(), pair()];
export const clientSecret = "a-secret-of-the-liar";
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export type Claims = Record<string, unknown>;
interface Lie {
  /** Claims of the ID token in addition to, or instead of, the true ones. */
  claims?: (issuer: string) => Claims;
  /** Returns the token's text in place of an honest signature. */
  signs?: (head: Claims, claims: Claims) => string;
  /** Metadata in addition to, or instead of, the true ones. */
  metadata?: (issuer: string) => Claims;
  /** The response that never ends, never begins, or is malformed. */
  endless?: "discovery" | "token" | "jwks";
  silent?: "discovery" | "token" | "jwks";
  garbled?: "discovery" | "token" | "jwks";
}
const signed = (head: Claims, claims: Claims, key = kept.privateKey): string => {
  const text = `${part(head)}.${part(claims)}`;
  return `${text}.${createSign("sha256").update(text).sign(key).toString("base64url")}`;
};
const keyed = (secret: string) => (head: Claims, claims: Claims) => {
  const text = `${part({ ...head, alg: "HS256" })}.${part(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
};
const publicPem = kept.publicKey.export({ type: "spki", format: "pem" }).toString();
const now = (): number => Math.floor(Date.now() / 1000);

/** The lies of a provider; "honest" has none. */
export const lies = {
  honest: {},
  otherAudience: { claims: () => ({ aud: "somebody else" }) },
  otherParty: { claims: () => ({ aud: ["arcada", "other"], azp: "other" }) },
  otherIssuer: { claims: () => ({ iss: "https://accounts.example" }) },
  otherNonce: { claims: () => ({ nonce: "another" }) },
  noNonce: { claims: () => ({ nonce: undefined }) },
  expired: { claims: () => ({ iat: now() - 7200, exp: now() - 3600 }) },
  noSubject: { claims: () => ({ sub: undefined }) },
  endlessSubject: { claims: () => ({ sub: "s".repeat(100_000) }) },
  oddSubject: { claims: () => ({ sub: "a\u0000b" }) },
  oddAddress: { claims: () => ({ sub: "odd", email: "odd\u0000@house.test" }) },
  halfVerified: { claims: () => ({ sub: "half", email: "half@house.test", email_verified: "yes" }) },
  unsigned: { signs: (head, claims) => `${part({ ...head, alg: "none" })}.${part(claims)}.` },
  signedByNobody: { signs: (head, claims) => `${part(head)}.${part(claims)}.` },
  signedByPublicKey: { signs: keyed(publicPem) },
  signedBySecret: { signs: keyed(clientSecret) },
  signedByStranger: { signs: (head, claims) => signed(head, claims, stranger.privateKey) },
  changedAfter: {
    signs: (head, claims) => {
      const [first, , last] = signed(head, claims).split(".");
      return `${first}.${part({ ...claims, sub: "somebody else" })}.${last}`;
    },
  },
  lyingIssuer: { metadata: () => ({ issuer: "https://accounts.example" }) },
  endlessDiscovery: { endless: "discovery" },
  silentDiscovery: { silent: "discovery" },
  garbledDiscovery: { garbled: "discovery" },
  endlessToken: { endless: "token" },
  silentToken: { silent: "token" },
  garbledToken: { garbled: "token" },
  endlessKeys: { endless: "jwks" },
  silentKeys: { silent: "jwks" },
  garbledKeys: { garbled: "jwks" },
} as const satisfies Record<string, Lie>;
export type LieName = keyof typeof lies;

/** Lies about the provider itself. They are believed once they are cached, so each has a provider of its own. */
export const ofItself = (Object.keys(lies) as LieName[]).filter((name) => /Discovery$|Keys$|^lyingIssuer$/.test(name));

/** OpenID providers on this machine that sign in everybody at once, each with a different lie. */
export class LyingProviders {
  /** The current lie of the provider "liar". */
  tells: LieName = "honest";
  readonly #server: Server;
  /** Nonces by code, and who each code is for. */
  readonly #codes = new Map<string, string>();
  #next = 0;
  private constructor(server: Server) {
    this.#server = server;
    server.on("request", (request, response) => this.#answers(request, response));
  }
  static async opens(): Promise<LyingProviders> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new LyingProviders(server);
  }
  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  issuer(name: LieName | "liar"): string {
    return `${this.address}/${name}`;
  }
  closes(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answers(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "/", this.address);
    const [, name, ...rest] = url.pathname.split("/");
    const lie: Lie = lies[name === "liar" ? this.tells : (name as LieName)];
    const issuer = this.issuer(name as LieName);
    const what = rest.join("/");
    const kind = what === "token" ? "token" : what === "jwks" ? "jwks" : "discovery";
    if (what !== "auth" && lie.silent === kind) return;
    if (what !== "auth" && lie.endless === kind) return this.#pours(response);
    if (what !== "auth" && lie.garbled === kind) return json(response, `{"issuer":`);
    if (what === "auth") return this.#sendsBack(url, response, issuer);
    if (what === "jwks")
      return json(response, { keys: [{ ...kept.publicKey.export({ format: "jwk" }), kid: "k", use: "sig" }] });
    if (what === "token") return void this.#signs(request, response, { lie, issuer });
    return json(response, {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      ...lie.metadata?.(issuer),
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
    { lie, issuer }: { lie: Lie; issuer: string },
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
      ...lie.claims?.(issuer),
    };
    const head = { alg: "RS256", kid: "k", typ: "JWT" };
    json(response, {
      access_token: "x",
      token_type: "Bearer",
      expires_in: 600,
      id_token: (lie.signs ?? ((one, two) => signed(one, two)))(head, claims),
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
