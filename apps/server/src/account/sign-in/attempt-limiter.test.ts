import { describe, expect, it, beforeAll } from "vitest";
import { accountRules } from "@arcada/contract/account/account.rules";
import { goodPassword, solveHumanCheck } from "@arcada/testing/fixtures/human-check";
import {
  createSolvedCheck,
  findSentCode,
  passHumanCheck,
  register,
} from "@arcada/testing/fixtures/account-registration";
import { getTestServer, type TestServer } from "@arcada/testing/setup/test-server";
import { sql } from "kysely";
import { present } from "@arcada/testing/require-present";
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
/** Inserts as many wrong passwords of other users within the hour, each from a different network. */
const strangersFail = (account: string, times: number) =>
  system(sql`insert into login_failure (target, address) select ${`email:${account}`}, '203.0.' || g || '.1'
    from generate_series(1, ${times}::int) g`);
const workIn = ({ data }: { data: unknown }) => (data as { work: string }).work;

describe("unknown browsers that guess at an account", () => {
  it(
    "never lock its owner out of a new browser: the right password works after a harder proof of work",
    { timeout: 120_000 },
    async () => {
      const account = await anAccount();
      await strangersFail(account, accountRules.strangersPerHour - 1);
      const signsIn = (more: object) =>
        env.ask("account.login", { account, password: goodPassword, ...more }, newBrowser);
      const refused = await signsIn({ human: await passHumanCheck(env) });
      expect([refusalOf(refused), workIn(refused)]).toEqual(["humanNeeded", "3"]);
      const began = performance.now();
      const { data: challenge } = await env.ask("account.humanChallenge", { work: 3 }, newBrowser);
      const entered = await signsIn({ human: await solveHumanCheck(challenge) });
      console.info(`signed in after ${((performance.now() - began) / 1000).toFixed(1)} s of work`);
      expect(entered.code).toBe(200);
      // The owner's sign-in does not reset the attempts of unknown browsers.
      const [left] = await system(
        sql<{ left: number }>`select count(*)::int as left from login_failure where target = ${`email:${account}`}`,
      );
      expect(left.left).toBe(accountRules.strangersPerHour - 1);
    },
  );

  it("need the owner's code as well after sixty attempts in an hour", { timeout: 120_000 }, async () => {
    const account = await anAccount();
    await strangersFail(account, accountRules.strangersPerHour);
    const signsIn = async (password: string, code?: string) =>
      env.ask(
        "account.login",
        { account, password, human: await createSolvedCheck(3), ...(code && { code }) },
        newBrowser,
      );
    expect(refusalOf(await signsIn("guessed-1"))).toBe("codeNeeded");
    expect(refusalOf(await signsIn("guessed-2", "000000"))).toBe("codeWrong");
    await env.ask("account.sendCode", { account, purpose: "login", human: await passHumanCheck(env) }, newBrowser);
    expect((await signsIn(goodPassword, await findSentCode(account))).code).toBe(200);
  });

  it("do not affect a browser that the owner has used before, which has its own limit", async () => {
    const account = await anAccount();
    const entered = await env.ask("account.login", { account, password: goodPassword }, home);
    const cookie = present(entered.headers.getSetCookie().find((one) => one.startsWith("did="))).split(";")[0];
    await strangersFail(account, accountRules.strangersPerHour * 2);
    const known = { ...home, cookie };
    expect((await env.ask("account.login", { account, password: goodPassword }, known)).code).toBe(200);
    const outcomes = [];
    for (let at = 0; at < accountRules.evaluatedPerHour + 2; at++) {
      const body = { account, password: `wrong-${at}`, ...(at >= 3 && { human: await passHumanCheck(env) }) };
      outcomes.push(refusalOf(await env.ask("account.login", body, known)));
    }
    expect(outcomes.filter((outcome) => outcome === "wrongPassword")).toHaveLength(accountRules.evaluatedPerHour);
  });
});
