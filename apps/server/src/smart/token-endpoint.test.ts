import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestSetup } from "@arcada/testing/setup/test-server";

const back = "https://app.example/callback";
let env: TestSetup;
let clientId: string;
beforeAll(async () => {
  env = await setup();
  clientId = await registerApp("Public");
});

async function registerApp(name: string): Promise<string> {
  const scopes = ["user/Task.rs"];
  const registration = { name, kind: "public" as const, redirectUris: [back], launchUrl: "", scopes, keys: "" };
  return (await env.clinic.call("smart.register", registration)).app.id;
}

const postForm = async (form: Record<string, string>) => {
  const response = await fetch(`${env.server.address}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: (await response.json()) as { error?: string } };
};

describe("an assertion of a backend service", () => {
  it("is refused without a signature, by another key, for another server, too long or twice", async () => {
    const { publicKey, privateKey } = await generateKeyPair("ES384", { extractable: true });
    const stranger = await generateKeyPair("ES384");
    const { app } = await env.clinic.call("smart.register", {
      name: "Warehouse",
      kind: "keys",
      redirectUris: [],
      launchUrl: "",
      scopes: ["system/*.rs"],
      keys: JSON.stringify({ keys: [await exportJWK(publicKey)] }),
    });
    const audience = `${env.server.address}/oauth/token`;
    const claims = { iss: app.id, sub: app.id, aud: audience, jti: "one" };
    const sign = (payload: Record<string, string>, lifetime = "4 minutes", key = privateKey) =>
      new SignJWT(payload).setProtectedHeader({ alg: "ES384" }).setExpirationTime(lifetime).sign(key);
    const ask = async (assertion: string) => {
      const { status, body } = await postForm({
        grant_type: "client_credentials",
        scope: "system/Task.rs",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: assertion,
      });
      return body.error ?? status;
    };
    const good = await sign(claims);
    expect(await ask(good)).toBe(200);
    const bad = {
      twice: good,
      unsigned: new UnsecuredJWT({ ...claims, jti: "two" }).setExpirationTime("4 minutes").encode(),
      otherKey: await sign({ ...claims, jti: "three" }, "4 minutes", stranger.privateKey),
      otherServer: await sign({ ...claims, jti: "four", aud: "https://other.example/oauth/token" }),
      tooLong: await sign({ ...claims, jti: "five" }, "1 hour"),
      over: await sign({ ...claims, jti: "six" }, "-5 minutes"),
      withoutId: await sign({ iss: app.id, sub: app.id, aud: audience }),
      ofAnother: await sign({ ...claims, jti: "seven", sub: clientId }),
      broken: `${good.slice(0, -4)}AAAA`,
      noToken: "..",
    };
    for (const [name, assertion] of Object.entries(bad))
      expect([name, await ask(assertion)]).toEqual([name, "invalid_client"]);
  });
});

describe("the endpoint for tokens", () => {
  it("slows down who guesses", async () => {
    const form = { grant_type: "authorization_code", client_id: await registerApp("Guessed"), redirect_uri: back };
    const statuses: number[] = [];
    for (let at = 0; at < 25; at++) statuses.push((await postForm({ ...form, code: `guess${at}` })).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
  });

  it.each([
    ["a repeated parameter", "grant_type=refresh_token&grant_type=refresh_token"],
    ["a NUL", "grant_type=refresh_token&refresh_token=a%00b"],
    ["a name of every object", "grant_type=constructor&__proto__=1"],
    ["a body above 16 KB", `scope=${"a".repeat(20_000)}`],
    ["nothing", ""],
  ])("refuses %s", async (_, body) => {
    const response = await fetch(`${env.server.address}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body,
    });
    expect([400, 401]).toContain(response.status);
  });

  it("refuses JSON, and a secret in place of none", async () => {
    const response = await fetch(`${env.server.address}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(response.status).toBe(400);
    const basic = await fetch(`${env.server.address}/oauth/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:x`).toString("base64")}` },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x" }),
    });
    expect([basic.status, basic.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="Arcada"']);
  });
});
