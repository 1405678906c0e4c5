import { describe, expect, it } from "vitest";
import { accountRules } from "@arcada/contract/account/account.rules";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { register } from "@arcada/testing/fixtures/account-registration";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { sql } from "kysely";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

let count = 0;
const anAddress = () => `change${(count += 1)}.${process.pid}@clinic.test`;

describe("a password change", () => {
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
