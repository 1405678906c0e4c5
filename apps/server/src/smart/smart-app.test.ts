import { exportJWK, generateKeyPair } from "jose";
import * as oauth from "oauth4webapi";
import { beforeAll, describe, expect, it } from "vitest";
import type { Input } from "@arcada/contract/kernel/call";
import type { smartCalls } from "@arcada/contract/smart/smart.calls";
import { smartRules } from "@arcada/contract/smart/smart.rules";
import { SmartClient } from "@arcada/testing/clients/smart-client";
import { createFixtures } from "@arcada/testing/fixtures/patient-with-orders";
import type { Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { refusalOf } from "@arcada/testing/refusal-of";
import { present } from "@arcada/testing/require-present";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestSetup, TestUser } from "@arcada/testing/setup/test-server";

let env: TestSetup;
let fixtures: Fixtures;
beforeAll(async () => {
  env = await setup();
  fixtures = await createFixtures(env);
});

const back = "https://app.example/callback";
const register = (by: TestUser, more: Partial<Input<typeof smartCalls.register>> = {}) =>
  by.call("smart.register", {
    name: "Growth charts",
    kind: "public",
    redirectUris: [back],
    launchUrl: "",
    scopes: ["launch/patient", "patient/Task.rs", "patient/ServiceRequest.rs", "user/Task.rs", "offline_access"],
    keys: "",
    ...more,
  });
async function connectedClient(more: Parameters<typeof register>[1] = {}): Promise<SmartClient> {
  const { app } = await register(env.clinic, more);
  return new SmartClient(env.server.address, app.id, back);
}

describe("the description of the server", () => {
  it("names the endpoints, and the page of the product as the one of consent", async () => {
    const client = new SmartClient(env.server.address, fixtures.patient.id, back);
    expect(await client.discover()).toMatchObject({
      authorization_endpoint: `${env.server.address}/authorizeApp`,
      token_endpoint: `${env.server.address}/oauth/token`,
      code_challenge_methods_supported: ["S256"],
    });
    const metadata = await fetch(`${env.server.address}/fhir/metadata`);
    expect(metadata.headers.get("access-control-allow-origin")).toBe("*");
    expect(JSON.stringify(await metadata.json())).toContain(`${env.server.address}/oauth/token`);
  });
});

describe("the registration of an app", () => {
  it("belongs to managers, who see the secret once", async () => {
    const { app, secret } = await register(env.clinic, { kind: "secret", name: "Recall" });
    expect(secret).toMatch(/^arcada-app-secret_[\w-]{43}$/);
    expect(JSON.stringify(await env.clinic.call("smart.apps", {}))).not.toContain(present(secret));
    expect(refusalOf(await env.dentist.ask("smart.apps", {}))).toBe("notAllowed");
    expect(refusalOf(await env.lab.ask("smart.revoke", { id: app.id }))).toBe("notFound");
    const trail = await env.clinic.call("trail.list", {});
    expect(trail.list[0]).toMatchObject({ action: "smart.register", subject: app.id });
  });

  it("follows a change of name and addresses, until it is revoked", async () => {
    const { app } = await register(env.clinic, { name: "Before" });
    const { name: _, ...rest } = { ...app, launchUrl: "", keys: "" };
    const changed = await env.clinic.call("smart.change", { ...rest, name: "After", redirectUris: [`${back}/2`] });
    expect(changed).toMatchObject({ name: "After", redirectUris: [`${back}/2`] });
    const { request } = await new SmartClient(env.server.address, app.id, back).start("user/Task.rs");
    expect(refusalOf(await env.dentist.ask("smart.ask", { request }))).toBe("appRedirect");
    expect(await env.clinic.call("smart.revoke", { id: app.id })).toMatchObject({ state: "revoked" });
    expect(refusalOf(await env.clinic.ask("smart.change", { ...rest, name: "Again" }))).toBe("appEnded");
  });

  it.each([
    [{ redirectUris: ["http://app.example/callback"] }],
    [{ redirectUris: ["javascript:alert(1)"] }],
    [{ redirectUris: ["https://app.example/#part"] }],
    [{ redirectUris: [] }],
    [{ scopes: ["patient/Patient.sr"] }],
    [{ scopes: ["system/Patient.rs"] }],
    [{ launchUrl: "https://app.example/launch" }],
    [{ kind: "keys" as const, keys: "http://169.254.169.254/keys" }],
    [{ kind: "keys" as const, keys: JSON.stringify({ keys: [{ kty: "oct", k: "c2VjcmV0" }] }) }],
  ])("refuses %j", async (input) => {
    const answer = await env.clinic.ask("smart.register", {
      name: "Odd",
      kind: "public",
      redirectUris: [back],
      launchUrl: "",
      scopes: ["user/Task.rs"],
      keys: "",
      ...input,
    });
    expect(refusalOf(answer)).toBe("badInput");
  });
});

describe("an app with a person", () => {
  it("gets the patient whom the person chose, and their orders alone", async () => {
    const client = await connectedClient();
    const started = await client.start("launch/patient patient/Task.rs");
    const { question } = await env.dentist.call("smart.ask", { request: started.request });
    expect(question).toMatchObject({ app: "Growth charts", host: "app.example", choosesPatient: true });
    const tokens = await client.exchange(started, await client.allow(started, env.dentist, fixtures.patient.id));
    expect(tokens).toMatchObject({ patient: fixtures.patient.id, expires_in: smartRules.accessSeconds });
    expect(tokens.refresh_token).toBeUndefined();
    const { body } = await client.read(tokens.access_token, "Task");
    expect(body.entry?.map(({ resource }) => resource.id)).toContain(fixtures.order.id);
    expect((await client.read(tokens.access_token, `Task/${fixtures.order.id}`)).status).toBe(200);
    // It did not ask for prescriptions.
    expect((await client.read(tokens.access_token, `ServiceRequest/${fixtures.order.id}`)).status).toBe(403);
  });

  it("is told that the person did not allow it", async () => {
    const client = await connectedClient();
    const { request } = await client.start("user/Task.rs");
    const { redirect } = await env.dentist.call("smart.decide", { request, allow: false, patientId: null });
    expect(redirect).toBe(`${back}?error=access_denied&state=${request.state}`);
  });

  it("gets its scopes in the spelling of version 1, narrowed to what is registered", async () => {
    const client = await connectedClient();
    const tokens = await client.connect(env.dentist, "user/Task.read user/Task.write user/Patient.read");
    expect(tokens.scope).toBe("user/Task.read");
  });

  it("renews its tokens with a refresh token that works once", async () => {
    const client = await connectedClient();
    const first = await client.connect(env.dentist, "user/Task.rs offline_access");
    const second = await client.refresh(present(first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await client.read(second.access_token, "Task")).status).toBe(200);
    const narrow = await client.refresh(present(second.refresh_token), "user/Task.s");
    expect((await client.read(narrow.access_token, `Task/${fixtures.order.id}`)).status).toBe(403);
    expect((await client.read(narrow.access_token, "Task")).status).toBe(200);
  });

  it("proves itself with its secret", async () => {
    const { app, secret } = await register(env.clinic, { kind: "secret" });
    const proof = oauth.ClientSecretBasic(present(secret));
    const client = new SmartClient(env.server.address, app.id, back, proof);
    const { access_token: token } = await client.connect(env.dentist, "user/Task.rs");
    expect((await client.read(token, "Task")).status).toBe(200);
    const renewed = await env.clinic.call("smart.renewSecret", { id: app.id });
    expect(renewed.secret).not.toBe(secret);
    await expect(client.connect(env.dentist, "user/Task.rs")).rejects.toMatchObject({ status: 401 });
  });

  it("is listed for the person, who ends it", async () => {
    const client = await connectedClient({ name: "To be ended" });
    const { access_token: token } = await client.connect(env.dentist, "user/Task.rs");
    const mine = (await env.dentist.call("smart.approvals", {})).find(({ app }) => app === "To be ended");
    expect(mine).toMatchObject({ scopes: ["user/Task.rs"], patient: null });
    const id = present(mine).id;
    expect(refusalOf(await env.clinic.ask("smart.endApproval", { id }))).toBe("notFound");
    await env.dentist.call("smart.endApproval", { id });
    expect((await client.read(token, "Task")).status).toBe(401);
  });

  it("gives its tokens back", async () => {
    const client = await connectedClient();
    const { access_token: token } = await client.connect(env.dentist, "user/Task.rs");
    await client.revoke(token);
    expect((await client.read(token, "Task")).status).toBe(401);
  });
});

describe("the launch from the record of a patient", () => {
  it("names the patient to the app without a further choice, once", async () => {
    const scopes = ["launch", "patient/Task.rs"];
    const { app } = await register(env.clinic, { launchUrl: "https://app.example/launch?tenant=1", scopes });
    expect(await env.dentist.call("smart.launchable", {})).toContainEqual({ id: app.id, name: app.name });
    const { url } = await env.dentist.call("smart.launch", { id: app.id, patientId: fixtures.patient.id });
    const opened = new URL(url).searchParams;
    expect([opened.get("tenant"), opened.get("iss")]).toEqual(["1", `${env.server.address}/fhir`]);
    const client = new SmartClient(env.server.address, app.id, back);
    const started = await client.start("launch patient/Task.rs", { launch: present(opened.get("launch")) });
    const { question } = await env.dentist.call("smart.ask", { request: started.request });
    expect(question).toMatchObject({ choosesPatient: false, patient: { id: fixtures.patient.id } });
    // The code of the launch is the person's own.
    const other = await env.clinic.call("smart.ask", { request: started.request });
    expect(other.redirect).toContain("error=invalid_request");
    const tokens = await client.exchange(started, await client.allow(started, env.dentist));
    expect(tokens.patient).toBe(fixtures.patient.id);
    expect(await client.allow(started, env.dentist)).toContain("error=invalid_request");
  });
});

describe("a backend service", () => {
  it.each(["RS384", "ES384"])("gets a short-lived token by an assertion with %s", async (alg) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const { app } = await register(env.clinic, {
      kind: "keys",
      redirectUris: [],
      scopes: ["system/*.rs"],
      keys: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: "a" }] }),
    });
    const proof = oauth.PrivateKeyJwt({ key: privateKey, kid: "a" });
    const client = new SmartClient(env.server.address, app.id, back, proof);
    const tokens = await client.asBackend("system/Task.rs user/Task.rs");
    expect(tokens).toMatchObject({ scope: "system/Task.rs", expires_in: smartRules.backendSeconds });
    const { body } = await client.read(tokens.access_token, "Task");
    expect(body.entry?.map(({ resource }) => resource.id)).toContain(fixtures.order.id);
    await env.clinic.call("smart.revoke", { id: app.id });
    expect((await client.read(tokens.access_token, "Task")).status).toBe(401);
    await expect(client.asBackend("system/Task.rs")).rejects.toMatchObject({ error: "invalid_client" });
  });
});
