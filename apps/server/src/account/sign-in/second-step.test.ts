import { describe, beforeEach, expect, it } from "vitest";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import { accountRules } from "@arcada/contract/account/account.rules";
import { FactorUser, requireSecondStep, totpCode } from "@arcada/testing/fixtures/factor-user";
import { getTestServer, type TestServer } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let user: FactorUser;
let count = 0;
beforeEach(async () => {
  env = await getTestServer();
  user = await FactorUser.register(env, `step${(count += 1)}.${process.pid}@clinic.test`);
});

/** A code of the step before must not become one of the step before that while it travels. */
async function farFromNextStep(): Promise<void> {
  const left = factorRules.totpSeconds * 1000 - (Date.now() % (factorRules.totpSeconds * 1000));
  if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left));
}

describe("a code of an authenticator app", () => {
  it("accepts a code of the current step and of the steps before and after it, each step once", async () => {
    const { secret } = await user.addApp();
    await farFromNextStep();
    for (const off of [-1, 0, 1]) {
      const { step } = requireSecondStep(await user.signIn());
      expect((await env.ask("factor.signIn", { step, code: totpCode(secret, off) })).code).toBe(200);
      const again = requireSecondStep(await user.signIn());
      expect(refusalOf(await env.ask("factor.signIn", { step: again.step, code: totpCode(secret, off) }))).toBe(
        "factorWrong",
      );
    }
    const { step } = requireSecondStep(await user.signIn());
    expect(refusalOf(await env.ask("factor.signIn", { step, code: totpCode(secret, 3) }))).toBe("factorWrong");
  });

  it("lets in one of three sign-ins that use the same code at once", async () => {
    const { secret } = await user.addApp();
    const steps = await Promise.all([1, 2, 3].map(async () => requireSecondStep(await user.signIn()).step));
    const answers = await Promise.all(steps.map((step) => env.ask("factor.signIn", { step, code: totpCode(secret) })));
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
  });

  it("allows five guesses a step and ten an hour, also when they come at once", async () => {
    await user.addApp();
    const guess = async () => {
      const { step } = requireSecondStep(await user.signIn());
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => env.ask("factor.signIn", { step, code: "000000" })),
      );
      return answers.filter((answer) => refusalOf(answer) === "factorWrong").length;
    };
    expect([await guess(), await guess(), await guess()]).toEqual([
      factorRules.stepTries,
      accountRules.evaluatedPerHour - factorRules.stepTries,
      0,
    ]);
  });

  it("is replaced by a recovery code, each once", async () => {
    const { recovery } = await user.addApp();
    const first = requireSecondStep(await user.signIn());
    expect((await env.ask("factor.signIn", { step: first.step, code: recovery[0].toUpperCase() })).code).toBe(200);
    const second = requireSecondStep(await user.signIn());
    expect(refusalOf(await env.ask("factor.signIn", { step: second.step, code: recovery[0] }))).toBe("factorWrong");
    expect((await env.ask("factor.signIn", { step: second.step, code: recovery[1] })).code).toBe(200);
    // A step that was taken cannot be taken again.
    expect(refusalOf(await env.ask("factor.signIn", { step: second.step, code: recovery[2] }))).toBe("stepSpent");
    expect((await user.list()).recoveryLeft).toBe(factorRules.recoveryCodes - 2);
  });
});

describe("a passkey as the second step", () => {
  it("is required after the password if its owner wants so, and another user's passkey is refused", async () => {
    const key = await user.addPasskey();
    const switched = await env.ask("factor.passkeySecond", { on: true }, { token: user.token });
    expect(switched.data.recovery).toHaveLength(factorRules.recoveryCodes);
    user.followToken(switched);
    const { step, factors, passkey } = requireSecondStep(await user.signIn());
    expect(factors).toEqual(["passkey", "recovery"]);
    const other = await FactorUser.register(env, `other.${user.account}`);
    const theirs = await other.addPasskey();
    expect(refusalOf(await env.ask("factor.signIn", { step, passkey: theirs.getAssertion(present(passkey)) }))).toBe(
      "passkeyWrong",
    );
    expect((await env.ask("factor.signIn", { step, passkey: key.getAssertion(present(passkey)) })).code).toBe(200);
  });
});
