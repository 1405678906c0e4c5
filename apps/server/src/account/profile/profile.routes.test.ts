import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { mail } from "../../platform/runtime/services.ts";
import { findSentCode, passHumanCheck, register } from "@arcada/testing/fixtures/registration";
import { getTestServer } from "@arcada/testing/setup/setup";
import type { AnyTestUser } from "@arcada/testing/setup/setup";
import { present } from "@arcada/testing/present";
import { refusalOf } from "@arcada/testing/refusal-of";

let count = 0;
const anAddress = () => `profile${(count += 1)}.${process.pid}@clinic.test`;
const aNumber = () => `139${String(process.pid).padStart(5, "0").slice(-5)}${String((count += 1)).padStart(3, "0")}`;

/** The code that was sent to an account for a purpose. */
async function code(account: string, purpose: "bind" | "original" | "login"): Promise<string> {
  const env = await getTestServer();
  const sent = await env.ask("account.sendCode", { account, purpose, human: await passHumanCheck(env) });
  if (sent.code !== 200) throw new Error(sent.msg);
  return findSentCode(account);
}
const contactsOf = async (person: AnyTestUser) => {
  const { phone, email } = await person.call("account.getUserInfo", {});
  return { phone, email };
};
const lettersTo = async (to: string) => (await mail().outbox()).filter((one) => one.to.includes(to));
const newcomer = async () => (await getTestServer()).createUser("newUser");

describe("a contact", () => {
  it("of a new kind needs its own code, and the existing contact is notified", async () => {
    const person = await newcomer();
    const [phone, before] = [aNumber(), await contactsOf(person)];
    expect(refusalOf(await person.ask("account.setContactInfo", { account: phone, code: "000000" }))).toBe("codeWrong");
    await person.call("account.setContactInfo", { account: phone, code: await code(phone, "bind") });
    expect(await contactsOf(person)).toEqual({ phone, email: before.email });
    await expect
      .poll(async () => (await lettersTo(present(before.email, "email"))).map(({ subject }) => subject), {
        timeout: 10_000,
      })
      .toEqual(["您的 Arcada 账号新增了联系方式"]);
  });

  it("is changed only with the ticket of the previous one, which gets an email", async () => {
    const person = await newcomer();
    const [fresh, { email: old }] = [anAddress(), await contactsOf(person)];
    const right = await code(fresh, "bind");
    expect(refusalOf(await person.ask("account.setContactInfo", { account: fresh, code: right }))).toBe("ticketSpent");
    expect((await contactsOf(person)).email).toBe(old);
    const checked = { kind: "email" as const, code: await code(present(old), "original") };
    const { ticket } = await person.call("account.checkOriginalInfo", checked);
    await person.call("account.setContactInfo", { account: fresh, code: right, ticket });
    expect((await contactsOf(person)).email).toBe(fresh);
    await expect
      .poll(async () => (await lettersTo(present(old))).some(({ subject }) => subject.includes("更换")), {
        timeout: 10_000,
      })
      .toBe(true);
    // Neither the ticket nor the code of the bound contact works twice.
    const again = anAddress();
    const second = { account: again, code: await code(again, "bind"), ticket };
    expect(refusalOf(await person.ask("account.setContactInfo", second))).toBe("ticketSpent");
    expect((await contactsOf(person)).email).toBe(fresh);
  });

  it("is not changed by another person's ticket", async () => {
    const [one, other] = [await newcomer(), await newcomer()];
    const { email } = await contactsOf(other);
    const { ticket } = await other.call("account.checkOriginalInfo", {
      kind: "email",
      code: await code(present(email), "original"),
    });
    const [before, fresh] = [await contactsOf(one), anAddress()];
    const tried = { account: fresh, code: await code(fresh, "bind"), ticket };
    expect(refusalOf(await one.ask("account.setContactInfo", tried))).toBe("ticketSpent");
    expect(await contactsOf(one)).toEqual(before);
  });

  it("of another account is refused when its code is requested, and when two users bind it at once", async () => {
    const env = await getTestServer();
    const [one, other] = [await newcomer(), await newcomer()];
    const taken = (await contactsOf(other)).email;
    const asked = await env.ask("account.sendCode", {
      account: taken,
      purpose: "bind",
      human: await passHumanCheck(env),
    });
    expect(refusalOf(asked)).toBe("accountTaken");
    expect(asked).toMatchObject({ data: { account: "accountTaken" } });
    const phone = aNumber();
    const input = { account: phone, code: await code(phone, "bind") };
    const answers = await Promise.all([one, other].map((person) => person.ask("account.setContactInfo", input)));
    expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1);
  });

  it("can be removed, but the last one stays, also when both are removed at once", async () => {
    const person = await newcomer();
    const { email } = await contactsOf(person);
    const last = await person.call("account.checkOriginalInfo", {
      kind: "email",
      code: await code(present(email), "original"),
    });
    const alone = await person.ask("account.unbindContactInfo", { kind: "email", ticket: last.ticket });
    expect(refusalOf(alone)).toBe("contactLast");
    const phone = aNumber();
    await person.call("account.setContactInfo", { account: phone, code: await code(phone, "bind") });
    await passMinute(phone);
    const other = await person.call("account.checkOriginalInfo", {
      kind: "phone",
      code: await code(phone, "original"),
    });
    const answers = await Promise.all([
      person.ask("account.unbindContactInfo", { kind: "email", ticket: last.ticket }),
      person.ask("account.unbindContactInfo", { kind: "phone", ticket: other.ticket }),
    ]);
    expect(answers.map(refusalOf).toSorted()).toEqual(["accepted", "contactLast"]);
    expect(Object.values(await contactsOf(person)).filter(Boolean)).toHaveLength(1);
  });
});

describe("an incomplete account", () => {
  const asStatus = async (person: AnyTestUser, status: number) =>
    (await getTestServer()).running.database.asSystem((db) =>
      db.updateTable("users").set({ init_status: status }).where("id", "=", person.uid).execute(),
    );

  it("is what registering makes, with the version of the terms that was agreed to", async () => {
    const env = await getTestServer();
    const account = anAddress();
    const token = await register(env, account);
    expect((await env.ask("account.getUserInfo", {}, { token })).data).toMatchObject({ initStatus: 1, country: null });
    const { version } = (await env.ask("account.privacyPolicy", { kind: "terms" })).data;
    const row = await env.running.database.asSystem((db) =>
      sql<{
        terms_version: string;
        agreed_at: string;
      }>`select terms_version, agreed_at from users u join contact c on c.user_id = u.id where c.value = ${account}`.execute(
        db,
      ),
    );
    expect(row.rows).toEqual([{ terms_version: version, agreed_at: expect.any(String) }]);
  });

  describe("of a person", () => {
    let person: AnyTestUser;
    let given: { email: string; nation: string; userName: string; agree: boolean };
    beforeEach(async () => {
      person = await newcomer();
      await asStatus(person, 1);
      const { email } = await contactsOf(person);
      given = { email: present(email).toUpperCase(), nation: "CN", userName: "李娜", agree: true };
    });

    // If an identity provider or an institution made the account, nobody has agreed to the terms yet.
    it.each([
      [{ userName: " " }, { userName: "nameNeeded" }],
      [{ nation: "XX" }, { nation: "countryNeeded" }],
      [{ email: anAddress() }, { email: "emailNotBound" }],
      [{ agree: false }, { agree: "agreeNeeded" }],
    ])("is not completed with %j: %j", async (change, faults) => {
      expect((await person.ask("account.initSelfInfo", { ...given, ...change })).data).toMatchObject(faults);
      expect(await person.call("account.getUserInfo", {})).toMatchObject({
        initStatus: 1,
        country: null,
        legalAgreed: false,
      });
    });

    it("is not completed by the country alone", async () => {
      expect(refusalOf(await person.ask("account.initStudyInfo", { nation: "CN", agree: true }))).toBe("emailNotBound");
      expect(await person.call("account.getUserInfo", {})).toMatchObject({ initStatus: 1, country: null });
    });

    it("is completed by the bound e-mail address, country and name", async () => {
      await person.call("account.initSelfInfo", given);
      expect(await person.call("account.getUserInfo", {})).toMatchObject({
        initStatus: 0,
        country: "CN",
        userName: "李娜",
        legalAgreed: true,
      });
    });

    it("keeps its country once it is completed", async () => {
      await person.call("account.initSelfInfo", given);
      const again = await person.ask("account.initSelfInfo", { ...given, nation: "US" });
      expect([refusalOf(again), again.data]).toEqual(["countryFixed", { nation: "countryFixed" }]);
      expect((await person.call("account.getUserInfo", {})).country).toBe("CN");
    });
  });

  it.each([2, 3])("that was made for an organisation (%i) is completed by the country", async (status) => {
    const person = await newcomer();
    await asStatus(person, status);
    expect((await person.ask("account.initStudyInfo", { nation: "DE" })).data).toEqual({ agree: "agreeNeeded" });
    await person.call("account.initStudyInfo", { nation: "DE", agree: true });
    expect(await person.call("account.getUserInfo", {})).toMatchObject({ initStatus: 0, country: "DE" });
  });
});

describe("what anyone may ask", () => {
  it("has the terms and the policy in the reader's language, complete", async () => {
    const env = await getTestServer();
    for (const kind of ["terms", "privacy"] as const)
      for (const language of ["zh", "en"]) {
        const { data } = await env.ask("account.privacyPolicy", { kind }, { "accept-language": language });
        expect(data.markdown.match(/^## .+$/gm)).toHaveLength(10);
        expect(data.markdown).not.toMatch(/(terms|privacy)\.\w+\.(title|text)|\{\{/);
      }
  });

  it("measures the line by 381,909 bytes that nobody keeps or makes smaller", async () => {
    const answer = await fetch(`${(await getTestServer()).address}/v1/base/speedProbe`);
    expect((await answer.arrayBuffer()).byteLength).toBe(381_909);
    expect(answer.headers.get("cache-control")).toContain("no-store");
    expect(answer.headers.get("content-encoding")).toBeNull();
  });
});

it("keeps reports of errors without naming anyone, as many as a person can cause", async () => {
  const person = await newcomer();
  const fault = {
    message: "no patient called 王伟",
    stack: "Error\n at x.js:1:1",
    path: "/patientList?search=王伟",
    at: new Date().toISOString(),
  };
  await person.call("account.reportErrors", { errors: [fault] });
  const env = await getTestServer();
  const kept = await env.running.database.asSystem((db) => db.selectFrom("error_report").selectAll().execute());
  expect(kept).toMatchObject([{ message: "no patient called …", path: "/patientList" }]);
  expect(JSON.stringify(kept)).not.toContain(person.uid);
  const many = Array.from({ length: 50 }, () => fault);
  const answers = await Promise.all([1, 2, 3, 4].map(() => person.ask("account.reportErrors", { errors: many })));
  expect(answers.map(refusalOf).toSorted()).toEqual(["accepted", "accepted", "accepted", "tooManyRequests"]);
});

/** As if a minute had passed since the last code. */
const passMinute = async (account: string) =>
  (await getTestServer()).running.database.asSystem((db) =>
    sql`update verification set created_at = created_at - interval '61 seconds' where target like ${`%${account}`}`.execute(
      db,
    ),
  );
