import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { IdentityProvider } from "@arcada/testing/peers/identity-provider";
import { OidcBrowser } from "@arcada/testing/clients/oidc-browser";
import { register } from "@arcada/testing/fixtures/account-registration";
import { freePort } from "@arcada/testing/setup/product-process";
import { getTestServer, type TestServer } from "@arcada/testing/setup/test-server";
import { readConfig } from "../../platform/runtime/config.ts";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let house: IdentityProvider;
let closes: () => Promise<void>;
beforeAll(async () => {
  const opened = await IdentityProvider.open();
  closes = opened.close;
  const port = await freePort();
  env = await getTestServer({
    PORT: String(port),
    OIDC_PROVIDERS: JSON.stringify([
      {
        id: "house",
        label: "The House",
        issuer: opened.address,
        clientId: "arcada",
        clientSecret: "a-secret-of-the-house",
      },
      { id: "away", label: "Away", issuer: `http://127.0.0.1:${await freePort()}`, clientId: "arcada" },
    ]),
  });
  house = opened.createProvider(`${env.address}/v1/base/provider/callback`);
});
afterAll(() => closes());

const starts = "/v1/base/provider/start?provider=house&redirect=%2ForderList%3Fpage%3D2";
const callback = /\/v1\/base\/provider\/callback/;
const problem = (at: URL) => at.searchParams.get("problem");
const usersWith = async (email: string) =>
  (
    await env.running.database.asSystem((db) =>
      db.selectFrom("contact").select("user_id").where("value", "=", email).execute(),
    )
  ).length;

describe("signing in with an identity provider", () => {
  it("is offered by the sign-in page for each configured identity provider", async () => {
    const { providers } = (await env.ask("account.welcome", {})).data;
    expect(providers).toEqual([
      { id: "house", label: "The House" },
      { id: "away", label: "Away" },
    ]);
  });

  it("creates an account for a verified address, and finds it by the provider's subject the next time", async () => {
    house.account = { sub: "ada", email: "Ada@House.test", email_verified: true, name: "Ada Byron" };
    const browser = new OidcBrowser(env);
    const at = await browser.open(starts);
    expect(at.pathname).toBe("/auth-redirect");
    expect(at.searchParams.get("redirect")).toBe("/orderList?page=2");
    const { token } = (await browser.exchangeCode(at)).data;
    const me = (await env.ask("account.getUserInfo", {}, { token })).data;
    expect(me).toMatchObject({ email: "ada@house.test", nickName: "Ada Byron", initStatus: 1 });
    expect(refusalOf(await browser.exchangeCode(at))).toBe("exchangeSpent");
    house.account = { sub: "ada", email: "ada.moved@house.test", email_verified: false };
    const again = await new OidcBrowser(env).open(starts);
    expect(problem(again)).toBeNull();
    expect(await usersWith("ada.moved@house.test")).toBe(0);
    const { identities, hasPassword } = (await env.ask("factor.list", {}, { token })).data;
    expect(identities).toMatchObject([{ label: "The House", email: "ada@house.test" }]);
    expect(hasPassword).toBe(false);
  });

  it("links an existing account by the address that both sides have verified", async () => {
    await register(env, "grace@clinic.test");
    house.account = { sub: "grace", email: "grace@clinic.test", email_verified: true };
    const browser = new OidcBrowser(env);
    const entered = await browser.exchangeCode(await browser.open(starts));
    expect(entered.code).toBe(200);
    expect(await usersWith("grace@clinic.test")).toBe(1);
    expect((await env.ask("account.login", { account: "grace@clinic.test", password: goodPassword })).code).toBe(200);
  });

  it("neither creates nor links an account for an address that the identity provider has not verified", async () => {
    await register(env, "victim@clinic.test");
    for (const email of ["victim@clinic.test", "stranger@house.test"]) {
      house.account = { sub: `thief of ${email}`, email, email_verified: false };
      expect(problem(await new OidcBrowser(env).open(starts))).toBe("providerUnverified");
    }
    house.account = { sub: "nameless" };
    expect(problem(await new OidcBrowser(env).open(starts))).toBe("providerUnverified");
    expect(await usersWith("stranger@house.test")).toBe(0);
  });

  it("refuses a callback with another state, from another browser, or a second time", async () => {
    house.account = { sub: "ada", email: "ada@house.test", email_verified: true };
    const browser = new OidcBrowser(env);
    const back = await browser.open(starts, callback);
    const forged = new URL(back);
    forged.searchParams.set("state", "A".repeat(43));
    expect(problem(await browser.open(forged.href))).toBe("providerFailed");
    const first = await browser.open(back.href);
    expect(problem(first)).toBeNull();
    expect(problem(await browser.open(back.href))).toBe("providerFailed");
    const other = new OidcBrowser(env);
    const theirs = await other.open(starts, callback);
    expect(problem(await new OidcBrowser(env).open(theirs.href))).toBe("providerFailed");
    // The code of one browser's sign-in is worth nothing in another: a link signs nobody in as another person.
    expect(refusalOf(await new OidcBrowser(env).exchangeCode(first))).toBe("exchangeSpent");
  });

  it("reports an identity provider that refused, failed, is unreachable or is unknown", async () => {
    const browser = new OidcBrowser(env);
    const back = await browser.open(starts, callback);
    const denied = new URL(back);
    denied.searchParams.delete("code");
    denied.searchParams.set("error", "access_denied");
    expect(problem(await browser.open(denied.href))).toBe("providerFailed");
    const caught = await browser.open(starts, callback);
    house.isUnavailable = true;
    expect(problem(await browser.open(caught.href))).toBe("providerAway");
    house.isUnavailable = false;
    expect(problem(await browser.open("/v1/base/provider/start?provider=away"))).toBe("providerAway");
    expect(problem(await browser.open("/v1/base/provider/start?provider=none"))).toBe("providerUnknown");
  });

  it("redirects to no other site afterwards, whatever the address requests", async () => {
    house.account = { sub: "ada", email: "ada@house.test", email_verified: true };
    for (const redirect of ["https://evil.example/", "//evil.example/x", "javascript:alert(1)"]) {
      const at = await new OidcBrowser(env).open(
        `/v1/base/provider/start?provider=house&redirect=${encodeURIComponent(redirect)}`,
      );
      expect(at.origin).toBe(new URL(env.address).origin);
      expect(at.searchParams.get("redirect")).toBe("/");
    }
  });

  it("asks for the second step of an account that has one", async () => {
    house.account = { sub: "ada", email: "ada@house.test", email_verified: true };
    await env.running.database.asSystem((db) =>
      sql`insert into totp (user_id, sealed, confirmed_at) select user_id, 'sealed', now() from identity where subject = 'ada'`.execute(
        db,
      ),
    );
    const browser = new OidcBrowser(env);
    expect(refusalOf(await browser.exchangeCode(await browser.open(starts)))).toBe("factorNeeded");
  });
});

describe("the configuration", () => {
  const mistakes = (value: string) => () => readConfig({ OIDC_PROVIDERS: value });
  it("reports each mistake in the list of identity providers", () => {
    expect(mistakes("[{")).toThrow(/OIDC_PROVIDERS: is not JSON/);
    expect(mistakes('[{"id":"a","label":"A","issuer":"http://house.example","clientId":"x"}]')).toThrow(
      /OIDC_PROVIDERS\.0\.issuer: must be https/,
    );
    expect(mistakes('[{"id":"a","label":"A","clientId":"x"}]')).toThrow(/OIDC_PROVIDERS\.0\.issuer/);
    const one = '{"id":"a","label":"A","issuer":"https://house.example","clientId":"x"}';
    expect(mistakes(`[${one},${one}]`)).toThrow(/names one id twice/);
    expect(readConfig({}).OIDC_PROVIDERS).toEqual([]);
  });
});
