import { describe, expect, it } from "vitest";
import { accountRules } from "@arcada/contract/account/account.rules";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { findSentCode, passHumanCheck, register } from "@arcada/testing/fixtures/registration";
import { getTestServer, setup } from "@arcada/testing/setup/setup";
import { sql } from "kysely";
import { present } from "@arcada/testing/present";
import { refusalOf } from "@arcada/testing/refusal-of";

let count = 0;
const anAddress = () => `person${(count += 1)}.${process.pid}@clinic.test`;

describe("an account", () => {
  it("names the roles that it may work in, in the language of the request", async () => {
    const { dentist } = await setup();
    for (const [language, name] of [
      ["en", "Doctor"],
      ["zh", "医生"],
    ] as const)
      expect(
        (await dentist.call("account.getUserInfo", {}, { "accept-language": language })).authorities,
      ).toMatchObject([{ authorityId: 233, authorityName: name }]);
  });

  it("is created with a code, signs in by password and by code, and reports who it is", async () => {
    const env = await getTestServer();
    const account = anAddress();
    const token = await register(env, account);
    const me = await env.ask("account.getUserInfo", {}, { token });
    expect(me.data).toMatchObject({
      email: account,
      iid: "0",
      authorityId: 0,
      roles: ["newUser"],
      intendedRole: "dentist",
    });
    expect((await env.ask("account.login", { account, password: goodPassword })).data.token).toMatch(/^[\w-]{43}$/);
    await passMinute(account);
    await env.ask("account.sendCode", { account, purpose: "login", human: await passHumanCheck(env) });
    const byCode = await env.ask("account.loginByCode", { account, code: await findSentCode(account) });
    expect(byCode.code).toBe(200);
  });

  it("refuses an unknown account with a refusal of its own, so that the page can offer to register", async () => {
    const env = await getTestServer();
    expect(
      refusalOf(await env.ask("account.login", { account: "nobody@clinic.test", password: "whatever-it-is" })),
    ).toBe("accountUnknown");
  });

  it("refuses a common password and one that differs from its confirmation, each at its field", async () => {
    const env = await getTestServer();
    const base = { ticket: "x", intendedRole: "dentist", agree: true };
    expect(await env.ask("account.register", { ...base, password: "password", confirm: "password" })).toMatchObject({
      data: { password: "passwordCommon" },
    });
    expect(
      await env.ask("account.register", { ...base, password: "one-password", confirm: "other-word" }),
    ).toMatchObject({ data: { confirm: "passwordsDiffer" } });
  });

  it("accepts a code once, and only the newest one", async () => {
    const env = await getTestServer();
    const account = anAddress();
    await env.ask("account.sendCode", { account, purpose: "register", human: await passHumanCheck(env) });
    const first = await findSentCode(account);
    await passMinute(account);
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

  it("limits a session's guesses at the password that it wants to replace as strictly as the sign-in page does", async () => {
    const env = await getTestServer();
    const person = await env.createUser("newUser");
    await env.running.database.asSystem((db) =>
      sql`insert into login_failure (target, address) select ${`user:${person.uid}`}, '203.0.113.1' from generate_series(1, ${accountRules.evaluatedPerHour - 1})`.execute(
        db,
      ),
    );
    const guess = () =>
      person.ask("account.changePassword", { oldPassword: "a-guess", password: goodPassword, confirm: goodPassword });
    expect((await guess()).data).toEqual({ oldPassword: "wrongPassword" });
    expect(refusalOf(await guess())).toBe("loginDelayed");
  });

  it("reveals whether one account exists for each solved human check", async () => {
    const env = await getTestServer();
    const solved = await passHumanCheck(env);
    const asks = () =>
      env.ask("account.sendCode", { account: "stranger@clinic.test", purpose: "login", human: solved });
    expect(refusalOf(await asks())).toBe("accountUnknown");
    expect((await asks()).data).toEqual({ human: "humanWrong" });
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
    await passMinute(account);
    await env.ask("account.sendCode", { account, purpose: "login", human: await passHumanCheck(env) });
    expect((await env.ask("account.login", { account, password: short, code: await findSentCode(account) })).code).toBe(
      200,
    );
  });

  it("ends all other sessions when the password changes", async () => {
    const env = await getTestServer();
    const account = anAddress();
    const one = await register(env, account);
    const two = (await env.ask("account.login", { account, password: goodPassword })).data.token;
    const fresh = "another-good-password-9";
    const changed = await env.ask(
      "account.changePassword",
      { oldPassword: goodPassword, password: fresh, confirm: fresh },
      { token: one },
    );
    expect(changed.code).toBe(200);
    const next = present(changed.headers.get("new-token"), "new-token");
    expect((await env.ask("account.getUserInfo", {}, { token: next })).code).toBe(200);
    expect(refusalOf(await env.ask("account.getUserInfo", {}, { token: two }))).toBe("signedOutElsewhere");
  });
});

/** As if a minute had passed since the last code. */
const passMinute = async (account: string) =>
  (await getTestServer()).running.database.asSystem((db) =>
    sql`update verification set created_at = created_at - interval '61 seconds' where target = ${`email:${account}`}`.execute(
      db,
    ),
  );
