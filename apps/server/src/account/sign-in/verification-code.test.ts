import { describe, expect, it } from "vitest";
import { accountRules } from "@arcada/contract/account/account.rules";
import { findSentCode, letMinutePass, passHumanCheck } from "@arcada/testing/fixtures/account-registration";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { sql } from "kysely";
import { refusalOf } from "@arcada/testing/refusal-of";

let count = 0;
const anAddress = () => `code${(count += 1)}.${process.pid}@clinic.test`;

describe("a verification code", () => {
  it("accepts a code once, and only the newest one", async () => {
    const env = await getTestServer();
    const account = anAddress();
    await env.ask("account.sendCode", { account, purpose: "register", human: await passHumanCheck(env) });
    const first = await findSentCode(account);
    await letMinutePass(env, account);
    await env.ask("account.sendCode", { account, purpose: "register", human: await passHumanCheck(env) });
    const second = await findSentCode(account);
    if (first !== second)
      expect(refusalOf(await env.ask("account.registerVerify", { account, code: first }))).toBe("codeWrong");
    expect((await env.ask("account.registerVerify", { account, code: second })).code).toBe(200);
    expect(refusalOf(await env.ask("account.registerVerify", { account, code: second }))).toBe("codeWrong");
  });

  it("evaluates exactly five guesses of a code, also when they come at once", async () => {
    const env = await getTestServer();
    const account = anAddress();
    await env.ask("account.sendCode", { account, purpose: "register", human: await passHumanCheck(env) });
    const right = await findSentCode(account);
    const wrong = right === "000000" ? "000001" : "000000";
    await Promise.all(Array.from({ length: 20 }, () => env.ask("account.registerVerify", { account, code: wrong })));
    const tries = await env.running.database.asSystem((db) =>
      sql<{ tries: number }>`select tries from verification where target = ${`email:${account}`}`.execute(db),
    );
    expect(tries.rows).toEqual([{ tries: accountRules.codeTries }]);
    expect(refusalOf(await env.ask("account.registerVerify", { account, code: right }))).toBe("codeWrong");
  });

  it("sends one code a minute", async () => {
    const env = await getTestServer();
    const account = anAddress();
    const answers = await Promise.all(
      [1, 2, 3].map(async () =>
        env.ask("account.sendCode", { account, purpose: "register", human: await passHumanCheck(env) }),
      ),
    );
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
  });

  it("reveals whether one account exists for each solved human check", async () => {
    const env = await getTestServer();
    const solved = await passHumanCheck(env);
    const asks = () =>
      env.ask("account.sendCode", { account: "stranger@clinic.test", purpose: "login", human: solved });
    expect(refusalOf(await asks())).toBe("accountUnknown");
    expect((await asks()).data).toEqual({ human: "humanWrong" });
  });
});
