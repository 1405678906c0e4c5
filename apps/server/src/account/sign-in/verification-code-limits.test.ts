import { describe, expect, it, beforeAll } from "vitest";
import { accountRules } from "@arcada/contract/account/account.rules";
import {
  createSolvedCheck,
  findSentCode,
  passHumanCheck,
  register,
} from "@arcada/testing/fixtures/account-registration";
import { getTestServer, type TestServer } from "@arcada/testing/setup/test-server";
import { sql } from "kysely";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let count = 0;
beforeAll(async () => {
  env = await getTestServer({ TRUST_PROXY: "on" });
});
const system = <T>(query: ReturnType<typeof sql<T>>) =>
  env.running.database.asSystem((db) => query.execute(db)).then(({ rows }) => rows);
async function anAccount() {
  const account = `owner${(count += 1)}.${process.pid}@clinic.test`;
  await register(env, account, home);
  await system(sql`delete from verification`);
  return account;
}
const home = { "x-forwarded-for": "198.51.100.20" };
const newBrowser = { "x-forwarded-for": "198.51.100.99" };
const strangersAsk = (account: string, purpose: string, times: number) =>
  system(sql`insert into verification (id, target, purpose, asker, code_hash, expires_at)
    select gen_random_uuid(), ${`email:${account}`}, ${purpose}, '203.0.' || g || '.1', 'x', now() from generate_series(1, ${times}::int) g`);
const workIn = ({ data }: { data: unknown }) => (data as { work: string }).work;

describe("unknown browsers that ask for codes of an account", () => {
  it(
    "get longer codes when there are many of them, and the long code of the owner opens",
    { timeout: 120_000 },
    async () => {
      const account = await anAccount();
      await strangersAsk(account, "login", accountRules.crowdedCodes);
      await env.ask("account.sendCode", { account, purpose: "login", human: await createSolvedCheck(3) }, newBrowser);
      const code = await findSentCode(account);
      expect(code).toMatch(/^\d{10}$/);
      expect(refusalOf(await env.ask("account.loginByCode", { account, code: code.slice(0, 6) }, newBrowser))).toBe(
        "codeWrong",
      );
      expect((await env.ask("account.loginByCode", { account, code }, newBrowser)).code).toBe(200);
    },
  );

  it("leave the owner a code to reset the password", { timeout: 120_000 }, async () => {
    const purpose = "reset";
    const account = await anAccount();
    await strangersAsk(account, purpose, 200);
    const asks = async (solution: string) =>
      env.ask("account.sendCode", { account, purpose, human: solution }, newBrowser);
    const refused = await asks(await passHumanCheck(env));
    expect([refusalOf(refused), workIn(refused)]).toEqual(["humanNeeded", "3"]);
    expect((await asks(await createSolvedCheck(3))).code).toBe(200);
    // Six digits with five attempts each could be guessed by an attacker with some ten thousand networks.
    expect(await findSentCode(account)).toMatch(/^\d{10}$/);
    // Each network gets few of them.
    await system(sql`update verification set created_at = created_at - interval '2 minutes'`);
    await strangersAsk(account, purpose, 0);
    await system(sql`insert into verification (id, target, purpose, asker, code_hash, expires_at, created_at)
      select gen_random_uuid(), ${`email:${account}`}, ${purpose}, '198.51.100.99', 'x', now(), now() - interval '1 hour' from generate_series(1, 2)`);
    expect(refusalOf(await asks(await createSolvedCheck(3)))).toBe("codeTooMany");
  });

  it(
    "send no codes to an address without an account, whatever proof of work they solve",
    { timeout: 120_000 },
    async () => {
      const account = `nobody${(count += 1)}.${process.pid}@elsewhere.test`;
      await strangersAsk(account, "bind", accountRules.codesToNobody);
      const asks = async () =>
        env.ask("account.sendCode", { account, purpose: "register", human: await createSolvedCheck(3) }, newBrowser);
      expect(refusalOf(await asks())).toBe("codeTooMany");
      await system(sql`update verification set created_at = created_at - interval '25 hours'`);
      expect((await asks()).code).toBe(200);
    },
  );

  it("neither put a code of theirs in the place of the one a browser asked for, nor use up its tries", async () => {
    const account = await anAccount();
    const browser = { ...newBrowser, "sec-fetch-site": "same-origin" };
    const marked = await env.ask("account.humanChallenge", {}, browser);
    const cookie = marked.headers.getSetCookie()[0];
    expect(cookie).toContain("HttpOnly");
    const owner = { ...browser, cookie: cookie.split(";")[0] };
    await env.ask("account.sendCode", { account, purpose: "reset", human: await passHumanCheck(env) }, owner);
    const code = await findSentCode(account);
    await env.ask(
      "account.sendCode",
      { account, purpose: "reset", human: await passHumanCheck(env) },
      { "x-forwarded-for": "203.0.113.7" },
    );
    const body = { account, password: "an evening by the harbour", confirm: "an evening by the harbour" };
    for (let at = 0; at < 8; at++)
      await env.ask("account.resetPassword", { ...body, code: `00000${at}` }, { "x-forwarded-for": "203.0.113.7" });
    expect((await env.ask("account.resetPassword", { ...body, code }, owner)).code).toBe(200);
  });
});
