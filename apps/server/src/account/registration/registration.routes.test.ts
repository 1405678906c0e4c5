import { describe, expect, it } from "vitest";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { findSentCode, letMinutePass, passHumanCheck, register } from "@arcada/testing/fixtures/account-registration";
import { getTestServer } from "@arcada/testing/setup/test-server";

let count = 0;
const anAddress = () => `newcomer${(count += 1)}.${process.pid}@clinic.test`;

describe("a registration", () => {
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
    await letMinutePass(env, account);
    await env.ask("account.sendCode", { account, purpose: "login", human: await passHumanCheck(env) });
    const byCode = await env.ask("account.loginByCode", { account, code: await findSentCode(account) });
    expect(byCode.code).toBe(200);
  });

  it("refuses a common password and one that differs from its confirmation, each at its field", async () => {
    const env = await getTestServer();
    const base = { ticket: "x", intendedRole: "dentist", nickName: "Lin", nation: "CN", agree: true };
    expect(await env.ask("account.register", { ...base, password: "password", confirm: "password" })).toMatchObject({
      data: { password: "passwordCommon" },
    });
    expect(
      await env.ask("account.register", { ...base, password: "one-password", confirm: "other-word" }),
    ).toMatchObject({ data: { confirm: "passwordsDiffer" } });
  });
});
