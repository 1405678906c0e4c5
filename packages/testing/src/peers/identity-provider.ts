import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/**
 * An identity provider with its own accounts: a real OpenID Connect provider on this machine, which asks for consent
 * only once.
 */
export class IdentityProvider {
  readonly address: string;
  /** The account of the user who signs in there. */
  account: {
    sub: string;
    email?: string;
    email_verified?: boolean;
    name?: string;
    groups?: unknown;
    /** Names the sources of claims that are left out. */
    _claim_names?: object;
  } = { sub: "nobody" };
  /** While true it answers everything with 503. */
  isUnavailable = false;
  readonly #provider: Provider;
  private constructor(server: Server, callbacks: string[]) {
    this.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#provider = new Provider(this.address, {
      clients: [{ client_id: "arcada", client_secret: "a-secret-of-the-house", redirect_uris: callbacks }],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups", "_claim_names"] },
      findAccount: (_, id) => ({ accountId: id, claims: async () => ({ ...this.account, sub: id }) }),
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, interaction) => `/agree/${interaction.uid}` },
      cookies: { keys: ["a-key-of-the-house"] },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      pkce: { required: () => true },
    });
    // The provider emits this at every start without https.
    this.#provider.on("server_error", () => {});
    const answer = this.#provider.callback();
    server.on("request", (request, response) => {
      if (this.isUnavailable) return void response.writeHead(503).end();
      if (request.url?.startsWith("/agree/")) return void this.#agree(request, response);
      return void answer(request, response);
    });
  }

  static async open(): Promise<{
    createProvider: (callback: string) => IdentityProvider;
    address: string;
    close: () => Promise<void>;
  }> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
      createProvider: (callback) => new IdentityProvider(server, [callback]),
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: () =>
        new Promise((resolve) => {
          server.closeAllConnections();
          server.close(() => resolve());
        }),
    };
  }

  async #agree(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await this.#provider.interactionDetails(request, response);
    const grant = new this.#provider.Grant({ accountId: this.account.sub, clientId: String(params["client_id"]) });
    grant.addOIDCScope("openid email profile");
    const grantId = await grant.save();
    await this.#provider.interactionFinished(
      request,
      response,
      { login: { accountId: this.account.sub, remember: false }, consent: { grantId } },
      { mergeWithLastSubmission: false },
    );
  }
}
