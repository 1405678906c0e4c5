import { expect, it } from "vitest";
import { roles } from "@arcada/contract/kernel/roles";
import { newId } from "../apps/server/src/platform/runtime/ids-and-secrets.ts";
import { demoAccounts } from "../apps/server/src/domain/demo-accounts.ts";
import { forwardOrder } from "@arcada/testing/fixtures/forwarding";
import { crownOrderInput, takeStep } from "@arcada/testing/fixtures/orders";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { TestUser, getTestServer } from "@arcada/testing/setup/test-server";
import { createCast, createSecondLab, demoInstitutions } from "./create-institutions.ts";
import { present } from "@arcada/testing/require-present";

/** Restores the state of an earlier demo: the distant lab exists, created by the operator, and has no members. */
async function emptySecondLab(): Promise<void> {
  const { running } = await getTestServer();
  await running.database.asSystem(async (db) => {
    const { user_id: operator } = await db
      .selectFrom("contact")
      .select("user_id")
      .where("value", "=", "operator@arcada.example")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("institution")
      .values({ id: newId(), created_by: operator, ...demoInstitutions.farLab })
      .execute();
  });
}

async function signIn(account: (typeof demoAccounts.accounts)[number]["account"]): Promise<TestUser> {
  const testServer = await getTestServer();
  const { token } = (await testServer.ask("account.login", { account, password: demoAccounts.password })).data;
  const { id: uid, iid } = (await testServer.ask("account.getUserInfo", {}, { token })).data;
  const { role, name } = present(demoAccounts.accounts.find((one) => one.account === account));
  return new TestUser(testServer, { token, uid, iid, role, name });
}

it("has a second lab, to which the first passes on what the clinic sends it, and every account signs in", async () => {
  const { running } = await getTestServer();
  await createCast(running.database);
  await emptySecondLab();
  for (let start = 0; start < 2; start++) {
    await createCast(running.database);
    await createSecondLab(running.database);
  }
  for (const { account, role } of demoAccounts.accounts) {
    const { server: testServer, token } = await signIn(account);
    const { data } = await testServer.ask("account.getUserInfo", {}, { token });
    expect(data.authorityId, account).toBe(roles[role].authorityId);
  }
  const [clinic, lab, farLab] = [
    await signIn("lin@clinic.example"),
    await signIn("zhou@lab.example"),
    await signIn("hill@northlight.example"),
  ];
  const sent = await clinic.call("order.save", {
    ...crownOrderInput(await createPatient(clinic), lab.iid),
    send: true,
  });
  const draft = await forwardOrder(lab, await takeStep(lab, sent, "accept"), farLab);
  await takeStep(lab, draft, "submit");
  const { list } = await farLab.call("order.list", {});
  expect(list.map(({ sender, state }) => [sender.name, state])).toEqual([[demoInstitutions.lab.name, "pending"]]);
});
