import * as oauth from "oauth4webapi";
import type { AuthorizationRequest } from "@arcada/contract/smart/smart.calls";
import type { TestUser } from "../setup/test-server.ts";

export interface SmartTokens {
  access_token: string;
  refresh_token?: string;
  expires_in?: number;
  scope?: string;
  patient?: string;
}

/** One request of an app, with what it keeps to itself until the browser returns. */
export interface StartedAuthorization {
  request: AuthorizationRequest;
  verifier: string;
}

/** An app by SMART App Launch, with the OAuth library `oauth4webapi` as its client. */
export class SmartClient {
  readonly #address: string;
  readonly #client: oauth.Client;
  readonly #proof: oauth.ClientAuth;
  readonly redirectUri: string;
  constructor(address: string, clientId: string, redirectUri: string, proof: oauth.ClientAuth = oauth.None()) {
    this.#address = address;
    this.#client = { client_id: clientId };
    this.#proof = proof;
    this.redirectUri = redirectUri;
  }

  /** Reads the server's description, as every app does first. */
  async discover(): Promise<oauth.AuthorizationServer> {
    const fhir = `${this.#address}/fhir`;
    const response = await fetch(`${fhir}/.well-known/smart-configuration`);
    return { issuer: fhir, ...((await response.json()) as object) };
  }

  async start(scope: string, more: Partial<AuthorizationRequest> = {}): Promise<StartedAuthorization> {
    const verifier = oauth.generateRandomCodeVerifier();
    return {
      verifier,
      request: {
        response_type: "code",
        client_id: this.#client.client_id,
        redirect_uri: this.redirectUri,
        scope,
        state: oauth.generateRandomState(),
        aud: `${this.#address}/fhir`,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...more,
      },
    };
  }

  /** Lets a person allow the request, and returns the address to which their browser goes. */
  async allow({ request }: StartedAuthorization, person: TestUser, patientId: string | null = null): Promise<string> {
    return (await person.call("smart.decide", { request, allow: true, patientId })).redirect;
  }

  async exchange({ request, verifier }: StartedAuthorization, redirect: string): Promise<SmartTokens> {
    const server = await this.discover();
    const parameters = oauth.validateAuthResponse(server, this.#client, new URL(redirect), request.state ?? "");
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      this.#client,
      this.#proof,
      parameters,
      this.redirectUri,
      verifier,
      insecure,
    );
    return (await oauth.processAuthorizationCodeResponse(server, this.#client, response)) as SmartTokens;
  }

  /** All steps of a person who allows everything. */
  async connect(person: TestUser, scope: string, patientId: string | null = null): Promise<SmartTokens> {
    const started = await this.start(scope);
    return this.exchange(started, await this.allow(started, person, patientId));
  }

  async refresh(token: string, scope?: string): Promise<SmartTokens> {
    const server = await this.discover();
    const response = await oauth.refreshTokenGrantRequest(server, this.#client, this.#proof, token, {
      ...insecure,
      ...(scope !== undefined && { additionalParameters: { scope } }),
    });
    return (await oauth.processRefreshTokenResponse(server, this.#client, response)) as SmartTokens;
  }

  async asBackend(scope: string): Promise<SmartTokens> {
    const server = await this.discover();
    const response = await oauth.clientCredentialsGrantRequest(server, this.#client, this.#proof, { scope }, insecure);
    return (await oauth.processClientCredentialsResponse(server, this.#client, response)) as SmartTokens;
  }

  async revoke(token: string): Promise<void> {
    const server = await this.discover();
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, this.#client, this.#proof, token, insecure),
    );
  }

  /** Reads a resource; returns the status and the body. */
  async read(token: string, path: string): Promise<{ status: number; body: FhirBody }> {
    const response = await fetch(`${this.#address}/fhir/${path}`, { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, body: (await response.json()) as FhirBody };
  }
}

interface FhirBody {
  resourceType: string;
  id?: string;
  total?: number;
  entry?: { resource: { id: string; for?: { reference?: string } } }[];
}

// The test server speaks plain HTTP on this machine.
const insecure = { [oauth.allowInsecureRequests]: true };
