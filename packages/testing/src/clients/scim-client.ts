import type { TestServer, TestUser } from "../setup/test-server.ts";

export interface ScimResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { id: string; Resources: Record<string, unknown>[]; totalResults: number };
}

/** An identity provider that provisions an organisation by SCIM with a key of its manager. */
export class ScimClient {
  readonly server: TestServer;
  token: string;
  private constructor(server: TestServer, token: string) {
    this.server = server;
    this.token = token;
  }

  static async of(manager: TestUser): Promise<ScimClient> {
    const { secret } = await manager.call("interface.makeKey", {
      name: "Identity provider",
      scopes: ["members.provision"],
      days: 30,
    });
    return new ScimClient(manager.server, secret);
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ScimResponse> {
    const response = await fetch(`${this.server.address}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        "accept-language": "en",
        ...(body !== undefined && { "content-type": "application/scim+json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === "" ? {} : JSON.parse(text)) as ScimResponse["body"],
    };
  }

  /** Finds resources as identity providers do before they create one. */
  find(kind: "Users" | "Groups", filter: string): Promise<ScimResponse> {
    return this.send("GET", `/${kind}?${new URLSearchParams({ filter })}`);
  }

  async createUser(email: string, more: object = {}): Promise<string> {
    const made = await this.send("POST", "/Users", { userName: email, ...more });
    if (made.status !== 201) throw new Error(`POST /Users: ${made.status} ${JSON.stringify(made.body)}`);
    return made.body.id;
  }

  async createGroup(displayName: string, members: string[] = []): Promise<string> {
    const made = await this.send("POST", "/Groups", { displayName, members: members.map((value) => ({ value })) });
    if (made.status !== 201) throw new Error(`POST /Groups: ${made.status} ${JSON.stringify(made.body)}`);
    return made.body.id;
  }

  patch(path: string, ...operations: object[]): Promise<ScimResponse> {
    return this.send("PATCH", path, {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
      Operations: operations,
    });
  }
}
