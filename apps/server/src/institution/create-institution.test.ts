import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { institutionRules } from "@arcada/contract/institution/institution.calls";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { findSentCode, passHumanCheck } from "@arcada/testing/fixtures/account-registration";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { mail } from "../platform/runtime/services.ts";
import { refusalOf } from "@arcada/testing/refusal-of";

let nth = 0;
const openingInput = (change: object = {}) => ({
  type: "clinic" as const,
  name: "Smile Clinic",
  country: "CN",
  email: `first${++nth}.${process.pid}@clinic.test`,
  personName: "Dr. Li",
  ...change,
});
const emailTo = async (email: string, about: string) => {
  const found = async () => (await mail().outbox()).find(({ to, subject }) => to === email && subject.includes(about));
  return vi.waitFor(async () => (await found()) ?? Promise.reject(new Error("no letter")), { timeout: 10_000 });
};

it("after-sales creates a clinic with its first manager, who sets a password by email and confirms the country and the name", async () => {
  const env = await getTestServer();
  const keeper = await env.createUser("afterSalesAdmin");
  const input = openingInput();
  const made = await keeper.call("institution.openAccount", input);
  const email = await emailTo(input.email, "Smile Clinic");
  expect(email.html).toContain("/forgot");
  await env.ask("account.sendCode", { account: input.email, purpose: "reset", human: await passHumanCheck(env) });
  const code = await vi.waitFor(async () => (await findSentCode(input.email)) || Promise.reject(new Error("no code")));
  const password = goodPassword;
  const reset = await env.ask("account.resetPassword", { account: input.email, code, password, confirm: password });
  expect(reset.code).toBe(200);
  const { token } = (await env.ask("account.login", { account: input.email, password })).data;
  const ask = <T extends Parameters<typeof env.ask>[0]>(name: T, given: object) => env.ask(name, given, { token });
  expect((await ask("account.getUserInfo", {})).data).toMatchObject({
    initStatus: 2,
    legalAgreed: false,
    country: null,
    roles: ["clinicAdmin"],
    institution: { id: made.id, name: "Smile Clinic" },
  });
  const done = await ask("account.initStudyInfo", { nation: "DE", name: "Smile Clinic Berlin", agree: true });
  expect(done.code).toBe(200);
  expect((await ask("account.getUserInfo", {})).data).toMatchObject({ initStatus: 0, country: "DE" });
  expect((await ask("institution.detail", {})).data).toMatchObject({ name: "Smile Clinic Berlin", country: "DE" });
});

it("a lab is created with initStatus 3, and keeps its name if the manager enters none", async () => {
  const env = await getTestServer();
  const keeper = await env.createUser("afterSalesAdmin");
  const { id } = await keeper.call("institution.openAccount", openingInput({ type: "lab", name: "Lab One" }));
  const { rows } = await env.running.database.asSystem((db) =>
    sql<{ status: number; authority: number }>`select u.init_status as status, m.authority_id as authority
      from membership m join users u on u.id = m.user_id where m.institution_id = ${id}`.execute(db),
  );
  expect(rows).toEqual([{ status: 3, authority: 666 }]);
});

it("an address with an account gets no second one, and nothing is created", async () => {
  const env = await getTestServer();
  const keeper = await env.createUser("afterSalesAdmin");
  const input = openingInput();
  await keeper.call("institution.openAccount", input);
  expect(refusalOf(await keeper.ask("institution.openAccount", { ...input, name: "Twice" }))).toBe("accountTaken");
  expect(await keeper.call("institution.search", { text: "Twice" })).toEqual([]);
});

it("only after-sales creates accounts, and each person a limited number per day", async () => {
  const env = await getTestServer();
  for (const role of ["afterSalesMember", "operator", "newUser"] as const)
    expect(refusalOf(await (await env.createUser(role)).ask("institution.openAccount", openingInput()))).toBe(
      "notAllowed",
    );
  const keeper = await env.createUser("afterSalesAdmin");
  await keeper.call("institution.openAccount", openingInput());
  await env.running.database.asSystem((db) =>
    sql`insert into institution (id, number, name, type, country, created_by, opened_by)
      select gen_random_uuid(), 'x' || ${keeper.uid} || n, 'x', 'lab', 'CN', ${keeper.uid}, ${keeper.uid}
      from generate_series(2, ${institutionRules.maxOpenedPerDay}::int) n`.execute(db),
  );
  expect(refusalOf(await keeper.ask("institution.openAccount", openingInput()))).toBe("openedTooMany");
});
