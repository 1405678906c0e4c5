import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setupCalls } from "@arcada/contract/account/setup.calls";
import type { Call, Input, Output } from "@arcada/contract/kernel/call";
import type { Envelope } from "@arcada/contract/kernel/refusals";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { orderCalls } from "@arcada/contract/order/order.calls";
import {
  completeOrder,
  createCase,
  createJourneyWorld,
  signIn,
  takeMainJourney,
} from "@arcada/testing/fixtures/main-journey";
import type { JourneyWorld } from "@arcada/testing/fixtures/main-journey";
import { isProxyInstalled, readAnswer, startProxy } from "@arcada/testing/peers/nginx-caddy-proxy";
import type { ProxyServer } from "@arcada/testing/peers/nginx-caddy-proxy";
import { freePort, Product } from "@arcada/testing/setup/product-process";
import { run } from "./support/backup-commands.ts";

/*
 * One installation from its first start to its second machine, in the order of docs/operator/first-day.md. With
 * ARCADA_IMAGE the same runs against a container image.
 */
const isMissing = !isProxyInstalled("nginx");
if (isMissing) console.info("The proof of an installation is skipped: nginx is not installed");

describe.skipIf(isMissing)("T-40: an installation behind nginx with TLS", { timeout: 180_000 }, () => {
  const place = mkdtempSync(path.join(tmpdir(), "arcada-installation-"));
  const backups = path.join(place, "backups");
  const keyFile = path.join(place, "backup.key");
  const withKey = ["--key-file", keyFile];
  const settings: Record<string, string> = { TRUST_PROXY: "on", SECRET_KEY: randomBytes(32).toString("base64") };
  let product: Product;
  let second: Product | undefined;
  let proxy: ProxyServer;
  let operator: string;
  let world: JourneyWorld;

  beforeAll(async () => {
    writeFileSync(keyFile, randomBytes(32).toString("base64"));
    const ports = { http: await freePort(), https: await freePort(), server: await freePort() };
    settings["PUBLIC_URL"] = `https://localhost:${ports.https}`;
    product = new Product({ ...settings, BACKUP_DIR: backups, BACKUP_KEY_FILE: keyFile }, path.join(place, "data"));
    product.port = ports.server;
    await product.start();
    proxy = await startProxy("nginx", ports);
  }, 120_000);
  afterAll(async () => {
    await proxy?.stop();
    await second?.stop();
    await product?.remove();
    rmSync(place, { recursive: true, force: true });
  });

  /** Calls through the proxy, as a browser does. */
  async function ask<C extends Call>(call: C, input: Input<C>, token?: string): Promise<Envelope<Output<C>>> {
    const headers = { "content-type": "application/json", ...(token !== undefined && { token }) };
    const { request, answer } = proxy.open(call.method, call.path, headers);
    request.end(call.method === "POST" ? JSON.stringify(input) : undefined);
    return JSON.parse((await readAnswer(await answer)).text) as Envelope<Output<C>>;
  }

  it("prints a link with its public address, whose first visitor becomes the operator", async () => {
    const [, base, link = ""] = /(https:\S+)\/setup#(\S+)/.exec(product.output) ?? [];
    expect(base).toBe(settings["PUBLIC_URL"]);
    const password = "a-long-password-9";
    const account = { email: "ada@installation.test", name: "Ada", password, confirm: password };
    const { data } = await ask(setupCalls.finishSetup, { link, ...account });
    operator = data.token ?? "";
    const late = await ask(setupCalls.finishSetup, { link, ...account, email: "eve@installation.test" });
    expect(late.code).not.toBe(200);
  });

  it("sends the operator a test email, and lacks only what a first day cannot have", async () => {
    const { data: sent } = await ask(operatorCalls.sendTestMail, {}, operator);
    expect(sent.state).toBe("sent");
    expect(product.listMessages().map(({ to }) => to)).toContain("ada@installation.test");
    const { data } = await ask(operatorCalls.installation, {}, operator);
    const missing = data.checks.filter(({ state }) => state === "missing").map(({ name }) => name);
    expect(missing.filter((name) => name !== "backup")).toEqual([]);
  });

  it("carries an order of a clinic to its completion at a laboratory", async () => {
    world = await createJourneyWorld(product);
    await takeMainJourney(product, world);
    await completeOrder(product, world, world.case);
    const token = await signIn(product, world.clinic);
    const order = await product.call(orderCalls.detail, { id: world.case.orderId }, { token });
    expect(order.state).toBe("completed");
  });

  it("has a verified backup that becomes a second instance with the same order", async () => {
    const more = settings;
    const made = run(product.folder, ["backup", "create", backups, ...withKey], more);
    expect(made.text).toContain("is complete");
    const verified = run(path.join(place, "none"), ["backup", "verify", backups, ...withKey], more);
    expect(verified.text).toContain("The backup is intact.");
    const { data } = await ask(operatorCalls.installation, {}, operator);
    expect(data.checks.find(({ name }) => name === "backup")?.state).toBe("done");
    const target = path.join(place, "second");
    expect(run(target, ["backup", "restore", backups, ...withKey], more).text).toContain("The backup is restored");
    second = new Product({ SECRET_KEY: settings["SECRET_KEY"] ?? "" }, target);
    await second.start();
    const token = await signIn(second, world.lab);
    const order = await second.call(orderCalls.detail, { id: world.case.orderId }, { token });
    expect(order.state).toBe("completed");
    await takeMainJourney(second, { ...world, case: await createCase(second, world.clinic, world.lab) });
  });
});
