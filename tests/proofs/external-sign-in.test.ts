import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IdentityProvider } from "@arcada/testing/peers/identity-provider";
import {
  clientSecret,
  misbehaviours,
  MisbehavingProviders,
  providerMisbehaviours,
} from "@arcada/testing/peers/misbehaving-identity-provider";
import type { Misbehaviour } from "@arcada/testing/peers/misbehaving-identity-provider";
import { OidcBrowser } from "@arcada/testing/clients/oidc-browser";
import { register } from "@arcada/testing/fixtures/account-registration";
import { freePort } from "@arcada/testing/setup/product-process";
import { getTestServer } from "@arcada/testing/setup/test-server";
import type { TestServer } from "@arcada/testing/setup/test-server";

let testServer: TestServer;
let firstProvider: IdentityProvider;
let secondProvider: IdentityProvider;
let misbehavingProviders: MisbehavingProviders;
const cleanups: (() => unknown)[] = [];
beforeAll(async () => {
  const [one, two] = [await IdentityProvider.open(), await IdentityProvider.open()];
  misbehavingProviders = await MisbehavingProviders.open();
  cleanups.push(one.close, two.close, () => misbehavingProviders.close());
  const real = { clientId: "arcada", clientSecret: "a-secret-of-the-house" };
  testServer = await getTestServer({
    PORT: String(await freePort()),
    OIDC_PROVIDERS: JSON.stringify([
      { id: "first", label: "First", issuer: one.address, ...real },
      { id: "second", label: "Second", issuer: two.address, ...real },
      ...(["liar", ...providerMisbehaviours] as const).map((name) => ({
        id: name.toLowerCase(),
        label: name,
        issuer: misbehavingProviders.issuer(name),
        clientId: "arcada",
        clientSecret,
      })),
    ]),
  });
  const callback = `${testServer.address}/v1/base/provider/callback`;
  [firstProvider, secondProvider] = [one.createProvider(callback), two.createProvider(callback)];
});
afterAll(async () => {
  for (const close of cleanups) await close();
});

const startPath = (provider: string) => `/v1/base/provider/start?provider=${provider.toLowerCase()}`;
const callback = /\/v1\/base\/provider\/callback/;
const outcome = (at: URL): string => at.searchParams.get("problem") ?? "let in";
const signIn = async (provider: string) => outcome(await new OidcBrowser(testServer).open(startPath(provider)));
const misbehave = (lie: Misbehaviour) => {
  misbehavingProviders.current = providerMisbehaviours.includes(lie) ? "honest" : lie;
  return signIn(providerMisbehaviours.includes(lie) ? lie : "liar");
};
const withParameters = (at: URL, part: Record<string, string | null>): string => {
  const url = new URL(at);
  for (const [name, value] of Object.entries(part))
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  return url.href;
};
const readEmail = async (browser: OidcBrowser, at: URL) => {
  const { token } = (await browser.exchangeCode(at)).data;
  return (await testServer.ask("account.getUserInfo", {}, { token })).data.email;
};

describe("T-28: two providers", () => {
  it("are not mixed up: what the second answers is worth nothing to the sign-in that began at the first", async () => {
    [firstProvider.account, secondProvider.account] = [
      { sub: "ada", email: "ada@first.test", email_verified: true },
      { sub: "ada", email: "ada@second.test", email_verified: true },
    ];
    const browser = new OidcBrowser(testServer);
    const [atFirst, atSecond] = [
      await browser.open(startPath("first"), callback),
      await browser.open(startPath("second"), callback),
    ];
    expect(atFirst.searchParams.get("iss")).toBe(firstProvider.address);
    const state = atFirst.searchParams.get("state");
    expect(outcome(await browser.open(withParameters(atSecond, { state })))).toBe("providerFailed");
    // The state of the first is spent now; that of the second still belongs to its own answer.
    expect(outcome(await browser.open(atSecond.href))).toBe("let in");
  });

  it.each<[string, (at: URL) => Record<string, string | null>]>([
    ["says it comes from the other", () => ({ iss: secondProvider.address })],
    ["does not say where it comes from", () => ({ iss: null })],
    ["has no code", () => ({ code: null })],
    ["has a code of nobody", () => ({ code: "made-up" })],
    ["has somebody else's state", () => ({ state: "A".repeat(43) })],
    ["has no state", () => ({ state: null })],
    [
      "is an error with markup",
      () => ({ code: null, error: "<script>alert(1)</script>", error_description: `"><img src=x onerror=alert(1)>` }),
    ],
  ])("refuse an answer that %s", async (_, change) => {
    const browser = new OidcBrowser(testServer);
    const back = await browser.open(startPath("first"), callback);
    const at = await browser.open(withParameters(back, change(back)));
    expect(at.href).toBe(`${testServer.address}/auth-redirect?problem=providerFailed`);
  });

  it("take each code once, and only in the sign-in for which it was made", async () => {
    const [thief, victim] = [new OidcBrowser(testServer), new OidcBrowser(testServer)];
    firstProvider.account = { sub: "thief", email: "thief@first.test", email_verified: true };
    const stolen = await thief.open(startPath("first"), callback);
    firstProvider.account = { sub: "ada", email: "ada@first.test", email_verified: true };
    const own = await victim.open(startPath("first"), callback);
    const code = stolen.searchParams.get("code");
    // The proof key of another sign-in does not fit.
    expect(outcome(await victim.open(withParameters(own, { code })))).toBe("providerFailed");
    // Nor is anybody signed in as the thief by the thief's own link.
    expect(outcome(await victim.open(stolen.href))).toBe("providerFailed");
    const again = await victim.open(startPath("first"), callback);
    const used = again.searchParams.get("code");
    expect(outcome(await victim.open(again.href))).toBe("let in");
    const next = await victim.open(startPath("first"), callback);
    expect(outcome(await victim.open(withParameters(next, { code: used })))).toBe("providerFailed");
  });

  it("redirect only to our address: the identity provider refuses any other", async () => {
    const at = await new OidcBrowser(testServer).open(startPath("first"), new RegExp(`^${firstProvider.address}`));
    for (const address of ["https://evil.example/", `${testServer.address}/v1/base/provider/callback/../x`]) {
      const answer = await fetch(withParameters(at, { redirect_uri: address }), { redirect: "manual" });
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    }
  });

  it("sign a linked account in as itself, whatever email address they report later", async () => {
    await register(testServer, "victim@clinic.test");
    firstProvider.account = { sub: "changes", email: "changes@first.test", email_verified: true };
    const browser = new OidcBrowser(testServer);
    expect(await readEmail(browser, await browser.open(startPath("first")))).toBe("changes@first.test");
    firstProvider.account = { sub: "changes", email: "victim@clinic.test", email_verified: true };
    expect(await readEmail(browser, await browser.open(startPath("first")))).toBe("changes@first.test");
    // The same subject at the other provider is another person.
    secondProvider.account = { sub: "changes", email: "other@second.test", email_verified: true };
    expect(await readEmail(browser, await browser.open(startPath("second")))).toBe("other@second.test");
  });

  it("lead to a page of ours afterwards, even if the address only looks like one", async () => {
    for (const redirect of ["/.//evil.example/", "/\\evil.example", "//evil.example", "/x/..//evil.example"]) {
      const at = await new OidcBrowser(testServer).open(
        `${startPath("liar")}&redirect=${encodeURIComponent(redirect)}`,
      );
      expect(new URL(at.searchParams.get("redirect") ?? "", testServer.address).origin, redirect).toBe(
        testServer.address,
      );
    }
  });
});

const expected: Partial<Record<Misbehaviour, string>> = {
  honest: "let in",
  oddAddress: "providerUnverified",
  halfVerified: "providerUnverified",
  lyingIssuer: "providerAway",
  endlessDiscovery: "providerAway",
  silentDiscovery: "providerAway",
  garbledDiscovery: "providerAway",
  silentToken: "providerAway",
  silentKeys: "providerAway",
};

describe("T-28: a provider that lies", () => {
  it.each(Object.keys(misbehaviours) as Misbehaviour[])(
    "is refused by name, or let in where it is honest: %s",
    async (name) => {
      expect(await misbehave(name)).toBe(expected[name] ?? "providerFailed");
    },
  );

  it("fills no memory with an answer without end", async () => {
    const before = process.memoryUsage().rss;
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    await Promise.all((["endlessToken", "endlessKeys", "endlessDiscovery"] as const).map(misbehave));
    clearInterval(watching);
    expect(most - before).toBeLessThan(300_000_000);
  });
});
