import { describe, expect, it } from "vitest";
import { accountRules } from "@arcada/contract/account/account.rules";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { findSentCode, letMinutePass, passHumanCheck, register } from "@arcada/testing/fixtures/account-registration";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { sql } from "kysely";
import { refusalOf } from "@arcada/testing/refusal-of";

let count = 0;
const anAddress = () => `person${(count += 1)}.${process.pid}@clinic.test`;

describe("the sign-in", () => {
  it("refuses an unknown account with a refusal of its own, so that the page can offer to register", async () => {
    const env = await getTestServer();
    expect(
      refusalOf(await env.ask("account.login", { account: "nobody@clinic.test", password: "whatever-it-is" })),
    ).toBe("accountUnknown");
  });

  it("asks for a human check after three failures and accepts a solved one only once", async () => {
    const env = await getTestServer();
    const account = anAddress();
    await register(env, account);
    for (let i = 0; i < 3; i++)
      expect(refusalOf(await env.ask("account.login", { account, password: `wrong-${i}` }))).toBe("wrongPassword");
    expect(refusalOf(await env.ask("account.login", { account, password: goodPassword }))).toBe("humanNeeded");
    const solved = await passHumanCheck(env);
    expect(refusalOf(await env.ask("account.login", { account, password: "wrong-again", human: solved }))).toBe(
      "wrongPassword",
    );
    expect(refusalOf(await env.ask("account.login", { account, password: goodPassword, human: solved }))).toBe(
      "humanWrong",
    );
    expect(
      (await env.ask("account.login", { account, password: goodPassword, human: await passHumanCheck(env) })).code,
    ).toBe(200);
  });

  it("evaluates at most ten passwords an hour for one account at the usual proof of work", async () => {
    const env = await getTestServer();
    const account = anAddress();
    await register(env, account);
    await env.running.database.asSystem((db) =>
      sql`insert into login_failure (target, address, at) select ${`email:${account}`}, '203.0.113.1', now() - interval '40 minutes' from generate_series(1, 10)`.execute(
        db,
      ),
    );
    expect(
      refusalOf(await env.ask("account.login", { account, password: goodPassword, human: await passHumanCheck(env) })),
    ).toBe("humanNeeded");
  });

  it("evaluates no more passwords when they are sent at once", async () => {
    const env = await getTestServer();
    const account = anAddress();
    await register(env, account);
    const guesses = Array.from({ length: 9 }, (_, i) => env.ask("account.login", { account, password: `guess-${i}` }));
    const wrong = (await Promise.all(guesses)).filter((answer) => refusalOf(answer) === "wrongPassword");
    expect(wrong).toHaveLength(accountRules.humanAfterFailures);
  });

  it("wants a second step for a short password from an unknown device", async () => {
    const env = await getTestServer();
    const account = anAddress();
    const token = await register(env, account);
    const short = "kx7#pq2!";
    await env.ask("account.changePassword", { oldPassword: goodPassword, password: short, confirm: short }, { token });
    const asked = await env.ask("account.login", { account, password: short });
    expect(refusalOf(asked)).toBe("codeNeeded");
    expect(asked).toMatchObject({ data: { to: expect.stringContaining("***") } });
    await letMinutePass(env, account);
    await env.ask("account.sendCode", { account, purpose: "login", human: await passHumanCheck(env) });
    expect((await env.ask("account.login", { account, password: short, code: await findSentCode(account) })).code).toBe(
      200,
    );
  });
});
