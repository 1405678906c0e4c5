import { expect, it, vi } from "vitest";
import { sendOrder } from "@arcada/testing/fixtures/orders";
import { setup } from "@arcada/testing/setup/test-server";
import type { TestSetup, TestUser } from "@arcada/testing/setup/test-server";
import { mail } from "../platform/runtime/services.ts";
import { sendDailyEmails } from "./daily-email.ts";

const emailsTo = async (who: TestUser) => (await mail().outbox()).filter(({ to }) => to === `${who.uid}@example.test`);

/** A laboratory in this time zone, whose manager wants one email a day. */
async function setupDaily(zone: string): Promise<TestSetup> {
  const env = await setup();
  await env.lab.call("notice.mail", { mail: "daily" });
  await env.server.running.database.asSystem(async (db) => {
    await db.updateTable("institution").set({ time_zone: zone }).where("id", "=", env.lab.iid).execute();
    await db.updateTable("users").set({ language: "en" }).where("id", "=", env.lab.uid).execute();
  });
  return env;
}
const send = (env: TestSetup, at: string) => sendDailyEmails(env.server.running.database, new Date(at));

it("collects what arrived and is sent once, from 8 o'clock of the organisation on, also by two processes", async () => {
  const env = await setupDaily("Asia/Shanghai");
  const orders = [await sendOrder(env), await sendOrder(env)];
  await send(env, "2026-11-28T23:59:00Z");
  expect(await emailsTo(env.lab)).toEqual([]);
  await Promise.all([send(env, "2026-11-29T00:00:00Z"), send(env, "2026-11-29T00:00:00Z")]);
  await vi.waitFor(async () => expect(await emailsTo(env.lab)).toHaveLength(1), { timeout: 10_000 });
  const [email] = await emailsTo(env.lab);
  expect(email?.subject).toBe("Arcada today: 2 notifications");
  for (const { number, id } of orders) {
    expect(email?.text).toContain(`New order ${number}`);
    expect(email?.html).toContain(`/orderDetail/page?id=${id}`);
  }
  await sendOrder(env);
  await send(env, "2026-11-29T09:00:00Z");
  expect(await emailsTo(env.lab)).toHaveLength(1);
  await send(env, "2026-11-30T01:00:00Z");
  await vi.waitFor(async () => expect(await emailsTo(env.lab)).toHaveLength(2), { timeout: 10_000 });
});

it("contains no patient, and nothing that was read before", async () => {
  const env = await setupDaily("UTC");
  const order = await sendOrder(env);
  const { patientName } = await env.clinic.call("order.detail", { id: order.id });
  const read = await sendOrder(env);
  await env.lab.call("notice.markRead", { topic: `order:${read.id}` });
  await send(env, "2026-11-29T08:00:00Z");
  await vi.waitFor(async () => expect(await emailsTo(env.lab)).toHaveLength(1), { timeout: 10_000 });
  const said = JSON.stringify(await emailsTo(env.lab));
  expect(said).toContain(order.number);
  expect(said).not.toContain(patientName);
  expect(said).not.toContain(read.number);
});

it("is not sent to a person who has chosen to get no emails since, nor are single ones", async () => {
  const env = await setupDaily("UTC");
  await sendOrder(env);
  await env.lab.call("notice.mail", { mail: "off" });
  await sendOrder(env);
  await env.lab.call("notice.mail", { mail: "daily" });
  expect(await send(env, "2026-11-29T08:00:00Z")).toBe(0);
  expect(await emailsTo(env.lab)).toEqual([]);
});
