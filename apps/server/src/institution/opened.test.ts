import { sql } from "kysely";
import { expect, it, vi } from "vitest";
import { institutionRules } from "@arcada/contract/institution/institution.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import { goodPassword } from "../../../../tests/human.ts";
import { codeFor, human } from "../../../../tests/people.ts";
import { server } from "../../../../tests/world.ts";
import { mail } from "../platform/runtime/services.ts";

let nth = 0;
const wish = (change: object = {}) => ({
  type: "clinic" as const,
  name: "Smile Clinic",
  country: "CN",
  email: `first${++nth}.${process.pid}@clinic.test`,
  personName: "Dr. Li",
  ...change,
});
const letterTo = async (email: string, about: string) => {
  const found = async () => (await mail().outbox()).find(({ to, subject }) => to === email && subject.includes(about));
  return vi.waitFor(async () => (await found()) ?? Promise.reject(new Error("no letter")), { timeout: 10_000 });
};

it("after-sales opens a clinic with its first manager, who sets a password by the letter and says the country and the name", async () => {
  const here = await server();
  const keeper = await here.person("afterSalesAdmin");
  const input = wish();
  const made = await keeper.gets("institution.openAccount", input);
  const letter = await letterTo(input.email, "Smile Clinic");
  expect(letter.html).toContain("/forgot");
  await here.ask("account.sendCode", { account: input.email, purpose: "reset", human: await human(here) });
  const code = await vi.waitFor(async () => (await codeFor(input.email)) || Promise.reject(new Error("no code")));
  const password = goodPassword;
  const reset = await here.ask("account.resetPassword", { account: input.email, code, password, confirm: password });
  expect(reset.code).toBe(200);
  const { token } = (await here.ask("account.login", { account: input.email, password })).data;
  const ask = <T extends Parameters<typeof here.ask>[0]>(name: T, given: object) => here.ask(name, given, { token });
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

it("a lab is opened with initStatus 3, and keeps its name where none is said", async () => {
  const here = await server();
  const keeper = await here.person("afterSalesAdmin");
  const { id } = await keeper.gets("institution.openAccount", wish({ type: "lab", name: "Lab One" }));
  const { rows } = await here.running.database.asSystem((db) =>
    sql<{ status: number; authority: number }>`select u.init_status as status, m.authority_id as authority
      from membership m join users u on u.id = m.user_id where m.institution_id = ${id}`.execute(db),
  );
  expect(rows).toEqual([{ status: 3, authority: 666 }]);
});

it("an address that has an account gets no second one, and nothing is made", async () => {
  const here = await server();
  const keeper = await here.person("afterSalesAdmin");
  const input = wish();
  await keeper.gets("institution.openAccount", input);
  expect((await keeper.asks("institution.openAccount", { ...input, name: "Twice" })).code).toBe(
    refusals.accountTaken.code,
  );
  expect(await keeper.gets("institution.search", { text: "Twice" })).toEqual([]);
});

it("nobody else opens accounts, and one person so many a day", async () => {
  const here = await server();
  for (const role of ["afterSalesMember", "operator", "newUser"] as const)
    expect((await (await here.person(role)).asks("institution.openAccount", wish())).code).toBe(
      refusals.notAllowed.code,
    );
  const keeper = await here.person("afterSalesAdmin");
  await keeper.gets("institution.openAccount", wish());
  await here.running.database.asSystem((db) =>
    sql`insert into institution (id, number, name, type, country, created_by, opened_by)
      select gen_random_uuid(), 'x' || ${keeper.uid} || n, 'x', 'lab', 'CN', ${keeper.uid}, ${keeper.uid}
      from generate_series(2, ${institutionRules.openedADay}::int) n`.execute(db),
  );
  expect((await keeper.asks("institution.openAccount", wish())).code).toBe(refusals.openedTooMany.code);
});
