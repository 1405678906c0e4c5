import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { sessionCalls } from "@arcada/contract/account/session.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { createInstitution, signIn } from "./support/account-steps.ts";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";
import { present } from "@arcada/testing/require-present";

const product = new Product({ ARCADA_DEMO: "accounts" });
const [clinic] = demoAccounts.accounts;
let browser: Browser;
let person: BrowserUser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  person = await BrowserUser.open(browser, product.address);
  await signIn(person, clinic.account, demoAccounts.password);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

const waitForPath = (path: string) => person.page.waitForURL((url) => url.pathname === path);
const dialog = (key: string) => person.page.getByRole("dialog", { name: person.t(key) });

describe("navigation", () => {
  it("renders a page anew by /redirect/{path}, and leaves no trace of it", async () => {
    await person.goTo("/redirect/orderList?turn=mine");
    await waitForPath("/orderList");
    expect(person.page.url()).toContain("turn=mine");
    await person.goTo("/redirect//elsewhere.example/");
    await waitForPath("/404");
    expect(person.page.url()).toContain(product.address);
  });
  it("leads an unknown path to /404 and a forbidden one to /401", async () => {
    await person.goTo("/nowhere");
    await waitForPath("/404");
    await person.goTo("/afterSales");
    await waitForPath("/401");
  });
  it.each([
    "/v1/nothing",
    "/v1/order/nothing",
    "/assets/gone-1234.js",
    "/favicon.ico",
    "/orderList.php",
    "/.well-known/x",
  ])("answers 404 and no page for %s", async (path) => {
    const response = await fetch(product.address + path);
    expect([response.status, response.headers.get("content-type")]).toEqual([404, expect.stringContaining("json")]);
  });
  it.each([
    ["/nowhere", 404],
    ["/orderList/deeper", 404],
    ["/", 200],
    ["/orderList?turn=mine", 200],
    ["/orderList/", 200],
    ["/redirect/orderList", 200],
    ["/service", 200],
    ["/404", 200],
  ])("answers %s by the application, with status %i", async (path, status) => {
    const response = await fetch(product.address + path);
    expect([response.status, response.headers.get("content-type")]).toEqual([status, expect.stringContaining("html")]);
  });
  it("notifies a user without an after-sales role at /service, and goes to /404", async () => {
    await person.goTo("/service");
    await person.waitFor(person.text("common.noPermission"));
    await waitForPath("/404");
  });
  it("changes role at /service for after-sales people who work in a clinic just now, and back in the menu", async () => {
    const service = present(demoAccounts.accounts.find(({ role }) => role === "afterSalesAdmin"));
    const he = await BrowserUser.open(browser, product.address);
    await signIn(he, service.account, demoAccounts.password);
    await he.goTo("/profile/index");
    await createInstitution(he, "何安诊所 He An Clinic");
    await he.goTo("/service");
    await he.waitFor(he.link("shell.screen.afterSales"));
    await he.goTo("/patientList");
    await he.page.waitForURL("**/401");
    await he.goTo("/");
    await he.page.waitForURL("**/today");
    await he.waitFor(he.link("shell.screen.afterSales"));
    await he.page
      .getByRole("button", { name: service.name })
      .or(he.page.getByRole("button", { name: he.t("shell.userMenu", { name: service.name }) }))
      .first()
      .click();
    await he.page.getByRole("menuitem", { name: he.t("common.role.clinicAdmin") }).click();
    await he.waitFor(he.link("shell.screen.patientList"));
    expect(he.consoleProblems).toEqual([]);
    await he.close();
  });
  it("leaves no code in the address, the history, a request or its Referer", async () => {
    const stranger = await BrowserUser.open(browser, product.address);
    const told: string[] = [];
    stranger.page.on("request", (request) => {
      if (!request.isNavigationRequest()) told.push(`${request.url()} ${request.headers()["referer"] ?? ""}`);
    });
    await stranger.goTo("/patientDetail/page?token=planted-code&id=7");
    await stranger.page.waitForURL((url) => url.pathname === "/login");
    expect(stranger.page.url()).not.toContain("planted-code");
    await stranger.waitFor(stranger.field("account.account"));
    await stranger.page.goBack();
    expect(stranger.page.url()).not.toContain("planted-code");
    expect(told.filter((line) => line.includes("planted-code"))).toEqual([]);
    expect(await stranger.page.evaluate(() => document.referrer)).not.toContain("planted-code");
    await stranger.close();
  });
  it("reloads the page if another user has signed in since", async () => {
    await person.goTo("/patientList");
    await person.waitFor(person.page.getByRole("heading", { level: 1 }));
    await person.context.addCookies([{ name: "userId", value: "somebody-else", url: product.address }]);
    const loaded = person.page.waitForEvent("load");
    await person.page
      .getByRole("link", { name: person.t("shell.screen.orderList") })
      .first()
      .click();
    await loaded;
    const userId = async () => (await person.context.cookies()).find(({ name }) => name === "userId")?.value;
    await expect.poll(userId).not.toBe("somebody-else");
  });
});

describe("the search", () => {
  it("opens a patient by one sequence of keys: Ctrl+K, a text and Enter, however fast it is typed", async () => {
    const { token } = await product.call(signInCalls.login, {
      account: clinic.account,
      password: demoAccounts.password,
    });
    const { id } = await product.call(
      patientCalls.create,
      { name: "欧阳静", sex: "female", age: 41, phone: "13955550142" },
      { token },
    );
    const openOrders = async () => {
      await person.goTo("/orderList");
      await person.waitFor(person.page.getByRole("heading", { level: 1 }));
    };
    const isOpened = (url: URL) => url.pathname === "/patientDetail/page" && url.searchParams.get("id") === id;
    for (const text of ["欧阳静", "oyj", "0142"]) {
      await openOrders();
      await person.page.keyboard.press("Control+k");
      await person.waitFor(person.page.getByRole("combobox", { name: person.t("shell.search.title") }));
      await person.page.keyboard.insertText(text);
      await person.page.keyboard.press("Enter");
      await person.page.waitForURL(isOpened);
      await person.waitFor(person.page.getByRole("heading", { name: "欧阳静" }));
    }
    await openOrders();
    // Before anything is typed, the search offers what was opened last.
    await person.page.keyboard.press("Control+k");
    await person.waitFor(person.page.getByRole("option", { name: /欧阳静/ }));
    await person.takeScreenshots("frame-search-opened");
    await person.page.setViewportSize(wide);
    await person.page.keyboard.press("Enter");
    await person.page.waitForURL(isOpened);
  });
});

describe("an idle session", () => {
  it("locks every tab after the time-out and a minute's warning, and its user continues where they were", async () => {
    const { page } = person;
    await page.clock.install();
    await person.goTo("/patientList");
    const other = await person.context.newPage();
    await other.goto(`${product.address}/orderList`);
    await other.getByRole("heading", { level: 1 }).waitFor();
    await person.button("patient.new").first().click();
    const form = dialog("patient.newTitle");
    await person.field("patient.field.name", form).fill("未存");
    await page.clock.fastForward("30:01");
    const warning = page.getByRole("dialog", { name: person.t("shell.idle.title") });
    await person.waitFor(warning);
    await person.takeScreenshot("frame-idle-zh-1440");
    await page.mouse.move(200, 200);
    await warning.waitFor({ state: "detached" });
    await page.clock.fastForward("31:05");
    const lock = page.getByRole("dialog", { name: person.t("shell.lock.title") });
    await person.waitFor(lock);
    await other.getByRole("dialog", { name: person.t("shell.lock.title") }).waitFor();
    expect(await page.getByRole("heading", { name: person.t("shell.screen.patientList") }).count()).toBe(0);
    expect(await form.isVisible()).toBe(false);
    expect(await page.title()).toBe("Arcada");
    await page.keyboard.press("Escape");
    await person.takeScreenshots("frame-lock");
    await person.page.setViewportSize(wide);
    await other.reload();
    await other.getByRole("dialog", { name: person.t("shell.lock.title") }).waitFor();
    expect(await other.getByRole("heading", { name: person.t("shell.screen.orderList") }).count()).toBe(0);

    // Removing the lock screen with the browser's tools does not help: the server has locked the session itself.
    const refused = await other.evaluate(async () => {
      localStorage.removeItem("arcada.locked");
      const token = /(?:^|; )Admin-Token=([^;]+)/.exec(document.cookie)?.[1] ?? "";
      return (await fetch("/v1/user/sessions", { headers: { token: decodeURIComponent(token) } })).json() as unknown;
    });
    expect(refused).toMatchObject({ code: refusals.sessionLocked.code, data: null });
    await other.reload();
    await other.getByRole("dialog", { name: person.t("shell.lock.title") }).waitFor();
    await person.waitFor(lock);

    await lock.locator("input[name=password]").fill("not-the-password");
    await lock.getByRole("button", { name: person.t("account.signIn"), exact: true }).click();
    await person.waitFor(lock.getByText(person.t("common.field.wrongPassword")));
    await lock.locator("input[name=password]").fill(demoAccounts.password);
    await lock.getByRole("button", { name: person.t("account.signIn"), exact: true }).click();
    await lock.waitFor({ state: "detached" });
    expect(await person.field("patient.field.name", form).inputValue()).toBe("未存");
    await other.getByRole("heading", { name: person.t("shell.screen.orderList") }).waitFor();
    await other.close();
    const { token } = await product.call(signInCalls.login, {
      account: clinic.account,
      password: demoAccounts.password,
    });
    const open = await product.call(sessionCalls.sessions, {}, { token });
    expect(open.filter(({ kind }) => kind === "browser")).toHaveLength(1);
  });
});

it("causes no console errors except for the wrong password", () =>
  expect(person.consoleProblems.filter((line) => !/status of 40[14]/.test(line))).toEqual([]));

describe("help in place", () => {
  it("opens by keyboard with a sentence, and its link leads to the page of the guide", async () => {
    const { page } = person;
    await person.goTo("/patientList");
    await person.waitFor(page.getByRole("heading", { level: 1 }));
    // Nobody who does not ask sees it.
    expect(await page.getByText(person.t("help.screen.patientList")).count()).toBe(0);
    await person.button("shell.help").focus();
    await page.keyboard.press("Enter");
    await person.waitFor(person.text("help.screen.patientList"));
    const link = person.link("help.readMore", { page: "添加患者" });
    await expect.poll(() => link.evaluate((one) => one === document.activeElement)).toBe(true);
    const [guide] = await Promise.all([person.context.waitForEvent("page"), page.keyboard.press("Enter")]);
    await guide.getByRole("heading", { level: 1, name: "添加患者" }).waitFor();
    await guide.close();
    await page.keyboard.press("Escape");
    await expect.poll(() => person.button("shell.help").evaluate((one) => one === document.activeElement)).toBe(true);
  });
  it("is found by the search, by pinyin as well", async () => {
    await person.page.keyboard.press("Control+k");
    await person.page.getByRole("combobox", { name: person.t("shell.search.title") }).fill("ghzz");
    await person.page.getByRole("option", { name: /规划种植/ }).click();
    await waitForPath("/help");
    await person.waitFor(person.page.getByRole("heading", { level: 1, name: "规划种植" }));
  });
  it("is readable without signing in, in both languages, and searched by words of its text", async () => {
    const stranger = await BrowserUser.open(browser, product.address, "en", { viewport: narrow });
    await stranger.goTo("/help?page=read-a-cbct");
    await stranger.waitFor(stranger.page.getByRole("heading", { level: 1, name: "Read a CBCT and measure" }));
    await expect
      .poll(() =>
        stranger.page
          .locator("article img")
          .first()
          .evaluate((one: HTMLImageElement) => one.naturalWidth),
      )
      .toBeGreaterThan(0);
    expect(await stranger.findSidewaysScroll()).toEqual([]);
    await stranger.page.getByRole("searchbox", { name: stranger.t("help.search") }).fill("nerve canal");
    await stranger.page.getByRole("main").getByRole("link", { name: "Plan an implant" }).click();
    await stranger.waitFor(stranger.page.getByRole("heading", { level: 1, name: "Plan an implant" }));
    await stranger.button("common.languages.zh").click();
    await stranger.waitFor(stranger.page.getByRole("heading", { level: 1, name: "规划种植" }));
    expect(stranger.consoleProblems).toEqual([]);
    await stranger.close();
  });
});
