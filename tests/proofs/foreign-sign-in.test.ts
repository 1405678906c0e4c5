import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { House } from "../house.ts";
import { clientSecret, lies, LyingProviders, ofItself } from "../lying-provider.ts";
import type { LieName } from "../lying-provider.ts";
import { OidcBrowser } from "../oidc-browser.ts";
import { register } from "../people.ts";
import { freePort } from "../product.ts";
import { server } from "../world.ts";
import type { TestServer } from "../world.ts";

let here: TestServer;
let first: House;
let second: House;
let liars: LyingProviders;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  const [one, two] = [await House.opens(), await House.opens()];
  liars = await LyingProviders.opens();
  closing.push(one.closes, two.closes, () => liars.closes());
  const real = { clientId: "arcada", clientSecret: "a-secret-of-the-house" };
  here = await server({
    PORT: String(await freePort()),
    OIDC_PROVIDERS: JSON.stringify([
      { id: "first", label: "First", issuer: one.address, ...real },
      { id: "second", label: "Second", issuer: two.address, ...real },
      ...(["liar", ...ofItself] as const).map((name) => ({
        id: name.toLowerCase(),
        label: name,
        issuer: liars.issuer(name),
        clientId: "arcada",
        clientSecret,
      })),
    ]),
  });
  const callback = `${here.running.address}/v1/base/provider/callback`;
  [first, second] = [one.house(callback), two.house(callback)];
});
afterAll(async () => {
  for (const close of closing) await close();
});

const starts = (provider: string) => `/v1/base/provider/start?provider=${provider.toLowerCase()}`;
const callback = /\/v1\/base\/provider\/callback/;
const outcome = (at: URL): string => at.searchParams.get("problem") ?? "let in";
const signsIn = async (provider: string) => outcome(await new OidcBrowser(here).opens(starts(provider)));
const isTold = (lie: LieName) => {
  liars.tells = ofItself.includes(lie) ? "honest" : lie;
  return signsIn(ofItself.includes(lie) ? lie : "liar");
};
const changed = (at: URL, part: Record<string, string | null>): string => {
  const url = new URL(at);
  for (const [name, value] of Object.entries(part))
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  return url.href;
};
const emailOf = async (browser: OidcBrowser, at: URL) => {
  const { token } = (await browser.exchanges(at)).data;
  return (await here.ask("account.getUserInfo", {}, { token })).data.email;
};

describe("T-28: two providers", () => {
  it("are not mixed up: what the second answers is worth nothing to the sign-in that began at the first", async () => {
    [first.visitor, second.visitor] = [
      { sub: "ada", email: "ada@first.test", email_verified: true },
      { sub: "ada", email: "ada@second.test", email_verified: true },
    ];
    const browser = new OidcBrowser(here);
    const [atFirst, atSecond] = [
      await browser.opens(starts("first"), callback),
      await browser.opens(starts("second"), callback),
    ];
    expect(atFirst.searchParams.get("iss")).toBe(first.address);
    const state = atFirst.searchParams.get("state");
    expect(outcome(await browser.opens(changed(atSecond, { state })))).toBe("providerFailed");
    // The state of the first is spent now; that of the second still belongs to its own answer.
    expect(outcome(await browser.opens(atSecond.href))).toBe("let in");
  });

  it.each<[string, (at: URL) => Record<string, string | null>]>([
    ["says it comes from the other", () => ({ iss: second.address })],
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
    const browser = new OidcBrowser(here);
    const back = await browser.opens(starts("first"), callback);
    const at = await browser.opens(changed(back, change(back)));
    expect(at.href).toBe(`${here.running.address}/auth-redirect?problem=providerFailed`);
  });

  it("take each code once, and only in the sign-in for which it was made", async () => {
    const [thief, victim] = [new OidcBrowser(here), new OidcBrowser(here)];
    first.visitor = { sub: "thief", email: "thief@first.test", email_verified: true };
    const stolen = await thief.opens(starts("first"), callback);
    first.visitor = { sub: "ada", email: "ada@first.test", email_verified: true };
    const own = await victim.opens(starts("first"), callback);
    const code = stolen.searchParams.get("code");
    // The proof key of another sign-in does not fit.
    expect(outcome(await victim.opens(changed(own, { code })))).toBe("providerFailed");
    // Nor is anybody signed in as the thief by the thief's own link.
    expect(outcome(await victim.opens(stolen.href))).toBe("providerFailed");
    const again = await victim.opens(starts("first"), callback);
    const used = again.searchParams.get("code");
    expect(outcome(await victim.opens(again.href))).toBe("let in");
    const next = await victim.opens(starts("first"), callback);
    expect(outcome(await victim.opens(changed(next, { code: used })))).toBe("providerFailed");
  });

  it("lead back nowhere but here: another address is refused by the house", async () => {
    const at = await new OidcBrowser(here).opens(starts("first"), new RegExp(`^${first.address}`));
    for (const address of ["https://evil.example/", `${here.running.address}/v1/base/provider/callback/../x`]) {
      const answer = await fetch(changed(at, { redirect_uri: address }), { redirect: "manual" });
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
    }
  });

  it("sign a linked account in as itself, whatever address they tell later", async () => {
    await register(here, "victim@clinic.test");
    first.visitor = { sub: "changes", email: "changes@first.test", email_verified: true };
    const browser = new OidcBrowser(here);
    expect(await emailOf(browser, await browser.opens(starts("first")))).toBe("changes@first.test");
    first.visitor = { sub: "changes", email: "victim@clinic.test", email_verified: true };
    expect(await emailOf(browser, await browser.opens(starts("first")))).toBe("changes@first.test");
    // The same subject at the other provider is another person.
    second.visitor = { sub: "changes", email: "other@second.test", email_verified: true };
    expect(await emailOf(browser, await browser.opens(starts("second")))).toBe("other@second.test");
  });

  it("lead to a page of ours afterwards, also where the address looks like one", async () => {
    for (const redirect of ["/.//evil.example/", "/\\evil.example", "//evil.example", "/x/..//evil.example"]) {
      const at = await new OidcBrowser(here).opens(`${starts("liar")}&redirect=${encodeURIComponent(redirect)}`);
      expect(new URL(at.searchParams.get("redirect") ?? "", here.running.address!).origin, redirect).toBe(
        here.running.address,
      );
    }
  });
});

const expected: Partial<Record<LieName, string>> = {
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
  it.each(Object.keys(lies) as LieName[])("is refused by name, or let in where it is honest: %s", async (name) => {
    expect(await isTold(name)).toBe(expected[name] ?? "providerFailed");
  });

  it("fills no memory with an answer without end", async () => {
    const before = process.memoryUsage().rss;
    let most = 0;
    const watching = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    await Promise.all((["endlessToken", "endlessKeys", "endlessDiscovery"] as const).map(isTold));
    clearInterval(watching);
    expect(most - before).toBeLessThan(300_000_000);
  });
});
