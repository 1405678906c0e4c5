import { sql } from "kysely";
import { Secret } from "otpauth";
import { describe, beforeEach, expect, it } from "vitest";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import { mail } from "../../platform/runtime/services.ts";
import { FactorUser, requireSecondStep, totpCode, freeTotpSteps } from "@arcada/testing/fixtures/factor-user";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { SoftwareAuthenticator } from "@arcada/testing/peers/software-authenticator";
import { getTestServer, type TestServer } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let user: FactorUser;
let count = 0;
beforeEach(async () => {
  env = await getTestServer();
  user = await FactorUser.register(env, `factor${(count += 1)}.${process.pid}@clinic.test`);
});

describe("an authenticator app", () => {
  it("counts from its first right code on, and asks for one after the password", async () => {
    const { secret, uri } = (await env.ask("factor.totpStart", {}, { token: user.token })).data;
    expect(uri).toContain(`secret=${secret}`);
    expect((await user.signIn()).code).toBe(200);
    const wrong = totpCode(secret) === "000000" ? "000001" : "000000";
    expect(refusalOf(await env.ask("factor.totpConfirm", { code: wrong }, { token: user.token }))).toBe("factorWrong");
    expect((await user.list()).totp).toBe(false);
    const { recovery } = (await env.ask("factor.totpConfirm", { code: totpCode(secret) }, { token: user.token })).data;
    expect(new Set(recovery).size).toBe(factorRules.recoveryCodes);
    const { step, factors } = requireSecondStep(await user.signIn());
    expect(factors).toEqual(["totp", "recovery"]);
    await freeTotpSteps(env);
    const entered = await env.ask("factor.signIn", { step, code: totpCode(secret) });
    expect(entered.data.token).toMatch(/^[\w-]{43}$/);
  });

  it("is switched off with the password or a code, and with nothing else", async () => {
    const { secret } = await user.addApp();
    expect(refusalOf(await env.ask("factor.totpRemove", {}, { token: user.token }))).toBe("badInput");
    expect((await env.ask("factor.totpRemove", { password: "wrong" }, { token: user.token })).data).toEqual({
      password: "wrongPassword",
    });
    expect(refusalOf(await env.ask("factor.totpRemove", { code: "12345" }, { token: user.token }))).toBe("factorWrong");
    expect((await user.list()).totp).toBe(true);
    user.followToken(await env.ask("factor.totpRemove", { code: totpCode(secret) }, { token: user.token }));
    expect(await user.list()).toMatchObject({ totp: false, recoveryLeft: 0 });
    expect((await user.signIn()).code).toBe(200);
  });

  it("keeps neither its secret nor the recovery codes in readable form", async () => {
    const { secret, recovery } = await user.addApp();
    const kept = await env.running.database.asSystem((db) =>
      sql`select (select jsonb_agg(totp) from totp)::text || (select jsonb_agg(r) from recovery_code r)::text as all`.execute(
        db,
      ),
    );
    const text = JSON.stringify(kept.rows);
    const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
    for (const readable of [secret, bytes.toString("base64"), bytes.toString("hex"), recovery[0]])
      expect(text).not.toContain(readable);
  });

  it("notifies its owner by email when it is added", async () => {
    await user.addApp();
    const told = async () =>
      (await mail().outbox()).filter(({ to, text }) => to.includes(user.account) && text.includes("authenticator app"));
    await expect.poll(told, { timeout: 10_000 }).toHaveLength(1);
  });
});

describe("a passkey", () => {
  const challenged = async () => (await env.ask("factor.passkeyOptions", {})).data;

  it("is removed only with its owner's proof, and the second step ends with the last passkey", async () => {
    const key = await user.addPasskey();
    user.followToken(await env.ask("factor.passkeySecond", { on: true }, { token: user.token }));
    const id = key.id.toString("base64url");
    expect(refusalOf(await env.ask("factor.passkeyRemove", { id }, { token: user.token }))).toBe("badInput");
    const removed = await env.ask("factor.passkeyRemove", { id, password: goodPassword }, { token: user.token });
    expect(removed.code).toBe(200);
    user.followToken(removed);
    expect(await user.list()).toMatchObject({ passkeys: [], passkeySecond: false, recoveryLeft: 0 });
    expect(refusalOf(await env.ask("factor.passkeySignIn", { response: key.getAssertion(await challenged()) }))).toBe(
      "passkeyWrong",
    );
  });
});

describe("a session that was left open", () => {
  const asIfOld = () =>
    env.running.database.asSystem((db) =>
      sql`update session set chain_since = now() - make_interval(secs => ${factorRules.freshSeconds + 1})`.execute(db),
    );

  it("adds no sign-in method without the password or a code", async () => {
    const key = await user.addPasskey();
    await asIfOld();
    expect((await env.ask("factor.passkeyStart", {}, { token: user.token })).data).toEqual({
      password: "passwordEmpty",
    });
    expect((await env.ask("factor.passkeyStart", { password: "guessed" }, { token: user.token })).data).toEqual({
      password: "wrongPassword",
    });
    expect(refusalOf(await env.ask("factor.totpStart", {}, { token: user.token }))).toBe("badInput");
    expect(refusalOf(await env.ask("factor.passkeySecond", { on: true }, { token: user.token }))).toBe("badInput");
    expect(await user.list()).toMatchObject({ fresh: false, totp: false, passkeySecond: false, recoveryLeft: 0 });
    // A challenge for showing a passkey is none for making one.
    const shown = (await env.ask("factor.passkeyOptions", {})).data;
    const forged = { ...shown, rp: { id: "localhost" }, user: { id: key.id.toString("base64url") } };
    const made = new SoftwareAuthenticator(env.address).createCredential(forged);
    expect(
      refusalOf(await env.ask("factor.passkeyAdd", { name: "Theirs", response: made }, { token: user.token })),
    ).toBe("passkeyWrong");
    expect((await user.list()).passkeys).toHaveLength(1);
    const proven = await env.ask("factor.passkeyStart", { password: goodPassword }, { token: user.token });
    expect(proven.data["challenge"]).toEqual(expect.any(String));
  });
});
