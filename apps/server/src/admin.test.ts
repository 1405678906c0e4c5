import { writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { SMTPServer } from "smtp-server";
import { beforeAll, describe, expect, it } from "vitest";
import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import { createClinician, createTestDatabase } from "@arcada/testing/setup/platform-database";
import type { TestDatabase } from "@arcada/testing/setup/platform-database";
import { readAdminCommand, runAdminCommand } from "./admin.ts";
import { verifyPassword } from "./account/sign-in/password.ts";
import { defineQueue, openJobs } from "./platform/jobs/jobs.ts";
import { readConfig } from "./platform/runtime/config.ts";
import { newId, newSecret, secretHash } from "./platform/runtime/ids.ts";
import { readAnalysisUsage } from "./platform/upload/analysis-quota.ts";
import { freeBytes, readStorageUsage } from "./platform/upload/uploads.ts";

const password = "a-long-fine-password-7";
let env: TestDatabase;
let passwordFile = "";
beforeAll(async () => {
  env = await createTestDatabase();
  passwordFile = path.join(env.folder, "password");
  writeFileSync(passwordFile, `${password}\n`);
});

interface Result {
  code: number;
  lines: string[];
}
/** Runs a command as the command line would, with these further settings. */
async function run(words: string, settings: Record<string, string> = {}, prompted = password): Promise<Result> {
  const lines: string[] = [];
  const config = readConfig({ DATA_DIR: env.folder, ARCADA_DEMO: "off", ...settings });
  const output = { print: (line: string) => void lines.push(line), promptPassword: async () => prompted };
  const code = await runAdminCommand(readAdminCommand(words.split(" ")), config, env.connection, output);
  return { code, lines };
}
const query = async <T>(statement: ReturnType<typeof sql<T>>): Promise<T[]> =>
  env.database.asSystem(async (db) => (await statement.execute(db)).rows);

interface Account {
  id: string;
  password_hash: string | null;
  suspended_at: string | null;
  operator: boolean;
}
const findAccount = async (email: string): Promise<Account | undefined> =>
  (
    await query(sql<Account>`select u.id, password_hash, suspended_at, exists (select from membership m
      where m.user_id = u.id and m.authority_id = 9527 and m.state = 'normal') as operator
      from users u join contact c on c.user_id = u.id where c.value = ${email}`)
  )[0];
const listCommands = async (subject: string | null): Promise<string[]> =>
  (
    await query(sql<{ action: string }>`select action from audit
      where action like 'admin.%' and subject is not distinct from ${subject} order by id`)
  ).map(({ action }) => action);

async function createAccount(name: string): Promise<{ uid: string; email: string }> {
  const { uid } = await createClinician(env.database);
  const email = `${name}@commands.test`;
  await query(sql`insert into contact (user_id, kind, value) values (${uid}, 'email', ${email})`);
  await query(sql`insert into session (id, user_id, chain, token_hash, kind, authority_id, expires_at)
    values (${newId()}, ${uid}, ${newId()}, ${secretHash(newSecret())}, 'api', 233, now() + interval '1 hour')`);
  return { uid, email };
}
const countOpenSessions = async (uid: string): Promise<number> =>
  (await query(sql`select from session where user_id = ${uid} and ended_at is null`)).length;

describe("create-operator", () => {
  it("creates an account with the password of a file", async () => {
    const { code, lines } = await run(`create-operator --email Ada@Commands.test --password-file ${passwordFile}`);
    const made = (await findAccount("ada@commands.test"))!;
    expect({ code, lines }).toEqual({ code: 0, lines: ["Ada@Commands.test is an operator."] });
    expect([made.operator, await verifyPassword(password, made.password_hash)]).toEqual([true, true]);
    expect(await listCommands(made.id)).toEqual(["admin.createOperator"]);
  });

  it("creates an account with a password from the terminal", async () => {
    await run("create-operator --email prompt@commands.test --name Grace --prompt");
    expect(await findAccount("prompt@commands.test")).toMatchObject({ operator: true });
  });

  it("prints a one-time link without a password, and creates no account yet", async () => {
    const { lines } = await run("create-operator --email link@commands.test", { PUBLIC_URL: "https://arcada.test" });
    expect(lines[1]).toMatch(/^https:\/\/arcada\.test\/setup#[\w-]{43}$/);
    expect(await findAccount("link@commands.test")).toBeUndefined();
    const secret = lines[1]!.split("#")[1]!;
    expect(await query(sql`select from ticket where hash = ${secretHash(secret)}`)).toHaveLength(1);
    expect(JSON.stringify(await query(sql`select * from ticket`))).not.toContain(secret);
  });

  it("makes an operator of an existing account, once, and leaves its password", async () => {
    const { uid, email } = await createAccount("promoted");
    await expect(run(`create-operator --email ${email} --password-file ${passwordFile}`)).rejects.toThrow(
      "has an account already",
    );
    await run(`create-operator --email ${email}`);
    expect((await run(`create-operator --email ${email}`)).lines).toEqual([`${email} is an operator already.`]);
    expect(await findAccount(email)).toMatchObject({ operator: true, password_hash: null });
    expect(await listCommands(uid)).toEqual(["admin.createOperator"]);
  });

  it("refuses a short and a common password with a sentence", async () => {
    await expect(run("create-operator --email short@commands.test --prompt", {}, "short")).rejects.toThrow("too short");
    await expect(run("create-operator --email short@commands.test --prompt", {}, "aaaaaaaaaaaa")).rejects.toThrow(
      "too common",
    );
  });
});

describe("the commands on an account", () => {
  it("reset its password and end its sessions", async () => {
    const { uid, email } = await createAccount("forgetful");
    await run(`reset-password --account ${email} --password-file ${passwordFile}`);
    expect(await verifyPassword(password, (await findAccount(email))!.password_hash)).toBe(true);
    expect([await countOpenSessions(uid), await listCommands(uid)]).toEqual([0, ["admin.resetPassword"]]);
  });

  it("print a link for a new password, which leaves the old one until it is used", async () => {
    const { uid, email } = await createAccount("linked");
    const { lines } = await run(`reset-password --account ${email}`);
    expect(lines[1]).toContain("/setup#");
    expect(await countOpenSessions(uid)).toBe(1);
  });

  it("remove all its second steps", async () => {
    const { uid, email } = await createAccount("locked-out");
    await query(sql`insert into totp (user_id, sealed, confirmed_at) values (${uid}, 'x', now())`);
    await query(sql`insert into recovery_code (user_id, hash) values (${uid}, 'x')`);
    await query(sql`insert into passkey (id, user_id, name, public_key, counter) values ('k', ${uid}, 'k', '', 0)`);
    await query(sql`update users set passkey_second = true where id = ${uid}`);
    await run(`reset-factors --account ${email}`);
    expect(await query(sql`select arcada_two_steps(${uid}) as two, (select count(*)::int from passkey) as keys`)).toEqual(
      [{ two: false, keys: 0 }],
    );
    expect([await countOpenSessions(uid), await listCommands(uid)]).toEqual([0, ["admin.resetFactors"]]);
  });

  it("suspend it and end the suspension", async () => {
    const { uid, email } = await createAccount("suspended");
    await run(`disable-user --account ${email}`);
    expect([(await findAccount(email))!.suspended_at !== null, await countOpenSessions(uid)]).toEqual([true, 0]);
    expect((await run(`disable-user --account ${email}`)).lines).toEqual([`${email} was suspended already.`]);
    await run(`enable-user --account ${email}`);
    expect((await findAccount(email))!.suspended_at).toBeNull();
    expect(await listCommands(uid)).toEqual(["admin.disableUser", "admin.enableUser"]);
  });

  it("never suspend the only operator", async () => {
    const operators = await query(sql<{ value: string }>`select c.value from contact c join membership m using (user_id)
      where m.authority_id = 9527 and m.state = 'normal' order by c.value`);
    const suspensions = operators.map(({ value }) => run(`disable-user --account ${value}`));
    const refused = (await Promise.allSettled(suspensions)).filter(({ status }) => status === "rejected");
    expect(operators.length).toBeGreaterThan(1);
    expect(refused).toMatchObject([{ reason: { message: expect.stringContaining("is the only operator") } }]);
    await query(sql`update users set suspended_at = null`);
  });

  it("find it by its phone number", async () => {
    const { uid } = await createAccount("phone");
    await query(sql`insert into contact (user_id, kind, value, country_code)
      values (${uid}, 'phone', '+8613900001111', '+86')`);
    expect((await run("disable-user --account +8613900001111")).lines).toEqual(["+8613900001111 is suspended."]);
  });
});

describe("list-users", () => {
  it("shows accounts with state and roles, and finds one by a part of its address", async () => {
    await createAccount("listed");
    const { lines } = await run("list-users --search LISTED@");
    expect(lines[0]).toMatch(/^ACCOUNT\s+NAME\s+STATE\s+ROLES\s+LAST ACTIVE$/);
    expect(lines[1]).toMatch(/^listed@commands\.test\s+dentist\s+active\s+clinicMember \d{9}\s+\d{4}-.* UTC$/);
    expect(lines[2]).toBe("1 of 1.");
    expect((await run("list-users --limit 1")).lines).toHaveLength(3);
    expect((await run("list-users --search 100%")).lines).toHaveLength(2);
  });
});

describe("the commands on jobs", () => {
  it("list a job that was given up, and retry it", async () => {
    const queue = defineQueue<{ n: number }>("commands.test");
    const jobs = await openJobs(env.connection, { onError: () => {} });
    await jobs.work(queue, () => Promise.reject(new Error("no paper")));
    await env.database.asSystem((db) =>
      jobs.send(db, queue, { n: 1 }, { patience: { tries: 0, longestWaitSeconds: 1 } }),
    );
    await expect.poll(async () => (await jobs.failed(5)).length, { timeout: 20_000 }).toBe(1);
    await jobs.stop(1);
    const listed = await run("list-jobs --queue commands.test");
    const id = /[0-9a-f-]{36}/.exec(listed.lines.join("\n"))![0];
    expect(listed.lines.join("\n")).toMatch(/commands\.test\s+0\s+0\s+1[^]*no paper/);
    expect((await run(`retry-job --queue commands.test --id ${id}`)).code).toBe(0);
    expect(await listCommands(id)).toEqual(["admin.retryJob"]);
    const gone = await run(`retry-job --queue commands.test --id ${newId()}`);
    expect(gone).toEqual({ code: 1, lines: [expect.stringContaining("has no given-up job")] });
  }, 60_000);
});

describe("check-config", () => {
  it("names what is missing, with exit code 1", async () => {
    const { code, lines } = await run("check-config");
    expect(code).toBe(1);
    expect(lines.filter((line) => line.startsWith("missing")).map((line) => line.split(/\s+/)[1])).toEqual([
      "PUBLIC_URL:",
      "https",
      "SMTP_URL:",
      "SECRET_KEY:",
    ]);
  });

  it("ends with 0 when nothing is missing", async () => {
    const settings = { PUBLIC_URL: "https://arcada.test", SMTP_URL: "smtp://localhost", SECRET_KEY: "k".repeat(32) };
    expect((await run("check-config", settings)).code).toBe(0);
  });
});

describe("send-test-mail", () => {
  it("delivers an email and says so", async () => {
    const recipients: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      onRcptTo: ({ address }, _session, accept) => {
        recipients.push(address);
        accept(address.startsWith("gone") ? Object.assign(new Error("no such user"), { responseCode: 550 }) : null);
      },
      onData: (stream, _session, accept) => void stream.resume().on("end", () => accept()),
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.server.address() as { port: number };
    const settings = { SMTP_URL: `smtp://127.0.0.1:${port}` };
    const sent = await run("send-test-mail --to me@commands.test", settings);
    const refused = await run("send-test-mail --to gone@commands.test", settings);
    await new Promise<void>((resolve) => void server.close(resolve));
    const away = await run("send-test-mail --to me@commands.test", settings);
    expect([sent.code, refused.code, away.code]).toEqual([0, 1, 1]);
    expect(recipients).toEqual(["me@commands.test", "gone@commands.test"]);
    expect(away.lines[0]).toContain("did not accept");
  });

  it("says that no mail server is set", async () => {
    const { code, lines } = await run("send-test-mail --to me@commands.test");
    expect([code, lines[0]]).toEqual([1, expect.stringContaining("SMTP_URL is not set")]);
  });
});

describe("set-quota", () => {
  it("changes storage and analyses of an organisation, each alone", async () => {
    const { iid } = await createClinician(env.database);
    const [{ number } = { number: "" }] = await query(sql<{ number: string }>`select number from institution where id = ${iid}`);
    const read = () =>
      env.database.as({ system: false, iid, uid: null }, async (db) => ({
        bytes: (await readStorageUsage(db, iid)).allowed,
        analyses: (await readAnalysisUsage(db, iid)).allowed,
      }));
    expect(await read()).toEqual({ bytes: freeBytes, analyses: capacityRules.freeAnalyses });
    await run(`set-quota --organisation ${number} --storage 250`);
    expect(await read()).toEqual({ bytes: 250 * 1024 ** 3, analyses: capacityRules.freeAnalyses });
    const { lines } = await run(`set-quota --organisation ${number} --analyses 7`);
    expect(await read()).toEqual({ bytes: 250 * 1024 ** 3, analyses: 7 });
    expect(lines).toEqual([`${number} has a base of 250 GB and 7 analyses.`]);
    expect(await listCommands(iid)).toEqual(["admin.setQuota", "admin.setQuota"]);
  });

  it("refuses an unknown organisation", async () => {
    await expect(run("set-quota --organisation 1 --storage 5")).rejects.toThrow("There is no organisation");
  });
});

describe("wrong arguments", () => {
  it.each([
    ["", "There is no command"],
    ["dance", "There is no command dance. Known: help, check-config"],
    ["reset-password", "--account is missing. Wanted: admin reset-password --account ACCOUNT"],
    ["reset-password --account", "Wanted: admin reset-password"],
    ["reset-password --account a@b.test --password secret", "Unknown option '--password'. Wanted: admin reset-password"],
    ["check-config now", "Wanted: admin check-config"],
  ])("%j are answered by one sentence", (words, message) => {
    expect(() => readAdminCommand(words.split(" "))).toThrow(message);
    expect(() => readAdminCommand(words.split(" "))).toThrow(expect.objectContaining({ name: "StartError" }));
  });

  it.each([
    ["create-operator --email nobody", "is no email address"],
    ["disable-user --account nobody@commands.test", "There is no account"],
    ["disable-user --account nobody", "neither an email address nor a phone number"],
    ["set-quota --organisation 1", "Give --storage"],
    ["set-quota --organisation 1 --storage -5", "Wanted: admin set-quota"],
    ["set-quota --organisation 1 --storage 1e9", "--storage must be a whole number"],
    ["list-users --limit many", "--limit must be a whole number"],
    ["retry-job --queue letter --id 1", "is no job's id"],
    ["reset-password --account ada@commands.test --password-file /nowhere", "cannot be read: ENOENT"],
  ])("%j are refused by the command", async (words, message) => {
    await expect((async () => run(words))()).rejects.toThrow(message);
  });
});
