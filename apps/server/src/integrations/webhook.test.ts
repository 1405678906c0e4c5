import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Webhook } from "@arcada/contract/integrations/integrations.calls";
import { webhookRules } from "@arcada/contract/integrations/integrations.rules";
import type { WebhookEvent } from "@arcada/contract/integrations/integrations.rules";
import { refusals } from "@arcada/contract/kernel/refusals";
import { sendOrder } from "@arcada/testing/fixtures/orders";
import { isGenuine, WebhookPeer } from "@arcada/testing/peers/webhook-peer";
import { getTestServer, setup } from "@arcada/testing/setup/test-server";
import type { TestUser, TestServer, TestSetup } from "@arcada/testing/setup/test-server";
import { readConfig } from "../platform/runtime/config.ts";
import { secret as instanceSecret } from "../platform/runtime/services.ts";
import { resolveReachable } from "../platform/security/outbound-address-guard.ts";
import { isAllowedEndpoint } from "../platform/security/outbound-address-guard.ts";
import { present } from "@arcada/testing/require-present";
import { refusalOf } from "@arcada/testing/refusal-of";

let env: TestServer;
let caseEnv: TestSetup;
let peer: WebhookPeer;
beforeAll(async () => {
  env = await getTestServer({ WEBHOOK_NETWORKS: "127.0.0.0/8" });
  peer = await new WebhookPeer().start();
});
beforeEach(async () => {
  caseEnv = await setup();
  peer.respond = () => 204;
  peer.deliveries.length = 0;
});
afterAll(() => peer.stop());

const waitFor = <T>(holds: () => T, timeout = 15_000) => vi.waitFor(holds, { timeout, interval: 50 });
const createWebhook = (by: TestUser, at: string, events: WebhookEvent[] = ["order.moved"]) =>
  by.call("interface.makeWebhook", { name: `Hook ${at}`, url: peer.url(at), events });
const listDeliveries = async (by: TestUser, webhook: Webhook) =>
  (await by.call("interface.deliveries", { id: webhook.id })).list;
/** Skips the wait for the next attempt. */
const reloadWebhook = (webhook: Webhook) =>
  env.running.database.asSystem((db) =>
    sql`update webhook_delivery set next_at = now() where webhook_id = ${webhook.id} and state = 'waiting'`.execute(db),
  );

describe("a webhook endpoint", () => {
  it("receives its chosen events, signed and without patient names, and both organisations of an order receive them", async () => {
    const [ours, theirs] = [
      await createWebhook(caseEnv.clinic, "/clinic", ["order.moved", "order.message"]),
      await createWebhook(caseEnv.lab, "/lab", ["order.moved"]),
    ];
    const order = await sendOrder(caseEnv);
    await caseEnv.lab.call("order.message", { id: order.id, text: "Hello", files: [] });
    await waitFor(() => expect(peer.deliveriesTo("/clinic").map(({ type }) => type)).toContain("order.message"));
    await waitFor(() => expect(peer.deliveriesTo("/lab")).toHaveLength(1));
    const [handed] = peer.deliveriesTo("/lab");
    expect(JSON.parse(handed.body)).toMatchObject({
      type: "order.moved",
      data: {
        orderId: order.id,
        number: order.number,
        action: "handOver",
        state: "pending",
        senderId: caseEnv.clinic.iid,
      },
    });
    expect(
      peer.deliveriesTo("/clinic").map(({ body }) => (JSON.parse(body) as { data: { action?: string } }).data.action),
    ).toEqual(expect.arrayContaining(["submit", "handOver"]));
    for (const heard of peer.deliveries) expect(heard.body).not.toMatch(/王小明|Hello/);
    expect(isGenuine(handed, theirs.secret, Date.now())).toBe(true);
    expect(isGenuine(handed, ours.secret, Date.now())).toBe(false);
    expect(isGenuine({ ...handed, body: `${handed.body} ` }, theirs.secret, Date.now())).toBe(false);
    expect(isGenuine(handed, theirs.secret, Date.now() + 600_000)).toBe(false);
    // The receiver has the request a moment before its result is recorded.
    await expect
      .poll(async () => (await listDeliveries(caseEnv.lab, theirs.webhook))[0])
      .toMatchObject({ state: "delivered", tries: 1, status: 204, problem: null, id: handed.id });
  });

  it("receives nothing of a transaction that is rolled back", async () => {
    const { webhook } = await createWebhook(caseEnv.clinic, "/undone");
    const order = await sendOrder(caseEnv);
    await waitFor(() => expect(peer.deliveriesTo("/undone").length).toBe(2));
    const before = peer.deliveriesTo("/undone").length;
    expect(
      refusalOf(await caseEnv.lab.ask("order.step", { id: order.id, action: "refuse", version: order.version })),
    ).toBe("orderReasonMissing");
    await new Promise((resume) => setTimeout(resume, 1200));
    expect(peer.deliveriesTo("/undone")).toHaveLength(before);
    expect(await listDeliveries(caseEnv.clinic, webhook)).toHaveLength(before);
  });

  it("receives signatures with both secrets while the secret changes", async () => {
    const first = await createWebhook(caseEnv.clinic, "/rotate");
    const second = await caseEnv.clinic.call("interface.rotateSecret", { id: first.webhook.id });
    await caseEnv.clinic.call("interface.tryWebhook", { id: first.webhook.id });
    await waitFor(() => expect(peer.deliveriesTo("/rotate")).toHaveLength(1));
    const [heard] = peer.deliveriesTo("/rotate");
    expect([first, second].map(({ secret }) => isGenuine(heard, secret, Date.now()))).toEqual([true, true]);
    await env.running.database.asSystem((db) =>
      sql`update webhook set old_secret_until = now() where id = ${first.webhook.id}`.execute(db),
    );
    await caseEnv.clinic.call("interface.tryWebhook", { id: first.webhook.id });
    await waitFor(() => expect(peer.deliveriesTo("/rotate")).toHaveLength(2));
    expect([first, second].map(({ secret }) => isGenuine(peer.deliveriesTo("/rotate")[1], secret, Date.now()))).toEqual(
      [false, true],
    );
    const { rows } = await env.running.database.asSystem((db) =>
      sql`select to_jsonb(w) as row from webhook w`.execute(db),
    );
    expect(JSON.stringify(rows)).not.toContain(second.secret.slice(6));
  });

  it("is retried with growing delays under the same id, then stopped, and its managers are notified", async () => {
    peer.respond = () => 500;
    const { webhook } = await createWebhook(caseEnv.clinic, "/broken");
    const { id } = await caseEnv.clinic.call("interface.tryWebhook", { id: webhook.id });
    const latest = async () => (await listDeliveries(caseEnv.clinic, webhook))[0];
    for (let seen = 0; seen < webhookRules.delays.length;) {
      // A short wait may have ended before it was observed here; an attempt in progress has none yet.
      const { tries, nextAt, lastTryAt } = await waitFor(async () => {
        const one = await latest();
        expect(one).toMatchObject({ state: "waiting", status: 500 });
        expect(one.tries).toBeGreaterThan(seen);
        expect(Date.parse(present(one.nextAt, "nextAt"))).toBeGreaterThan(
          Date.parse(present(one.lastTryAt, "lastTryAt")),
        );
        return one;
      });
      const [wait, delay] = [
        (Date.parse(present(nextAt)) - Date.parse(present(lastTryAt))) / 1000,
        webhookRules.delays[tries - 1],
      ];
      expect(wait).toBeGreaterThanOrEqual(delay);
      expect(wait).toBeLessThan(delay * 1.1 + webhookRules.timeoutSeconds);
      seen = tries;
      await reloadWebhook(webhook);
    }
    await waitFor(async () => expect(await latest()).toMatchObject({ state: "failed" }));
    expect(peer.deliveriesTo("/broken")).toHaveLength(webhookRules.delays.length + 1);
    expect(new Set(peer.deliveriesTo("/broken").map((heard) => heard.id))).toEqual(new Set([id]));
    await waitFor(async () =>
      expect((await caseEnv.clinic.call("interface.webhooks", {}))[0]).toMatchObject({ state: "stopped", waiting: 0 }),
    );
    const { list } = await caseEnv.clinic.call("notice.list", { categoryID: 0 });
    expect(list[0]).toMatchObject({ kind: "webhookStopped", params: { name: "Hook /broken" }, link: "/openInterface" });
    expect(refusalOf(await caseEnv.clinic.ask("interface.redeliver", { id }))).toBe("webhookOff");
    // Once the endpoint is repaired and switched on again, the same message is sent once more.
    peer.respond = () => 200;
    const { name, url, events } = webhook;
    await caseEnv.clinic.call("interface.setWebhook", { id: webhook.id, name, url, events, on: true });
    await caseEnv.clinic.call("interface.redeliver", { id });
    await waitFor(async () =>
      expect((await listDeliveries(caseEnv.clinic, webhook))[0]).toMatchObject({ id, state: "delivered" }),
    );
  });

  it("delays no other endpoint when it hangs or redirects, and has few deliveries in progress at once", async () => {
    peer.respond = ({ path: at }) => (at === "/hangs" ? "never" : at === "/moved" ? 302 : 204);
    const hanging = await createWebhook(caseEnv.clinic, "/hangs");
    const [moved, quick] = [await createWebhook(caseEnv.clinic, "/moved"), await createWebhook(caseEnv.lab, "/quick")];
    for (let nth = 0; nth < 10; nth++) await caseEnv.clinic.call("interface.tryWebhook", { id: hanging.webhook.id });
    await waitFor(() => expect(peer.deliveriesTo("/hangs")).toHaveLength(webhookRules.atOnce));
    const began = Date.now();
    await caseEnv.clinic.call("interface.tryWebhook", { id: moved.webhook.id });
    await caseEnv.lab.call("interface.tryWebhook", { id: quick.webhook.id });
    await waitFor(() => expect(peer.deliveriesTo("/quick")).toHaveLength(1), 4000);
    console.info(`beside a receiver that hangs another is told within ${Date.now() - began} ms`);
    await waitFor(async () =>
      expect((await listDeliveries(caseEnv.clinic, moved.webhook))[0]).toMatchObject({ status: 302, state: "waiting" }),
    );
    expect(peer.deliveriesTo("/elsewhere")).toEqual([]);
    // Its time-out is only waited for in the full run.
    if (process.env.ARCADA_PROOF === "full")
      await waitFor(async () =>
        expect((await listDeliveries(caseEnv.clinic, hanging.webhook)).map(({ problem }) => problem)).toContain(
          "timeout",
        ),
      );
    expect(peer.maxConcurrent["/hangs"]).toBeLessThanOrEqual(webhookRules.atOnce);
  });
});

describe("concurrent sender processes", () => {
  it("send each message once, and lose none when one of them is killed", async () => {
    const workers = [await startWorker(), await startWorker()];
    const { webhook } = await createWebhook(caseEnv.clinic, "/many");
    for (let nth = 0; nth < 40; nth++) await caseEnv.clinic.call("interface.tryWebhook", { id: webhook.id });
    await waitFor(() => expect(peer.deliveriesTo("/many")).toHaveLength(40));
    await new Promise((resume) => setTimeout(resume, 1000));
    expect(new Set(peer.deliveriesTo("/many").map(({ id }) => id)).size).toBe(40);
    expect(peer.deliveriesTo("/many")).toHaveLength(40);
    await Promise.all(workers.map(stopWorker));

    // Held by a dead process: its deliveries are due again after the hold has expired.
    const { id } = await caseEnv.clinic.call("interface.tryWebhook", { id: webhook.id });
    await env.running.database.asSystem((db) =>
      sql`update webhook_delivery set held_until = now() + interval '2 s', tries = 1 where id = ${id}`.execute(db),
    );
    await waitFor(() => expect(peer.deliveriesTo("/many").some((heard) => heard.id === id)).toBe(true));
    await waitFor(async () =>
      expect((await listDeliveries(caseEnv.clinic, webhook))[0]).toMatchObject({ id, state: "delivered" }),
    );
  });
});

describe("an endpoint address", () => {
  const closed = readConfig({}).WEBHOOK_NETWORKS;
  it("is refused in every notation if it is of this machine, of a private network or without TLS", async () => {
    const bad = [
      "http://example.com/",
      "https://127.0.0.1/",
      "https://2130706433/",
      "https://0x7f.1/",
      "https://10.0.0.8/",
      "https://172.16.4.1/",
      "https://192.168.1.1/",
      "https://169.254.169.254/latest",
      "https://100.64.0.1/",
      "https://[::1]/",
      "https://[::ffff:127.0.0.1]/",
      "https://[::ffff:a00:8]/",
      "https://[64:ff9b::7f00:1]/",
      "https://[fd00::1]/",
      "https://[fe80::1]/",
      "https://[2002:7f00:1::]/",
      "https://user:secret@example.com/",
      "ftp://example.com/",
      "no address",
    ];
    expect(bad.filter((url) => isAllowedEndpoint(url, closed))).toEqual([]);
    expect(isAllowedEndpoint("https://example.com/hook", closed)).toBe(true);
    expect(await resolveReachable("localhost", closed)).toBeNull();
    const answer = await caseEnv.clinic.ask("interface.makeWebhook", {
      name: "x",
      url: "https://192.168.1.1/",
      events: ["order.moved"],
    });
    expect(answer).toMatchObject({ code: refusals.webhookAddress.code, data: { url: "webhookAddress" } });
  });

  it("is not followed if it resolves to a forbidden address at the time of sending", async () => {
    const { webhook } = await createWebhook(caseEnv.clinic, "/rebound");
    await env.running.database.asSystem((db) =>
      sql`update webhook set url = 'https://[::1]:8443/' where id = ${webhook.id}`.execute(db),
    );
    await caseEnv.clinic.call("interface.tryWebhook", { id: webhook.id });
    await waitFor(async () =>
      expect((await listDeliveries(caseEnv.clinic, webhook))[0]).toMatchObject({
        problem: "forbidden",
        status: null,
        tries: 1,
      }),
    );
  });
});

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, "../../../../packages/testing/src/workers/webhook-sending-process.ts")],
    {
      env: {
        ...process.env,
        WEBHOOK_WORKER: JSON.stringify({ connection: env.running.connection, secret: instanceSecret() }),
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  await once(child.stdout, "data");
  return child;
}
async function stopWorker(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}
