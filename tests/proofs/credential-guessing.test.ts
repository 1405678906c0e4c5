import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { accountRules } from "@arcada/contract/account/account.rules";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { issueCards, activateCard } from "@arcada/testing/fixtures/capacity";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { findSentCode, passHumanCheck, register } from "@arcada/testing/fixtures/account-registration";
import { getTestServer, type Answer, type TestServer } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

const guessCount = process.env.ARCADA_PROOF === "full" ? 10_000 : 1000;
const atOnce = 50;
let testServer: TestServer;
beforeAll(async () => {
  testServer = await getTestServer({ TRUST_PROXY: "on" });
});

/** Guesses come from many addresses, as the proxy in front names them. */
const guesserHeaders = (guess: number) => ({ "x-forwarded-for": `203.0.113.${guess % 200}` });
const isRefusedAs = (answer: Answer<unknown>, ...names: RefusalName[]) =>
  names.some((name) => refusalOf(answer) === name);

/** Runs so many at once, until all are done. */
async function runConcurrently<T>(count: number, guess: (number: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) answers.push(await guess(next++));
    }),
  );
  return answers;
}
const registerAccount = async (account: string) => {
  await register(testServer, account);
  return account;
};

describe("T-17: guessing", () => {
  it(
    `evaluates ten of ${guessCount} passwords in an hour, however many human checks are solved`,
    { timeout: 600_000 },
    async () => {
      const account = await registerAccount("guessed@clinic.test");
      // Solving a thousand checks would measure the checks: as many as can count are solved, the others come without.
      const solved = await Promise.all(Array.from({ length: 40 }, () => passHumanCheck(testServer)));
      const began = performance.now();
      const answers = await runConcurrently(guessCount, (number) =>
        testServer.ask(
          "account.login",
          { account, password: `guess-${number}`, ...(solved[number] && { human: solved[number] }) },
          guesserHeaders(number),
        ),
      );
      const evaluated = answers.filter((answer) => isRefusedAs(answer, "wrongPassword")).length;
      const seconds = (performance.now() - began) / 1000;
      console.info(`T-17: ${evaluated} of ${guessCount} passwords evaluated, ${seconds.toFixed(1)} s`);
      expect(evaluated).toBe(accountRules.evaluatedPerHour);
      const refused = answers.filter((answer) =>
        isRefusedAs(answer, "humanNeeded", "humanWrong", "loginDelayed"),
      ).length;
      expect(evaluated + refused).toBe(guessCount);
      expect(
        isRefusedAs(
          await testServer.ask("account.login", {
            account,
            password: goodPassword,
            human: await passHumanCheck(testServer),
          }),
          "humanNeeded",
        ),
      ).toBe(true);
    },
  );

  it(
    `evaluates exactly five of ${guessCount} codes, and then not the right one either`,
    { timeout: 600_000 },
    async () => {
      const account = await registerAccount("coded@clinic.test");
      await testServer.running.database.asSystem((db) => sql`delete from verification`.execute(db));
      await testServer.ask("account.sendCode", { account, purpose: "login", human: await passHumanCheck(testServer) });
      const right = await findSentCode(account);
      const answers = await runConcurrently(guessCount, (number) => {
        const code = String((Number(right) + 1 + number) % 1_000_000).padStart(6, "0");
        return testServer.ask("account.loginByCode", { account, code }, guesserHeaders(number));
      });
      const tries = await testServer.running.database.asSystem((db) =>
        sql<{ tries: number }>`select tries from verification where target = ${`email:${account}`}`.execute(db),
      );
      console.info(`T-17: ${tries.rows[0]?.tries} of ${guessCount} codes evaluated`);
      expect(tries.rows).toEqual([{ tries: accountRules.codeTries }]);
      expect(answers.every((answer) => isRefusedAs(answer, "codeWrong"))).toBe(true);
      expect(isRefusedAs(await testServer.ask("account.loginByCode", { account, code: right }), "codeWrong")).toBe(
        true,
      );
    },
  );

  it("lets an address ask for fifty accounts that do not exist, and then wants work for each", async () => {
    const asks = (number: number, way: "login" | "loginByCode" | "resetPassword") =>
      testServer.ask(
        `account.${way}`,
        {
          account: `nobody${number}@clinic.test`,
          password: goodPassword,
          confirm: goodPassword,
          code: "123456",
        },
        { "x-forwarded-for": "198.51.100.7" },
      );
    const ways = ["login", "loginByCode", "resetPassword"] as const;
    const answers = await runConcurrently(200, (number) => asks(number, ways[number % 3]));
    const told = answers.filter((answer) => isRefusedAs(answer, "accountUnknown")).length;
    console.info(`T-17: ${told} of 200 unknown accounts told to one address`);
    expect(told).toBe(accountRules.failuresPerAddress);
    expect(answers.filter((answer) => isRefusedAs(answer, "humanNeeded"))).toHaveLength(200 - told);
    // Other accounts are not affected.
    const elsewhere = await testServer.ask("account.login", { account: "nobody@clinic.test", password: "x" });
    expect(isRefusedAs(elsewhere, "accountUnknown")).toBe(true);
  });

  it("leaves the database to others while many sign in at once", async () => {
    const account = await registerAccount("many@clinic.test");
    const person = await testServer.createUser("clinicAdmin", await testServer.createInstitution("clinic"));
    const accounts = await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        const other = await testServer.createUser("newUser");
        const value = `many${number}@clinic.test`;
        await testServer.running.database.asSystem((db) =>
          sql`with u as (update users set password_hash = (select u.password_hash from users u join contact c on c.user_id = u.id where c.value = ${account}) where id = ${other.uid})
            update contact set value = ${value} where user_id = ${other.uid}`.execute(db),
        );
        return value;
      }),
    );
    const began = performance.now();
    const signing = Promise.all(
      accounts.map((one) => testServer.ask("account.login", { account: one, password: goodPassword })),
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    const waits: number[] = [];
    let done = false;
    void signing.finally(() => (done = true));
    while (!done) {
      const asked = performance.now();
      await person.call("patient.list", {});
      waits.push(performance.now() - asked);
    }
    const took = performance.now() - began;
    const entered = (await signing).filter(({ code }) => code === 200).length;
    const worst = Math.max(...waits);
    console.info(
      `T-17: ${entered} sign-ins at once in ${(took / 1000).toFixed(1)} s; others waited ${worst.toFixed(0)} ms at most (${waits.length} asked)`,
    );
    expect(entered).toBe(20);
    // Held up by them they would have waited for most of that.
    expect(worst).toBeLessThan(took / 2);
  });

  it.runIf(process.env.ARCADA_PROOF === "full")(
    "takes as long for a device or a card that does not exist as for one with another code",
    { timeout: 600_000 },
    async () => {
      const operator = await testServer.createUser("operator");
      const clinic = await testServer.createUser("clinicAdmin", await testServer.createInstitution("clinic"));
      const device = await operator.call("device.register", { product: "P", serialNumber: "TIMED", model: "M" });
      const [card] = await issueCards(operator, 1);
      const guess = {
        device: () => bound(device.device.serialNumber),
        "no device": () => bound("NOBODY"),
        card: () => activateCard(clinic, { ...card, secret: "WRONG" }),
        "no card": () => activateCard(clinic, { ...card, number: "999999999999", secret: "WRONG" }),
      };
      const bound = (serialNumber: string) =>
        clinic.ask("device.bind", { serialNumber, activationCode: "WRNG-WRNG-WRNG-WRNG", name: "Room" });
      const took = new Map(Object.keys(guess).map((name) => [name, [] as number[]]));
      for (let round = 0; round < 300; round++)
        for (const [name, ask] of Object.entries(guess)) {
          await testServer.running.database.asSystem((db) =>
            sql`with a as (delete from device_try), b as (delete from capacity_try) select`.execute(db),
          );
          const guesserHeaders = performance.now();
          await ask();
          present(took.get(name)).push(performance.now() - guesserHeaders);
        }
      const median = (name: string) => present(took.get(name)).toSorted((a, b) => a - b)[150];
      console.info(
        `T-17: ${[...took.keys()].map((name) => `${name} ${median(name).toFixed(2)} ms`).join(", ")} (medians of 300)`,
      );
      for (const name of ["device", "card"])
        expect(Math.abs(median(name) - median(`no ${name}`))).toBeLessThan(median(name) * 0.25);
    },
  );
});
