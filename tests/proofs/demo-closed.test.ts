import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { profileCalls } from "@arcada/contract/account/profile.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";
import { readConfig } from "../../apps/server/src/platform/runtime/config.ts";
import { reopenDemoAccounts } from "../../apps/server/src/account/close-demo-accounts.ts";
import { start, type RunningServer } from "../../apps/server/src/start.ts";
import { createCast } from "../../demo/create-institutions.ts";
import { createTestDatabase, type TestDatabase } from "@arcada/testing/setup/test-database";
import { present } from "@arcada/testing/require-present";

const servers: RunningServer[] = [];
const proxies: ChildProcess[] = [];
afterAll(async () => {
  for (const proxy of proxies) proxy.kill();
  for (const one of servers) await one.stop();
});

interface StartedServer {
  address: string;
  port: number;
  demo: boolean;
  closed: readonly string[];
}
let testDatabase: TestDatabase | undefined;
/** The server on the one database and folder of this file, with the demo's people where the demo is on. */
async function startServer(environment: Record<string, string>): Promise<StartedServer> {
  testDatabase ??= await createTestDatabase();
  const config = readConfig({ DATA_DIR: testDatabase.folder, PORT: "0", LOG_LEVEL: "silent", ...environment });
  const one = await start(config, { connection: testDatabase.connection });
  servers.push(one);
  if (config.ARCADA_DEMO) {
    await reopenDemoAccounts(one.database);
    await createCast(one.database);
  }
  const port = Number(new URL(present(one.address, "address")).port);
  return { address: `http://127.0.0.1:${port}`, port, demo: config.ARCADA_DEMO, closed: one.demoClosed };
}
/** Starts a reverse proxy in front of the product; answers its port. */
async function startProxy(product: StartedServer, ...how: string[]): Promise<number> {
  const program = path.join(import.meta.dirname, "../../packages/testing/src/workers/reverse-proxy.ts");
  const proxy = spawn(process.execPath, [program, product.address, ...how], { stdio: ["ignore", "pipe", "inherit"] });
  proxies.push(proxy);
  const [said] = (await once(proxy.stdout, "data")) as [Buffer];
  return Number(said.toString());
}
/** Asks at a port of this machine under any name, which fetch does not allow. */
function requestStatus(port: number, at: string, headers: Record<string, string> = {}, body?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path: at, method: body ? "POST" : "GET", headers });
    asked.once("response", (answer) => {
      answer.resume();
      resolve(present(answer.statusCode, "statusCode"));
    });
    asked.once("error", reject);
    if (body) asked.setHeader("content-type", "application/json");
    asked.end(body && JSON.stringify(body));
  });
}
const operator = present(demoAccounts.accounts.find(({ role }) => role === "operator")).account;
const signInAsOperator = async ({ address }: StartedServer): Promise<string> => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(address + login, { method: "POST", headers, body: JSON.stringify(signIn) });
  return ((await answer.json()) as { data: { token: string } }).data.token;
};
const signIn = { account: operator, password: demoAccounts.password };
const login = signInCalls.login.path;
const unknown = refusals.hostUnknown.status;

describe("a demo that was not requested", () => {
  it("answers neither a proxy nor a foreign name", { timeout: 300_000 }, async () => {
    const testServer = await startServer({});
    expect([testServer.demo, await requestStatus(testServer.port, login, {}, signIn)]).toEqual([true, 200]);
    const rebound = { host: `attacker.example:${testServer.port}` };
    const [forwarding, plain] = [await startProxy(testServer, "--forward"), await startProxy(testServer)];
    for (const at of ["/", "/outbox", "/v1/base/welcome"]) {
      expect(await requestStatus(testServer.port, at, rebound), at).toBe(unknown);
      expect(await requestStatus(forwarding, at), at).toBe(unknown);
      expect(await requestStatus(plain, at, rebound), at).toBe(unknown);
    }
    expect(await requestStatus(testServer.port, login, rebound, signIn)).toBe(unknown);
    expect([
      await requestStatus(testServer.port, "/metrics", rebound),
      await requestStatus(forwarding, "/metrics"),
    ]).toEqual([403, 403]);
    expect([await requestStatus(testServer.port, "/metrics"), await requestStatus(testServer.port, "/outbox")]).toEqual(
      [200, 200],
    );
  });

  it(
    "is off if PUBLIC_URL and TRUST_PROXY are set: its accounts, outbox and metrics are closed behind a proxy",
    { timeout: 300_000 },
    async () => {
      const demo = await startServer({ ARCADA_DEMO: "on" });
      const token = await signInAsOperator(demo);
      const real = await startServer({ PUBLIC_URL: "https://arcada.example", TRUST_PROXY: "1" });
      const port = await startProxy(real, "--forward");
      const host = { host: "arcada.example" };
      expect(await requestStatus(port, login, host, signIn)).toBe(refusals.accountSuspended.status);
      // If the web application is built, it answers every path that the server does not know.
      expect(await requestStatus(port, "/outbox", host)).toBe(await requestStatus(port, "/no-such-page", host));
      expect(await requestStatus(port, "/metrics", host)).not.toBe(200);
      expect(real.closed).toContain(operator);
      expect(await requestStatus(port, profileCalls.getUserInfo.path, { ...host, token })).toBe(401);
      const reopened = await startServer({ ARCADA_DEMO: "on" });
      expect(await requestStatus(reopened.port, login, {}, signIn)).toBe(200);
    },
  );
});

it(
  "a demo that was requested is reachable through a proxy; its outbox is not, and its metrics require their token",
  { timeout: 300_000 },
  async () => {
    const testServer = await startServer({
      ARCADA_DEMO: "accounts",
      PUBLIC_URL: "https://arcada.example",
      METRICS_TOKEN: "a token of the test",
    });
    const port = await startProxy(testServer, "--forward");
    const host = { host: "arcada.example" };
    expect(await requestStatus(port, login, host, signIn)).toBe(200);
    expect(await requestStatus(port, "/outbox", host)).toBe(404);
    expect(await requestStatus(testServer.port, "/outbox", host)).toBe(404);
    expect(await requestStatus(testServer.port, "/outbox", { via: "1.1 proxy" })).toBe(404);
    expect(await requestStatus(testServer.port, "/outbox")).toBe(200);
    expect(await requestStatus(port, "/metrics", host)).toBe(403);
    expect(await requestStatus(port, "/metrics", { ...host, authorization: "Bearer a token of the test" })).toBe(200);
  },
);

it(
  "without PUBLIC_URL a name that is not this machine's is refused, and its own addresses are not",
  { timeout: 300_000 },
  async () => {
    const product = await startServer({ HOST: "0.0.0.0", ARCADA_DEMO: "off" });
    for (const host of ["localhost", "127.0.0.1", "[::1]"])
      expect(await requestStatus(product.port, "/docs", { host })).toBe(200);
    for (const at of ["/docs", "/v1/base/provider/start", "/fhir/metadata", "/dicomweb/studies"])
      expect(await requestStatus(product.port, at, { host: "attacker.example" }), at).toBe(unknown);
    expect(await requestStatus(product.port, "/docs", { host: "198.51.100.7" })).toBe(unknown);
    expect(await requestStatus(product.port, "/readyz", { host: "any.balancer" })).toBe(200);
  },
);

it(
  "pages tell the browser to stay on https where PUBLIC_URL is, and to share no window",
  { timeout: 300_000 },
  async () => {
    const product = await startServer({ PUBLIC_URL: "https://arcada.example" });
    for (const at of ["/docs", "/openapi.json", "/v1/base/welcome"]) {
      const { headers } = await fetch(product.address + at);
      expect(headers.get("strict-transport-security"), at).toMatch(/^max-age=\d{8,}/);
      expect(headers.get("cross-origin-opener-policy"), at).toBe("same-origin");
    }
  },
);
