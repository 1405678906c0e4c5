import { describe, expect, it } from "vitest";
import { findSentCode, letMinutePass, passHumanCheck } from "@arcada/testing/fixtures/account-registration";
import { getTestServer, type AnyTestUser } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";
import { mail } from "../../platform/runtime/services.ts";

let count = 0;
const anAddress = () => `contact${(count += 1)}.${process.pid}@clinic.test`;
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
    await letMinutePass(await getTestServer(), phone);
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
