import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import type { AuthorizationRequest } from "@arcada/contract/smart/smart.calls";
import { SmartClient } from "@arcada/testing/clients/smart-client";
import { createFixtures, prescription } from "@arcada/testing/fixtures/patient-with-orders";
import type { Fixtures } from "@arcada/testing/fixtures/patient-with-orders";
import { refusalOf } from "@arcada/testing/refusal-of";
import { present } from "@arcada/testing/require-present";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestSetup } from "@arcada/testing/setup/test-server";
import { Refused } from "../platform/http/refuse.ts";
import { authenticateApps } from "./authenticate-apps.ts";

const back = "https://app.example/callback";
const scopes = [
  "launch",
  "launch/patient",
  "patient/Task.rs",
  "patient/Organization.rs",
  "user/Task.rs",
  "offline_access",
];
let env: TestSetup;
let fixtures: Fixtures;
let clientId: string;
let client: SmartClient;
beforeAll(async () => {
  env = await setup();
  fixtures = await createFixtures(env);
  clientId = await registerApp("Attacked");
  client = new SmartClient(env.server.address, clientId, back);
});

async function registerApp(name: string): Promise<string> {
  const registration = { name, kind: "public" as const, redirectUris: [back], launchUrl: "", scopes, keys: "" };
  return (await env.clinic.call("smart.register", registration)).app.id;
}

const postForm = async (form: Record<string, string>, path = "/oauth/token") => {
  const response = await fetch(`${env.server.address}${path}`, { method: "POST", body: new URLSearchParams(form) });
  return { status: response.status, body: (await response.json()) as { error?: string; access_token?: string } };
};
/** A code that nobody has spent, with the form that would spend it. */
async function obtainCode(): Promise<Record<string, string>> {
  const started = await client.start("user/Task.rs offline_access");
  const redirect = new URL(await client.allow(started, env.dentist));
  return {
    grant_type: "authorization_code",
    client_id: clientId,
    redirect_uri: back,
    code: present(redirect.searchParams.get("code")),
    code_verifier: started.verifier,
  };
}

describe("a code of authorization", () => {
  it("that comes twice ends what it gave, also with both at the same time", async () => {
    const form = await obtainCode();
    const answers = await Promise.all([postForm(form), postForm(form), postForm(form)]);
    const tokens = answers.flatMap(({ body }) => body.access_token ?? []);
    expect(tokens).toHaveLength(1);
    expect((await client.read(present(tokens[0]), "Task")).status).toBe(401);
    const trail = await env.clinic.call("trail.list", {});
    expect(trail.list.map(({ action, subject }) => [action, subject])).toContainEqual(["smart.replay", clientId]);
  });

  it.each([
    ["without the verifier", { code_verifier: "" }],
    ["with another verifier", { code_verifier: "a".repeat(43) }],
    ["with another redirect address", { redirect_uri: "https://evil.example/" }],
    ["with parameters that are too long", { code_verifier: "a".repeat(5000) }],
  ])("gives nothing %s", async (_, change) => {
    const { status, body } = await postForm({ ...(await obtainCode()), ...change });
    expect([status, body.access_token]).toEqual([400, undefined]);
  });

  it("gives nothing to another app, nor after a minute", async () => {
    const other = await registerApp("Other");
    expect((await postForm({ ...(await obtainCode()), client_id: other })).body.error).toBe("invalid_grant");
    const form = await obtainCode();
    await env.server.running.database.asSystem((db) =>
      db
        .updateTable("smart_grant")
        .set({ code_expires_at: sql`now()` })
        .where("app_id", "=", clientId)
        .execute(),
    );
    expect((await postForm(form)).body.error).toBe("invalid_grant");
  });

  it("is stored as a hash, as every token is", async () => {
    const form = await obtainCode();
    const { body } = await postForm(form);
    const rows = await env.server.running.database.asSystem(async (db) => [
      await db.selectFrom("smart_grant").selectAll().execute(),
      await db.selectFrom("smart_token").selectAll().execute(),
    ]);
    for (const secret of [form.code, body.access_token, form.code_verifier])
      expect(JSON.stringify(rows)).not.toContain(present(secret).slice(-20));
  });
});

describe("a request for consent", () => {
  it.each([
    [{ redirect_uri: "https://evil.example/" }, "appRedirect"],
    [{ redirect_uri: `${back}/../evil` }, "appRedirect"],
    [{ redirect_uri: `${back}?next=https://evil.example` }, "appRedirect"],
    [{ client_id: "01a2259f-4354-7f15-a5ee-6ca36ccc9f2f" }, "appUnknown"],
    [{ client_id: "' or 1=1" }, "appUnknown"],
    [{ state: "x".repeat(2000) }, "badInput"],
  ])("with %j is refused to the person, and the browser goes nowhere", async (change, refusal) => {
    const { request } = await client.start("user/Task.rs", change);
    for (const call of ["smart.ask", "smart.decide"] as const)
      expect(refusalOf(await env.dentist.ask(call, { request, allow: true, patientId: null }))).toBe(refusal);
  });

  it.each([
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge: "short" }, "invalid_request"],
    [{ aud: "https://other.example/fhir" }, "invalid_request"],
    [{ aud: "" }, "invalid_request"],
    [{ state: "" }, "invalid_request"],
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ scope: "system/*.cruds openid" }, "invalid_scope"],
    [{ scope: "launch patient/Task.rs", launch: "made-up" }, "invalid_request"],
  ])("with %j tells the app %s", async (change: Partial<AuthorizationRequest>, error) => {
    const { request } = await client.start("user/Task.rs", change);
    const { redirect } = await env.dentist.call("smart.decide", { request, allow: true, patientId: null });
    expect(new URL(redirect).searchParams.get("error")).toBe(error);
    expect(redirect).not.toContain("code=");
  });

  it("is answered by members of the organisation alone, with a second step where it is required", async () => {
    const stranger = (await setup()).clinic;
    const { request } = await client.start("user/Task.rs");
    expect(refusalOf(await stranger.ask("smart.ask", { request }))).toBe("appUnknown");
    expect(refusalOf(await env.server.ask("smart.decide", { request, allow: true, patientId: null }))).toBe(
      "unknownSession",
    );
    const strict = await setup();
    await strict.server.running.database.asSystem((db) =>
      db.updateTable("institution").set({ require_factor: true }).where("id", "=", strict.clinic.iid).execute(),
    );
    const input = { request, allow: true, patientId: null };
    await expect.poll(async () => refusalOf(await strict.dentist.ask("smart.decide", input))).toBe("factorRequired");
  });

  it("gives no patient of another clinic", async () => {
    const there = await setup();
    const { patient } = await createFixtures(there);
    const { request } = await client.start("launch/patient patient/Task.rs");
    for (const patientId of [patient.id, null])
      expect(refusalOf(await env.dentist.ask("smart.decide", { request, allow: true, patientId }))).toBe("notFound");
  });
});

describe("an access token", () => {
  it("for one patient reads nothing of another one, by search, by id or beside it", async () => {
    const other = await env.clinic.call("patient.create", {
      name: "Other Person",
      sex: "female",
      birthDate: "1980-01-01",
    });
    const order = await env.clinic.call("order.save", { ...prescription(other.id, env.lab.iid), send: true });
    const { access_token: token } = await client.connect(
      env.dentist,
      "launch/patient patient/Task.rs patient/Organization.rs",
      fixtures.patient.id,
    );
    const ids = async (path: string) =>
      (await client.read(token, path)).body.entry?.map(({ resource }) => resource.id) ?? [];
    expect(await ids("Task")).toContain(fixtures.order.id);
    for (const path of ["Task?_count=100", `Task?_id=${order.id}`, `Task?_id=${order.id},${fixtures.order.id}`])
      expect(await ids(path)).not.toContain(order.id);
    expect((await client.read(token, `Task/${order.id}`)).status).toBe(404);
    const stranger = (await setup()).lab;
    expect((await client.read(token, `Organization/${stranger.iid}`)).status).toBe(404);
    expect((await client.read(token, `Organization/${env.lab.iid}`)).status).toBe(200);
  });

  it("opens FHIR alone", async () => {
    const { access_token: token } = await client.connect(env.dentist, "user/Task.rs");
    const headers = { authorization: `Bearer ${token}` };
    for (const call of ["patient.list", "account.getUserInfo", "smart.apps"] as const)
      expect(refusalOf(await env.server.ask(call, {}, headers))).toBe("appNotHere");
    for (const path of ["/dicomweb/studies", "/scim/v2/Users", "/v1/notice/stream"])
      expect((await fetch(`${env.server.address}${path}`, { headers })).status).toBe(403);
  });

  it("ends with the membership, the role, the account and the registration", async () => {
    const { server, clinic } = env;
    const change = {
      membership: (uid: string) => sql`update membership set state = 'exited' where user_id = ${uid}`,
      role: (uid: string) => sql`update membership set authority_id = 234 where user_id = ${uid}`,
      account: (uid: string) => sql`update users set suspended_at = now() where id = ${uid}`,
      registration: () => sql`update smart_app set scopes = '{user/Patient.rs}' where id = ${clientId}`,
    };
    for (const [name, statement] of Object.entries(change)) {
      const person = await server.createUser("clinicMember", { id: clinic.iid });
      const tokens = await client.connect(person, "user/Task.rs offline_access");
      expect((await client.read(tokens.access_token, "Task")).status).toBe(200);
      await server.running.database.asSystem((db) => statement(person.uid).execute(db));
      expect((await client.read(tokens.access_token, "Task")).status, name).toBe(name === "registration" ? 403 : 401);
      if (name !== "registration")
        await expect(client.refresh(present(tokens.refresh_token))).rejects.toMatchObject({ error: "invalid_grant" });
    }
    await server.running.database.asSystem((db) =>
      db.updateTable("smart_app").set({ scopes }).where("id", "=", clientId).execute(),
    );
  });
});

it("further approvals of one person give an app no further requests", async () => {
  const { database } = env.server.running;
  const authenticate = authenticateApps(database, async () => null);
  const tokens = [
    await client.connect(env.dentist, "user/Task.rs"),
    await client.connect(env.dentist, "user/Task.rs"),
  ].map(({ access_token }) => access_token);
  const reply = { header: () => reply } as unknown as FastifyReply;
  const ask = (token: string) =>
    authenticate({ headers: { authorization: `Bearer ${token}` } } as FastifyRequest, reply, "stays", ["fhir"]).then(
      () => "admitted",
      (error: unknown) => (error instanceof Refused ? error.refusal : "broken"),
    );
  const answers = new Set<string>();
  for (let round = 0; round < 400; round++) for (const token of tokens) answers.add(await ask(token));
  expect([...answers]).toEqual(["admitted", "tooManyRequests"]);
});

describe("a refresh token", () => {
  it("that comes twice ends the whole family", async () => {
    const first = await client.connect(env.dentist, "user/Task.rs offline_access");
    const second = await client.refresh(present(first.refresh_token));
    await expect(client.refresh(present(first.refresh_token))).rejects.toMatchObject({ error: "invalid_grant" });
    expect((await client.read(second.access_token, "Task")).status).toBe(401);
    await expect(client.refresh(present(second.refresh_token))).rejects.toMatchObject({ error: "invalid_grant" });
  });

  it("is enough for a public app, which may leave out its id, but not for one with a secret", async () => {
    const tokens = await client.connect(env.dentist, "user/Task.rs offline_access");
    const form = { grant_type: "refresh_token", refresh_token: present(tokens.refresh_token) };
    expect((await postForm(form)).status).toBe(200);
    expect((await postForm(form)).body.error).toBe("invalid_grant");
    const again = await client.connect(env.dentist, "user/Task.rs offline_access");
    await env.server.running.database.asSystem((db) =>
      db
        .updateTable("smart_app")
        .set({ kind: "secret", secret_hash: "of another secret" })
        .where("id", "=", clientId)
        .execute(),
    );
    const answer = await postForm({ ...form, refresh_token: present(again.refresh_token) });
    await env.server.running.database.asSystem((db) =>
      db.updateTable("smart_app").set({ kind: "public", secret_hash: null }).where("id", "=", clientId).execute(),
    );
    expect(answer.body.error).toBe("invalid_client");
  });

  it("is never widened, and a refused widening does not spend it", async () => {
    const { refresh_token: token } = await client.connect(env.dentist, "user/Task.r offline_access");
    await expect(client.refresh(present(token), "user/Task.rs")).rejects.toMatchObject({ error: "invalid_scope" });
    expect((await client.refresh(present(token))).scope).toBe("user/Task.r offline_access");
  });

  it("works for its own app alone, and an access token is none", async () => {
    const tokens = await client.connect(env.dentist, "user/Task.rs offline_access");
    const other = new SmartClient(env.server.address, await registerApp("Third"), back);
    await expect(other.refresh(present(tokens.refresh_token))).rejects.toMatchObject({ error: "invalid_grant" });
    await expect(client.refresh(tokens.access_token)).rejects.toMatchObject({ error: "invalid_grant" });
    await other.revoke(tokens.access_token);
    expect((await client.read(tokens.access_token, "Task")).status).toBe(200);
  });
});
