import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import { setupCalls } from "@arcada/contract/account/setup.calls";
import { refusalOf } from "@arcada/testing/refusal-of";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { createTestDatabase } from "@arcada/testing/setup/test-database";
import { readConfig } from "../../platform/runtime/config.ts";
import { start } from "../../start.ts";
import type { RunningServer } from "../../start.ts";
import { createFirstOperatorLink, createSetupLink } from "./setup-link.ts";

const servers: RunningServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

/** A server without a demonstration and without anybody. */
async function startEmpty(settings: Record<string, string> = {}): Promise<RunningServer> {
  const { folder, connection } = await createTestDatabase();
  const config = readConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "silent", ARCADA_DEMO: "off", ...settings });
  const server = await start(config, { connection });
  servers.push(server);
  return server;
}

interface Answer<T> {
  code: number;
  msg: string;
  data: T;
}
async function ask<C extends Call>(
  server: RunningServer,
  call: C,
  input: Input<C>,
  headers: Record<string, string> = {},
) {
  const isPost = call.method === "POST";
  const response = await fetch(`${server.address}${call.path}`, {
    method: call.method,
    headers: { ...(isPost && { "content-type": "application/json" }), ...headers },
    ...(isPost && { body: JSON.stringify(input) }),
  });
  return (await response.json()) as Answer<Output<C>>;
}
const secretOf = (path: string | null): string => path?.split("#")[1] ?? "";
const firstLink = async ({ database }: RunningServer): Promise<string> =>
  secretOf(await createFirstOperatorLink(database));
const account = { email: "first@setup.test", name: "Ada", password: "a-long-password-9", confirm: "a-long-password-9" };

describe("a set-up link", () => {
  it("creates the operator and signs in, who sees what the installation lacks", async () => {
    const server = await startEmpty();
    const link = await firstLink(server);
    expect((await ask(server, setupCalls.openSetup, { link })).data).toEqual({
      purpose: "first",
      account: null,
      passwordMin: 12,
    });
    const { data } = await ask(server, setupCalls.finishSetup, { link, ...account });
    const headers = { token: data.token ?? "" };
    const { data: installation } = await ask(server, operatorCalls.installation, {}, headers);
    expect(installation.checks.find(({ name }) => name === "mail")).toEqual({ name: "mail", state: "missing" });
    expect((await ask(server, operatorCalls.sendTestMail, {}, headers)).data).toEqual({
      to: account.email,
      state: "notConfigured",
      reason: null,
    });
  });

  it("lets the operator set the public address, which links and https rules then use without a restart", async () => {
    const server = await startEmpty();
    const { data } = await ask(server, setupCalls.finishSetup, { link: await firstLink(server), ...account });
    const headers = { token: data.token ?? "" };
    const url = "https://arcada.setup.test";
    expect(refusalOf(await ask(server, operatorCalls.setPublicUrl, { url: `${url}/` }, headers))).toBe("accepted");
    const { data: installation } = await ask(server, operatorCalls.installation, {}, headers);
    expect(installation).toMatchObject({ publicUrl: url, isPublicUrlFixed: false });
    const answer = await fetch(`${server.address}/livez`);
    expect(answer.headers.get("strict-transport-security")).toContain("max-age");
  });

  it("keeps the public address of the environment", async () => {
    const server = await startEmpty({ PUBLIC_URL: "https://fixed.setup.test" });
    const { data } = await ask(server, setupCalls.finishSetup, { link: await firstLink(server), ...account });
    const input = { url: "https://other.setup.test" };
    const answer = await ask(server, operatorCalls.setPublicUrl, input, { token: data.token ?? "" });
    expect(refusalOf(answer)).toBe("publicUrlFixed");
  });

  it("is stored as a hash, and writes an audit line", async () => {
    const server = await startEmpty();
    const link = await firstLink(server);
    await ask(server, setupCalls.finishSetup, { link, ...account });
    const stored = await server.database.asSystem(async (db) => ({
      tickets: (await sql`select * from ticket`.execute(db)).rows,
      actions: (await sql<{ action: string }>`select action from audit order by id`.execute(db)).rows,
    }));
    expect(JSON.stringify(stored.tickets)).not.toContain(link);
    expect(stored.actions).toContainEqual({ action: "account.setup" });
  });

  it("is refused after it was used, and after it expired, in the reader's language", async () => {
    const server = await startEmpty();
    const { database } = server;
    const links = await database.asSystem(async (db) => [
      await createSetupLink(db, { purpose: "operator", account: "second@setup.test", uid: null }),
      await createSetupLink(db, { purpose: "operator", account: "third@setup.test", uid: null }),
    ]);
    const [used = "", expired = ""] = links.map(secretOf);
    await ask(server, setupCalls.finishSetup, { link: used, ...account });
    const again = await ask(server, setupCalls.finishSetup, { link: used, ...account });
    await database.asSystem((db) => sql`update ticket set expires_at = now() where used_at is null`.execute(db));
    const late = await ask(server, setupCalls.openSetup, { link: expired }, { "accept-language": "zh" });
    expect([refusalOf(again), refusalOf(late)]).toEqual(["setupUsed", "setupExpired"]);
    expect(late.msg).toMatch(/链接/);
    expect(refusalOf(await ask(server, setupCalls.openSetup, { link: "x" }))).toBe("setupExpired");
  });

  it.each(["one link", "two links"])("of two people with %s makes one operator", async (which) => {
    const server = await startEmpty();
    const first = await firstLink(server);
    const second = which === "one link" ? first : await firstLink(server);
    const answers = await Promise.all([
      ask(server, setupCalls.finishSetup, { link: first, ...account }),
      ask(server, setupCalls.finishSetup, { link: second, ...account, email: "other@setup.test" }),
    ]);
    expect(answers.map((answer) => refusalOf(answer)).toSorted((a, b) => a.localeCompare(b, "en"))).toEqual([
      "accepted",
      "setupDone",
    ]);
    const { rows } = await server.database.asSystem((db) => sql`select from membership`.execute(db));
    expect(rows).toHaveLength(1);
    expect(await createFirstOperatorLink(server.database)).toBeNull();
  });

  it("needs an address, a name and a password of twelve characters", async () => {
    const server = await startEmpty();
    const link = await firstLink(server);
    const { email, name, ...passwords } = account;
    const short = { password: "short-one", confirm: "short-one" };
    const problems = [];
    for (const input of [
      { name, ...passwords },
      { email, ...passwords },
      { email, name, ...short },
    ])
      problems.push((await ask(server, setupCalls.finishSetup, { link, ...input })).data);
    expect(problems).toEqual([{ email: "emailShape" }, { name: "required" }, { password: "passwordShort" }]);
    expect((await ask(server, setupCalls.finishSetup, { link, ...account })).code).toBe(200);
  });

  it("leaves an address that has an account to its owner, and stays valid", async () => {
    const server = await startEmpty();
    await server.database.asSystem(async (db) => {
      await sql`insert into users (id) values ('00000000-0000-7000-8000-000000000001')`.execute(db);
      await sql`insert into contact (user_id, kind, value)
        values ('00000000-0000-7000-8000-000000000001', 'email', ${account.email})`.execute(db);
    });
    const link = await firstLink(server);
    const taken = await ask(server, setupCalls.finishSetup, { link, ...account });
    expect(refusalOf(taken)).toBe("accountTaken");
    expect((await ask(server, setupCalls.finishSetup, { link, ...account, email: "free@setup.test" })).code).toBe(200);
  });

  it("sets a new password without signing in", async () => {
    const server = await startEmpty();
    const made = await ask(server, setupCalls.finishSetup, { link: await firstLink(server), ...account });
    const path = await server.database.asSystem(async (db) => {
      const { rows } = await sql<{ id: string }>`select id from users`.execute(db);
      return createSetupLink(db, { purpose: "password", account: account.email, uid: rows[0]?.id ?? null });
    });
    const { data } = await ask(server, setupCalls.finishSetup, {
      link: secretOf(path),
      password: "another-long-one-3",
      confirm: "another-long-one-3",
    });
    expect(data).toEqual({ token: null });
    const old = await ask(server, operatorCalls.installation, {}, { token: made.data.token ?? "" });
    expect(refusalOf(old)).toBe("signedOutElsewhere");
  });
});
