import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { passHumanCheck } from "@arcada/testing/fixtures/account-registration";
import { refusalOf } from "@arcada/testing/refusal-of";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { hashPassword } from "../password/password-hash.ts";

// A mail server, but no provider of text messages.
beforeAll(() => getTestServer({ SMTP_URL: "smtp://127.0.0.1:9" }));

const account = "13912345678";
const code = "123456";

it("the sign-in page is told that phone numbers are not offered", async () => {
  const env = await getTestServer();
  expect((await env.ask("account.welcome", {})).data.phone).toBe(false);
});

it.each(["register", "login", "reset", "bind", "original"])("a code to a phone for %s is refused", async (purpose) => {
  const env = await getTestServer();
  const answer = await env.ask("account.sendCode", { account, purpose, human: await passHumanCheck(env) });
  expect(refusalOf(answer)).toBe("phoneNotOffered");
  expect(answer.msg).toContain("email address");
});

it("neither registration nor sign-in nor a reset goes on with a phone number and a code", async () => {
  const env = await getTestServer();
  const passwords = { password: goodPassword, confirm: goodPassword };
  for (const answer of [
    await env.ask("account.registerVerify", { account, code }),
    await env.ask("account.loginByCode", { account, code }),
    await env.ask("account.resetPassword", { account, code, ...passwords }),
    await (await env.createUser("newUser")).ask("account.setContactInfo", { account, code }),
  ])
    expect(refusalOf(answer)).toBe("phoneNotOffered");
});

it("an account with a phone number still signs in with its password", async () => {
  const env = await getTestServer();
  const { uid } = await env.createUser("newUser");
  const password = "a-long-password-of-19";
  const hash = await hashPassword(password);
  await env.running.database.asSystem(async (db) => {
    await sql`update users set password_hash = ${hash} where id = ${uid}`.execute(db);
    await sql`insert into contact (user_id, kind, value, country_code)
      values (${uid}, 'phone', ${`+86${account}`}, '+86')`.execute(db);
  });
  expect((await env.ask("account.login", { account, password })).code).toBe(200);
});
