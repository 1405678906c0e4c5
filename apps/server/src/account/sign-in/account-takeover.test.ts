import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { accountRules } from "@arcada/contract/account/account.rules";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { findSentCode, passHumanCheck, register } from "@arcada/testing/fixtures/account-registration";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { limitedAddress } from "../../platform/security/address-for-limits.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

let count = 0;
const anAddress = () => `takeover${(count += 1)}.${process.pid}@clinic.test`;
const aNumber = () => `138${String(process.pid).padStart(5, "0").slice(-5)}${String((count += 1)).padStart(3, "0")}`;
const newPassword = "an evening by the harbour";
const asIfSent = async () =>
  (await getTestServer()).running.database.asSystem((db) =>
    sql`update verification set created_at = created_at - interval '10 minutes'`.execute(db),
  );
async function code(account: string, purpose: string): Promise<string> {
  const env = await getTestServer();
  await asIfSent();
  expect((await env.ask("account.sendCode", { account, purpose, human: await passHumanCheck(env) })).code).toBe(200);
  return findSentCode(account);
}

describe("an account that another person controlled for a while", () => {
  it("is as strange to their browser as to any other once the password is reset", async () => {
    const env = await getTestServer();
    const account = anAddress();
    await register(env, account);
    const entered = await env.ask("account.login", { account, password: goodPassword });
    const cookie = present(entered.headers.getSetCookie().find((one) => one.startsWith("did=")));
    const guesses = async (headers: Record<string, string>) => {
      await env.running.database.asSystem((db) =>
        sql`insert into login_failure (target, address) select ${`email:${account}`}, '192.0.2.1'
          from generate_series(1, ${accountRules.evaluatedPerHour}::int)`.execute(db),
      );
      const body = { account, password: "guessed again", human: await passHumanCheck(env) };
      return (await env.ask("account.login", body, headers)).data;
    };
    const known = { cookie: cookie.split(";")[0] };
    expect(await guesses(known)).toEqual({ password: "wrongPassword" });
    const reset = { account, code: await code(account, "reset"), password: newPassword, confirm: newPassword };
    expect((await env.ask("account.resetPassword", reset)).code).toBe(200);
    expect(await guesses(known)).not.toEqual({ password: "wrongPassword" });
  });

  it("is not kept by a change of the password that was under way when the owner reset it", async () => {
    const env = await getTestServer();
    const account = anAddress();
    const token = await register(env, account);
    const reset = { account, code: await code(account, "reset"), password: newPassword, confirm: newPassword };
    const theirs = { oldPassword: goodPassword, password: "kept by the thief", confirm: "kept by the thief" };
    await Promise.all([
      env.ask("account.resetPassword", reset),
      ...[1, 2, 3].map(() => env.ask("account.changePassword", theirs, { token })),
    ]);
    // Any of the requests may have come first: a change that began before the reset ends with it.
    const owner = await env.ask("account.login", { account, password: newPassword });
    const thief = await env.ask("account.login", { account, password: theirs.password });
    expect([owner.code, thief.data]).toEqual([200, { password: "wrongPassword" }]);
  });

  it("gives nobody a session that outlives a reset, who signed in with the old password meanwhile", async () => {
    const env = await getTestServer();
    const account = anAddress();
    await register(env, account);
    const reset = { account, code: await code(account, "reset"), password: newPassword, confirm: newPassword };
    const [, ...thieves] = await Promise.all([
      env.ask("account.resetPassword", reset),
      ...[1, 2].map(() => env.ask("account.login", { account, password: goodPassword })),
    ]);
    for (const { data } of thieves)
      if ("token" in data) expect((await env.ask("account.getUserInfo", {}, { token: data.token })).code).not.toBe(200);
    expect((await env.ask("account.login", { account, password: newPassword })).code).toBe(200);
  });

  it("cannot be moved again with a code that came to an address that was replaced since", async () => {
    const env = await getTestServer();
    const [account, second, third] = [anAddress(), anAddress(), anAddress()];
    const token = await register(env, account);
    const ticket = async (from: string) =>
      (await env.ask("account.checkOriginalInfo", { kind: "email", code: await code(from, "original") }, { token }))
        .data.ticket;
    const [used, kept] = [await ticket(account), await ticket(account)];
    const moves = async (to: string, by: string) =>
      env.ask("account.setContactInfo", { account: to, code: await code(to, "bind"), ticket: by }, { token });
    expect((await moves(second, used)).code).toBe(200);
    expect((await moves(third, kept)).code).not.toBe(200);
    expect((await env.ask("account.getUserInfo", {}, { token })).data.email).toBe(second);
  });
});

describe("a session that was left open", () => {
  const aged = async (account: string) =>
    (await getTestServer()).running.database.asSystem((db) =>
      sql`update session set chain_since = now() - interval '2 hours' where user_id = (select user_id from contact where value = ${account})`.execute(
        db,
      ),
    );
  const days = async (contact: string, past: number) =>
    (await getTestServer()).running.database.asSystem((db) =>
      sql`update contact set verified_at = now() - make_interval(days => ${past}::int) where value like '%' || ${contact}`.execute(
        db,
      ),
    );

  it("binds no second contact, and moves or removes none, before its owner has shown who they are", async () => {
    const env = await getTestServer();
    const [account, second] = [anAddress(), aNumber()];
    const token = await register(env, account);
    await aged(account);
    const binds = async () =>
      env.ask("account.setContactInfo", { account: second, code: await code(second, "bind") }, { token });
    expect(refusalOf(await binds())).toBe("proofNeeded");
    expect((await env.ask("account.getUserInfo", {}, { token })).data.phone).toBeNull();
    const ticket = (
      await env.ask("account.checkOriginalInfo", { kind: "email", code: await code(account, "original") }, { token })
    ).data.ticket;
    const moved = { account: anAddress(), code: "000000", ticket };
    expect(refusalOf(await env.ask("account.setContactInfo", moved, { token }))).toBe("proofNeeded");
    expect(refusalOf(await env.ask("account.unbindContactInfo", { kind: "email", ticket }, { token }))).toBe(
      "proofNeeded",
    );
    expect((await env.ask("factor.prove", { password: "guessed" }, { token })).data).toEqual({
      password: "wrongPassword",
    });
    expect((await env.ask("factor.prove", { password: goodPassword }, { token })).code).toBe(200);
    expect((await binds()).code).toBe(200);
  });

  it("does not reset the password by a contact younger than three days, and reports when that becomes possible", async () => {
    const env = await getTestServer();
    const [account, second] = [anAddress(), aNumber()];
    const token = await register(env, account);
    const bind = { account: second, code: await code(second, "bind") };
    expect((await env.ask("account.setContactInfo", bind, { token })).code).toBe(200);
    const resets = async (contact: string) =>
      env.ask("account.resetPassword", {
        account: contact,
        code: await code(contact, "reset"),
        password: newPassword,
        confirm: newPassword,
      });
    const asked = await env.ask("account.sendCode", {
      account: second,
      purpose: "reset",
      human: await passHumanCheck(env),
    });
    expect(refusalOf(asked)).toBe("contactYoung");
    expect((asked.data as unknown as { when: string }).when).toMatch(/^\d{4}-\d\d-\d\d/);
    await days(second, 4);
    expect((await resets(second)).code).toBe(200);
    // A contact that replaced another one is as young as one that was added.
    await days(second, 1);
    const tried = { account: second, code: "123456", password: newPassword, confirm: newPassword };
    expect(refusalOf(await env.ask("account.resetPassword", tried))).toBe("contactYoung");
    // The contact that the account was founded with counts from the registration.
    expect((await resets(account)).code).toBe(200);
  });
});

it("counts guesses of a whole IPv6 network as those of one", () => {
  const one = limitedAddress("2001:db8:1:2::7");
  for (const other of ["2001:db8:1:2:ffff:1:2:3", "2001:0DB8:0001:0002::1", "2001:db8:1:2::8%eth0"])
    expect(limitedAddress(other)).toBe(one);
  for (const other of ["2001:db8:1:3::7", "::1", "192.0.2.7"]) expect(limitedAddress(other)).not.toBe(one);
  expect(limitedAddress("::ffff:192.0.2.7")).toBe("192.0.2.7");
  expect(limitedAddress("2001:db8::")).toBe("2001:db8:0:0::/64");
});
