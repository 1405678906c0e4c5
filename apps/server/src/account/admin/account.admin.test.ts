import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { setupAdminCommands } from "@arcada/testing/setup/admin-commands";
import { createClinician } from "@arcada/testing/setup/test-database";
import { newId, newSecret, secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { verifyPassword } from "../password/password-hash.ts";

let env: Awaited<ReturnType<typeof setupAdminCommands>>;
beforeAll(async () => {
  env = await setupAdminCommands();
});

interface Account {
  id: string;
  password_hash: string | null;
  suspended_at: string | null;
  operator: boolean;
}
const findAccount = async (email: string): Promise<Account | undefined> =>
  (
    await env.query(sql<Account>`select u.id, password_hash, suspended_at, exists (select from membership m
      where m.user_id = u.id and m.authority_id = 9527 and m.state = 'normal') as operator
      from users u join contact c on c.user_id = u.id where c.value = ${email}`)
  )[0];
async function createAccount(name: string): Promise<{ uid: string; email: string }> {
  const { uid } = await createClinician(env.database);
  const email = `${name}@commands.test`;
  await env.query(sql`insert into contact (user_id, kind, value) values (${uid}, 'email', ${email})`);
  await env.query(sql`insert into session (id, user_id, chain, token_hash, kind, authority_id, expires_at)
    values (${newId()}, ${uid}, ${newId()}, ${secretHash(newSecret())}, 'api', 233, now() + interval '1 hour')`);
  return { uid, email };
}
const countOpenSessions = async (uid: string): Promise<number> =>
  (await env.query(sql`select from session where user_id = ${uid} and ended_at is null`)).length;

describe("create-operator", () => {
  it("creates an account with the password of a file", async () => {
    const { code, lines } = await env.run(
      `create-operator --email Ada@Commands.test --password-file ${env.passwordFile}`,
    );
    const made = await findAccount("ada@commands.test");
    expect({ code, lines }).toEqual({ code: 0, lines: ["Ada@Commands.test is an operator."] });
    expect([made?.operator, await verifyPassword(env.password, made?.password_hash ?? null)]).toEqual([true, true]);
    expect(await env.listCommands(made?.id ?? null)).toEqual(["admin.createOperator"]);
  });

  it("creates an account with a password from the terminal", async () => {
    await env.run("create-operator --email prompt@commands.test --name Grace --prompt");
    expect(await findAccount("prompt@commands.test")).toMatchObject({ operator: true });
  });

  it("prints a one-time link without a password, and creates no account yet", async () => {
    const { lines } = await env.run("create-operator --email link@commands.test", {
      PUBLIC_URL: "https://arcada.test",
    });
    expect(lines[1]).toMatch(/^https:\/\/arcada\.test\/setup#[\w-]{43}$/);
    expect(await findAccount("link@commands.test")).toBeUndefined();
    const secret = lines[1]?.split("#")[1] ?? "";
    expect(await env.query(sql`select from ticket where hash = ${secretHash(secret)}`)).toHaveLength(1);
    expect(JSON.stringify(await env.query(sql`select * from ticket`))).not.toContain(secret);
  });

  it("makes an operator of an existing account, once, and leaves its password", async () => {
    const { uid, email } = await createAccount("promoted");
    await expect(env.run(`create-operator --email ${email} --password-file ${env.passwordFile}`)).rejects.toThrow(
      "has an account already",
    );
    await env.run(`create-operator --email ${email}`);
    expect((await env.run(`create-operator --email ${email}`)).lines).toEqual([`${email} is an operator already.`]);
    expect(await findAccount(email)).toMatchObject({ operator: true, password_hash: null });
    expect(await env.listCommands(uid)).toEqual(["admin.createOperator"]);
  });

  it("refuses a short and a common password with a sentence", async () => {
    await expect(env.run("create-operator --email short@commands.test --prompt", {}, "short")).rejects.toThrow(
      "too short",
    );
    await expect(env.run("create-operator --email short@commands.test --prompt", {}, "aaaaaaaaaaaa")).rejects.toThrow(
      "too common",
    );
  });
});

describe("the commands on an account", () => {
  it("reset its password and end its sessions", async () => {
    const { uid, email } = await createAccount("forgetful");
    await env.run(`reset-password --account ${email} --password-file ${env.passwordFile}`);
    expect(await verifyPassword(env.password, (await findAccount(email))?.password_hash ?? null)).toBe(true);
    expect([await countOpenSessions(uid), await env.listCommands(uid)]).toEqual([0, ["admin.resetPassword"]]);
  });

  it("print a link for a new password, which leaves the old one until it is used", async () => {
    const { uid, email } = await createAccount("linked");
    const { lines } = await env.run(`reset-password --account ${email}`);
    expect(lines[1]).toContain("/setup#");
    expect(await countOpenSessions(uid)).toBe(1);
  });

  it("remove all its second steps", async () => {
    const { uid, email } = await createAccount("locked-out");
    await env.query(sql`insert into totp (user_id, sealed, confirmed_at) values (${uid}, 'x', now())`);
    await env.query(sql`insert into recovery_code (user_id, hash) values (${uid}, 'x')`);
    await env.query(sql`insert into passkey (id, user_id, name, public_key, counter) values ('k', ${uid}, 'k', '', 0)`);
    await env.query(sql`update users set passkey_second = true where id = ${uid}`);
    await env.run(`reset-factors --account ${email}`);
    expect(
      await env.query(sql`select arcada_two_steps(${uid}) as two, (select count(*)::int from passkey) as keys`),
    ).toEqual([{ two: false, keys: 0 }]);
    expect([await countOpenSessions(uid), await env.listCommands(uid)]).toEqual([0, ["admin.resetFactors"]]);
  });

  it("suspend it and end the suspension", async () => {
    const { uid, email } = await createAccount("suspended");
    await env.run(`disable-user --account ${email}`);
    expect([(await findAccount(email))?.suspended_at !== null, await countOpenSessions(uid)]).toEqual([true, 0]);
    expect((await env.run(`disable-user --account ${email}`)).lines).toEqual([`${email} was suspended already.`]);
    await env.run(`enable-user --account ${email}`);
    expect(await findAccount(email)).toMatchObject({ suspended_at: null });
    expect(await env.listCommands(uid)).toEqual(["admin.disableUser", "admin.enableUser"]);
  });

  it("never suspend the only operator", async () => {
    const operators = await env.query(sql<{
      value: string;
    }>`select c.value from contact c join membership m using (user_id)
      where m.authority_id = 9527 and m.state = 'normal' order by c.value`);
    const suspensions = operators.map(({ value }) => env.run(`disable-user --account ${value}`));
    const refused = (await Promise.allSettled(suspensions)).filter(({ status }) => status === "rejected");
    expect(operators.length).toBeGreaterThan(1);
    expect(refused).toMatchObject([{ reason: { message: expect.stringContaining("is the only operator") } }]);
    await env.query(sql`update users set suspended_at = null`);
  });

  it("find it by its phone number", async () => {
    const { uid } = await createAccount("phone");
    await env.query(sql`insert into contact (user_id, kind, value, country_code)
      values (${uid}, 'phone', '+8613900001111', '+86')`);
    expect((await env.run("disable-user --account +8613900001111")).lines).toEqual(["+8613900001111 is suspended."]);
  });
});

describe("list-users", () => {
  it("shows accounts with state and roles, and finds one by a part of its address", async () => {
    await createAccount("listed");
    const { lines } = await env.run("list-users --search LISTED@");
    expect(lines[0]).toMatch(/^ACCOUNT\s+NAME\s+STATE\s+ROLES\s+LAST ACTIVE$/);
    expect(lines[1]).toMatch(/^listed@commands\.test\s+dentist\s+active\s+clinicMember \d{9}\s+\d{4}-.* UTC$/);
    expect(lines[2]).toBe("1 of 1.");
    expect((await env.run("list-users --limit 1")).lines).toHaveLength(3);
    expect((await env.run("list-users --search 100%")).lines).toHaveLength(2);
  });
});
