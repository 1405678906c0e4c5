import { describe, expect, it, beforeEach } from "vitest";
import { register } from "@arcada/testing/fixtures/account-registration";
import { getTestServer, type AnyTestUser } from "@arcada/testing/setup/test-server";
import { sql } from "kysely";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

let count = 0;
const anAddress = () => `incomplete${(count += 1)}.${process.pid}@clinic.test`;
const contactsOf = async (person: AnyTestUser) => {
  const { phone, email } = await person.call("account.getUserInfo", {});
  return { phone, email };
};
const newcomer = async () => (await getTestServer()).createUser("newUser");

describe("an incomplete account", () => {
  const asStatus = async (person: AnyTestUser, status: number) =>
    (await getTestServer()).running.database.asSystem((db) =>
      db.updateTable("users").set({ init_status: status }).where("id", "=", person.uid).execute(),
    );

  it("is not what registering by email makes, which keeps the version of the terms that was agreed to", async () => {
    const env = await getTestServer();
    const account = anAddress();
    const token = await register(env, account);
    expect((await env.ask("account.getUserInfo", {}, { token })).data).toMatchObject({
      initStatus: 0,
      country: "CN",
    });
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
