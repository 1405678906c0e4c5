import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { BrowserUser, narrow } from "./support/browser-user.ts";
import { countKeptAnswers, readBrowserStorage } from "./support/browser-storage.ts";

const product = new Product({ ARCADA_DEMO: "accounts" });
const [clinic, colleague] = demoAccounts.accounts;
const patientName = "离线存";
let browser: Browser;
let person: BrowserUser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  person = await BrowserUser.open(browser, product.address, "zh", { serviceWorkers: "allow" });
  await signIn(person, clinic.account, demoAccounts.password);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

const statusLine = () => person.page.getByRole("status").filter({ hasText: /网络已断开/ });
const patientRow = () => person.page.getByRole("main").getByText(patientName).first();

async function createPatient(): Promise<void> {
  await person.goTo("/patientList");
  await person.button("patient.new").first().click();
  const form = person.page.getByRole("dialog", { name: person.t("patient.newTitle") });
  await person.field("patient.field.name", form).fill(patientName);
  await form.getByText(person.t("common.sex.female"), { exact: true }).click();
  await person.field("patient.field.birthDate", form).fill("1991-02-03");
  await person.button("common.save").click();
  await person.page.waitForURL((url) => url.pathname === "/patientDetail/page");
  await person.waitFor(person.page.getByRole("heading", { level: 1, name: patientName }));
}

it("opens what was seen last, says from when it is, and refuses to change anything", async () => {
  const { page, context } = person;
  await createPatient();
  await person.goTo("/patientList");
  await person.waitFor(patientRow());
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await expect.poll(() => countKeptAnswers(page)).toBeGreaterThan(3);
  await page.reload();
  await person.waitFor(patientRow());

  await context.setOffline(true);
  await page.reload();
  await person.waitFor(patientRow());
  expect(await statusLine().innerText()).toMatch(/\d\d:\d\d/);
  await person.takeScreenshots("offline-patients");
  await patientRow().click();
  await person.waitFor(page.getByRole("heading", { level: 1, name: patientName }));
  await person.takeScreenshots("offline-patient");
  await page.getByRole("button", { name: person.t("patient.edit") }).click();
  await person.button("common.save").click();
  await person.waitFor(person.text("common.offlineChange"));
  await page.keyboard.press("Escape");
  await page
    .getByRole("banner")
    .getByRole("button", { name: person.t("notice.title") })
    .hover();
  await person.waitFor(page.getByRole("tooltip"));
  await person.goTo("/dashboard");
  await person.waitFor(person.text("common.state.offlineText"));
  await person.takeScreenshots("offline-nothing-kept");
  await context.setOffline(false);
});

it("keeps nothing readable in the browser", async () => {
  const stored = await readBrowserStorage(person.page);
  expect(stored.text).not.toContain(patientName);
  expect(stored.cachedAddresses.filter((address) => !/^\/(assets\/[^/]+)?$/.test(address))).toEqual([]);
});

it("leaves nothing after the lock, nor after a sign-out", async () => {
  const { page } = person;
  await person.goTo("/patientList");
  await person.waitFor(patientRow());
  await expect.poll(() => countKeptAnswers(page)).toBeGreaterThan(0);
  await page.evaluate(() => localStorage.setItem("arcada.active", "1"));
  await person.waitFor(page.locator('input[type="password"]'));
  await expect.poll(() => countKeptAnswers(page)).toBe(0);
  await person.takeScreenshot("offline-locked-zh-1440");
  await page.locator('input[type="password"]').fill(demoAccounts.password);
  await page.keyboard.press("Enter");
  await expect.poll(() => countKeptAnswers(page)).toBeGreaterThan(0);

  await page.getByRole("button", { name: /林晓/ }).click();
  await page.getByRole("menuitem", { name: person.t("shell.logOut") }).click();
  await page.waitForURL((url) => url.pathname === "/login");
  await expect.poll(() => countKeptAnswers(page)).toBe(0);
  expect((await readBrowserStorage(page)).text).not.toContain(patientName);
});

it("shows another person of the same browser nothing of it", async () => {
  const { page, context } = person;
  await signIn(person, colleague.account, demoAccounts.password);
  await person.waitFor(page.getByRole("heading", { level: 1 }));
  await context.setOffline(true);
  await person.goTo("/patientList");
  await person.waitFor(person.text("common.state.offlineText"));
  expect(await page.getByText(patientName).count()).toBe(0);
  await page.setViewportSize(narrow);
  await context.setOffline(false);
});

/** Opens a browser in which a worker of the version with these files waits for its start. */
async function openWithWaitingWorker(files: readonly string[]): Promise<BrowserUser> {
  const other = await BrowserUser.open(browser, product.address, "en");
  await other.page.addInitScript((known: readonly string[]) => {
    const sent: unknown[] = [];
    const waiting = {
      state: "installed",
      postMessage: (message: object, [port]: MessagePort[] = []) => {
        sent.push(message);
        if ("has" in message) port?.postMessage(known.includes(String(message.has)));
      },
    };
    const registration = Object.assign(new EventTarget(), { waiting, active: { postMessage: () => {} } });
    const container = Object.assign(new EventTarget(), {
      controller: {},
      register: async () => registration,
      ready: Promise.resolve(registration),
    });
    Object.defineProperty(navigator, "serviceWorker", { value: container });
    Object.assign(globalThis, { sentToWorker: sent });
  }, files);
  await signIn(other, clinic.account, demoAccounts.password);
  return other;
}

const readMessages = ({ page }: BrowserUser) =>
  page.evaluate(() => (globalThis as unknown as { sentToWorker: unknown[] }).sentToWorker);

it("offers a reload when a newer version waits, and starts that version", async () => {
  const other = await openWithWaitingWorker([]);
  await other.waitFor(other.text("shell.newVersion"));
  await other.takeScreenshots("new-version");
  await other.button("shell.reload").click();
  expect(await readMessages(other)).toContainEqual({ takeOver: true });
  await other.close();
});

it("lets a worker of the same version take over on the page of a CBCT", async () => {
  const worker = await (await fetch(`${product.address}/service-worker.js`)).text();
  const other = await openWithWaitingWorker([...worker.matchAll(/\/assets\/[\w.-]+/g)].map(([file]) => file));
  await other.goTo("/CT3DWebView?study=none");
  await expect.poll(() => readMessages(other)).toContainEqual({ takeOver: true });
  await other.close();
});
