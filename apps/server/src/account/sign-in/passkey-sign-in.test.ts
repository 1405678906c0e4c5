import { describe, beforeEach, expect, it } from "vitest";
import { FactorUser } from "@arcada/testing/fixtures/factor-user";
import { SoftwareAuthenticator } from "@arcada/testing/peers/software-authenticator";
import { getTestServer, type TestServer } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let user: FactorUser;
let count = 0;
beforeEach(async () => {
  env = await getTestServer();
  user = await FactorUser.register(env, `passkey${(count += 1)}.${process.pid}@clinic.test`);
});

describe("a passkey", () => {
  const challenged = async () => (await env.ask("factor.passkeyOptions", {})).data;

  it("signs in without a password", async () => {
    const [key] = [await user.addPasskey("Laptop"), await user.addPasskey("Phone")];
    expect((await user.list()).passkeys.map(({ name }) => name)).toEqual(["Laptop", "Phone"]);
    const entered = await env.ask("factor.passkeySignIn", { response: key.getAssertion(await challenged()) });
    expect(entered.data.token).toMatch(/^[\w-]{43}$/);
    const me = await env.ask("account.getUserInfo", {}, { token: entered.data.token });
    expect(me.data.email).toBe(user.account);
    // A passkey replaces the password and is not a second step until its owner switches that on.
    expect((await user.signIn()).code).toBe(200);
  });

  it("is refused when it was shown before, signed elsewhere, for another, too late, or without knowing its owner", async () => {
    const key = await user.addPasskey();
    const tries = async (response: object) => refusalOf(await env.ask("factor.passkeySignIn", { response }));
    const shown = key.getAssertion(await challenged());
    expect(await tries(shown)).toBe("accepted");
    expect(await tries(shown)).toBe("passkeyWrong");
    const options = await challenged();
    const changed = Buffer.from(options["challenge"] as string, "base64url");
    changed[5] ^= 1;
    expect(await tries(key.getAssertion({ challenge: changed.toString("base64url") }))).toBe("passkeyWrong");
    const elsewhere = new SoftwareAuthenticator("https://arcada.example");
    Object.assign(elsewhere, { id: key.id });
    expect(await tries(elsewhere.getAssertion(await challenged()))).toBe("passkeyWrong");
    key.verifiesUser = false;
    expect(await tries(key.getAssertion(await challenged()))).toBe("passkeyWrong");
    key.verifiesUser = true;
    const made = (await env.ask("factor.passkeyStart", {}, { token: user.token })).data;
    expect(await tries(key.getAssertion(made))).toBe("passkeyWrong");
    expect(await tries(key.getAssertion(await challenged()))).toBe("accepted");
  });

  it("is refused when its counter goes back, because a copy of it exists", async () => {
    const key = await user.addPasskey();
    key.counter = 10;
    expect((await env.ask("factor.passkeySignIn", { response: key.getAssertion(await challenged()) })).code).toBe(200);
    key.counter = 4;
    expect(refusalOf(await env.ask("factor.passkeySignIn", { response: key.getAssertion(await challenged()) }))).toBe(
      "passkeyWrong",
    );
  });
});
