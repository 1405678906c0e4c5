import { expect, it } from "vitest";
import { roles } from "@arcada/contract/kernel/roles";
import { newId } from "../apps/server/src/platform/runtime/ids.ts";
import { demoAccounts } from "../apps/server/src/domain/demo-accounts.ts";
import { passOn } from "../tests/forwarding.ts";
import { crownFor, steps } from "../tests/orders.ts";
import { newPatient } from "../tests/uploads.ts";
import { Person, server } from "../tests/world.ts";
import { engageCast, engageFarLab, houses } from "./cast.ts";

/** Restores the state of an earlier demo: the distant lab exists, created by the operator, and has no members. */
async function emptyFarLab(): Promise<void> {
  const { running } = await server();
  await running.database.asSystem(async (db) => {
    const { user_id: operator } = await db
      .selectFrom("contact")
      .select("user_id")
      .where("value", "=", "operator@arcada.example")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("institution")
      .values({ id: newId(), created_by: operator, ...houses.farLab })
      .execute();
  });
}

async function signedIn(account: (typeof demoAccounts.accounts)[number]["account"]): Promise<Person> {
  const here = await server();
  const { token } = (await here.ask("account.login", { account, password: demoAccounts.password })).data;
  const { id: uid, iid } = (await here.ask("account.getUserInfo", {}, { token })).data;
  const { role, name } = demoAccounts.accounts.find((one) => one.account === account)!;
  return new Person(here, { token, uid, iid, role, name });
}

it("has a second lab, to which the first passes on what the clinic sends it, and every account signs in", async () => {
  const { running } = await server();
  await engageCast(running.database);
  await emptyFarLab();
  for (let start = 0; start < 2; start++) {
    await engageCast(running.database);
    await engageFarLab(running.database);
  }
  for (const { account, role } of demoAccounts.accounts) {
    const { server: here, token } = await signedIn(account);
    const { data } = await here.ask("account.getUserInfo", {}, { token });
    expect(data.authorityId, account).toBe(roles[role].authorityId);
  }
  const [clinic, lab, farLab] = [
    await signedIn("lin@clinic.example"),
    await signedIn("zhou@lab.example"),
    await signedIn("hill@northlight.example"),
  ];
  const sent = await clinic.gets("order.save", { ...crownFor(await newPatient(clinic), lab.iid), send: true });
  const draft = await passOn(lab, await steps(lab, sent, "accept"), farLab);
  await steps(lab, draft, "submit");
  const { list } = await farLab.gets("order.list", {});
  expect(list.map(({ sender, state }) => [sender.name, state])).toEqual([[houses.lab.name, "pending"]]);
});
