import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patientCalls } from "@arcada/contract/patient/patient.calls";
import { loginPageCalls } from "@arcada/contract/account/login-page.calls";
import { demoAccounts } from "../../apps/server/src/domain/demo-accounts.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";

const product = new Product({
  ARCADA_DEMO: "accounts",
  COMPANY_SITE: "https://company.example/",
  HOTLINE: "400 000 0000",
  RECRUITMENT_TEXT: "诚聘口腔影像工程师",
});
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
const openTheme = async () => {
  await person.viewMenu().click();
  await person.menuItem("shell.skin").click();
};
const dialog = (key: string) => person.page.getByRole("dialog", { name: person.t(key) });

describe("the search", () => {
  const search = () => person.page.getByRole("combobox", { name: person.t("shell.search.title") });
  const option = (name: string | RegExp) => person.page.getByRole("option", { name });
  it("finds a page by the initials of its pinyin, and not when the switch is off", async () => {
    await person.goTo("/patientList");
    await person.waitFor(person.page.getByRole("heading", { level: 1 }));
    await person.page.keyboard.press("Control+k");
    await search().fill("cygl");
    await person.waitFor(option(/成员管理/));
    await person.takeScreenshot("frame-search-zh-1440");
    await person.page.keyboard.press("Enter");
    await waitForPath("/member/page");
    await openTheme();
    await dialog("shell.settings")
      .getByRole("switch", { name: person.t("shell.pinyin") })
      .click();
    await person.page.keyboard.press("Escape");
    await dialog("shell.settings").waitFor({ state: "detached" });
    await person.button("shell.search.title").click();
    await search().fill("cygl");
    await person.waitFor(person.text("shell.search.nothing", { text: "cygl" }));
    await person.page.keyboard.press("Escape");
  });
  it("takes an action: the form of a new patient opens from another page, and going back does not open it again", async () => {
    await person.goTo("/orderList");
    await person.waitFor(person.page.getByRole("heading", { level: 1 }));
    await person.page.keyboard.press("Control+k");
    await search().fill(person.t("shell.search.newPatient"));
    await person.waitFor(option(person.t("shell.search.newPatient")));
    await person.page.keyboard.press("Enter");
    await person.waitFor(dialog("patient.newTitle"));
    await person.page.keyboard.press("Escape");
    expect(new URL(person.page.url()).search).toBe("");
  });
});

describe("the bar of visited pages", () => {
  it("is worked by keyboard: its menu refreshes and closes, the start page stays", async () => {
    const { page } = person;
    const tags = page.getByRole("navigation", { name: person.t("shell.tags") });
    const tag = (key: string) => tags.getByRole("link", { name: person.t(key), exact: true });
    for (const path of ["/orderList", "/relationWeb/page", "/member/page"]) {
      await person.goTo(path);
      await person.waitFor(tags.getByRole("link", { name: person.t("shell.screen.today") }));
    }
    const close = await tags.getByRole("button").last().boundingBox();
    expect(Math.min(close?.width ?? 0, close?.height ?? 0)).toBeGreaterThanOrEqual(24);
    await tag("shell.screen.member").focus();
    await page.keyboard.press("Shift+F10");
    const menu = page.getByRole("menu", {
      name: person.t("shell.tag.menu", { title: person.t("shell.screen.member") }),
    });
    await person.waitFor(menu);
    expect((await menu.boundingBox())?.width).toBe(105);
    expect(await menu.getByRole("menuitem").allInnerTexts()).toEqual(
      ["refresh", "close", "closeOthers", "closeAll"].map((key) => person.t(`shell.tag.${key}`)),
    );
    await menu.getByRole("menuitem", { name: person.t("shell.tag.close"), exact: true }).click();
    await waitForPath("/relationWeb/page");
    await tag("shell.screen.today").click({ button: "right" });
    const pinned = page.getByRole("menu", {
      name: person.t("shell.tag.menu", { title: person.t("shell.screen.today") }),
    });
    await person.waitFor(pinned);
    expect(await pinned.getByRole("menuitem", { name: person.t("shell.tag.close"), exact: true }).count()).toBe(0);
    await pinned.getByRole("menuitem", { name: person.t("shell.tag.closeAll") }).click();
    await waitForPath("/today");
    await expect.poll(() => tags.getByRole("listitem").count()).toBe(1);
  });
  it("calls a patient's page by the patient's name after a reload elsewhere, and keeps no name in the browser", async () => {
    const { page } = person;
    const tag = page
      .getByRole("navigation", { name: person.t("shell.tags") })
      .getByRole("link", { name: "重载", exact: true });
    await person.goTo("/patientList");
    await person.button("patient.new").first().click();
    const form = dialog("patient.newTitle");
    await person.field("patient.field.name", form).fill("重载");
    await form.getByText(person.t("common.sex.female"), { exact: true }).click();
    await person.field("patient.field.birthDate", form).fill("1991-02-03");
    await person.button("common.save").click();
    await waitForPath("/patientDetail/page");
    await person.waitFor(tag);
    await person.goTo("/member/page");
    await person.waitFor(tag);
    await person.takeScreenshot("frame-tags-reloaded-zh-1440");
    const kept = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(await kept()).not.toContain("重载");
  });
});

it("a row of a table is one stop of the Tab key", async () => {
  await person.goTo("/patientList");
  const rows = person.page.getByRole("main").locator("tbody tr");
  await person.waitFor(rows);
  const stops = await rows.evaluateAll((all) =>
    all.map((row) => [row, ...row.querySelectorAll("*")].filter((part) => (part as HTMLElement).tabIndex >= 0).length),
  );
  expect(new Set(stops)).toEqual(new Set([1]));
});

describe("the application shell", () => {
  it("changes its colour, theme and text size, and keeps them", async () => {
    const { page } = person;
    const colour = () =>
      page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue("--mantine-primary-color-filled"),
      );
    const text = () => page.evaluate(() => getComputedStyle(document.body).fontSize);
    const [first, usual] = [await colour(), await text()];
    await openTheme();
    const drawer = dialog("shell.settings");
    await person.waitFor(drawer.getByText("诚聘口腔影像工程师"));
    const { version } = await product.call(loginPageCalls.welcome, {});
    await person.waitFor(drawer.getByText(person.t("shell.version", { version })));
    expect(await drawer.getByRole("button", { name: /#/ }).count()).toBe(8);
    await drawer.getByRole("button", { name: person.t("shell.colour", { colour: "#11a983" }) }).click();
    await expect.poll(colour).not.toBe(first);
    await drawer.getByText(person.t("shell.sizes.large"), { exact: true }).click();
    await drawer.getByRole("button", { name: person.t("shell.dark"), exact: true }).click();
    await person.takeScreenshot("frame-drawer-zh-1440");
    await page.reload();
    await person.waitFor(page.getByRole("heading", { level: 1 }));
    expect(Number.parseFloat(await text())).toBeGreaterThan(Number.parseFloat(usual));
    expect(await page.evaluate(() => document.documentElement.dataset["mantineColorScheme"])).toBe("dark");
    await person.viewMenu().click();
    await page.getByRole("menuitemradio", { name: person.t("shell.sizes.medium") }).click();
    await expect.poll(text).toBe(usual);
    await person.context.clearCookies({ name: "look" });
    await page.reload();
  });
  it("shows a message if the browser does not support full screen", async () => {
    await person.waitFor(person.page.getByRole("heading", { level: 1 }));
    await person.page.evaluate(() => Object.defineProperty(document, "fullscreenEnabled", { value: false }));
    await person.viewMenu().click();
    await person.menuItem("shell.fullScreen").click();
    await person.waitFor(person.text("shell.fullScreenFails"));
  });
  it("shows the speed of the connection, and 0 when the probe fails", async () => {
    await person.viewMenu().click();
    const entry = person.page.getByRole("menuitem", { name: /Mbps/ });
    // The measured speed depends on the load of the machine.
    await expect.poll(() => entry.getAttribute("data-strength"), { timeout: 20_000 }).toMatch(/weak|medium|strong/);
    await person.page.route("**/v1/base/speedProbe", (route) => route.fulfill({ status: 204, body: "" }));
    await entry.click();
    await expect.poll(() => entry.getAttribute("data-strength")).toBe("weak");
    expect(await entry.innerText()).toContain(person.t("shell.speed.mbps", { mbps: "0.0" }));
    await person.takeScreenshot("frame-view-menu-zh-1440");
    await person.page.keyboard.press("Escape");
    await person.page.unroute("**/v1/base/speedProbe");
  });
  it("shows the total capacity and how to expand it", async () => {
    await person.page.getByRole("button", { name: new RegExp(person.t("shell.capacity.total")) }).click();
    await person.waitFor(person.page.getByText(/400 000 0000/));
    await person.button("common.close").last().click();
    expect(await person.link("shell.website").getAttribute("href")).toBe("https://company.example/");
  });
  it("lists the errors of the page, and sends them when the user chooses to", async () => {
    const { page } = person;
    expect(await page.getByRole("button", { name: /个错误/ }).count()).toBe(0);
    await page.evaluate(() => {
      setTimeout(() => {
        throw new TypeError("planted trouble");
      });
    });
    await page.getByRole("button", { name: person.t("shell.errors.count", { count: 1 }) }).click();
    await page.getByRole("button", { name: person.t("shell.errors.detail") }).click();
    await person.waitFor(page.locator("pre", { hasText: "planted trouble" }));
    await person.takeScreenshot("frame-errors-zh-1440");
    const sent = page.waitForResponse((answer) => answer.url().endsWith("/v1/base/reportErrors"));
    await person.button("shell.errors.send").click();
    expect((await sent).status()).toBe(200);
    await person.waitFor(person.text("shell.errors.sent"));
    await expect.poll(() => page.getByRole("button", { name: /个错误/ }).count()).toBe(0);
  });
  it("lists its shortcuts at the question mark, but not while the user types one into a field", async () => {
    const { page } = person;
    await page.keyboard.press("?");
    await person.waitFor(dialog("shell.keys.title"));
    await person.takeScreenshot("frame-keys-zh-1440");
    await page.keyboard.press("Escape");
    await dialog("shell.keys.title").waitFor({ state: "detached" });
    await page.getByRole("searchbox").first().focus();
    await page.keyboard.press("?");
    expect(await dialog("shell.keys.title").count()).toBe(0);
  });
  it("copies an icon on a click, and shows a message if that fails", async () => {
    const { page } = person;
    await person.goTo("/icon/index");
    await person.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const tooth = person.button("shell.icons.copy", { name: person.t("shell.icons.tooth", { number: "16" }) });
    await tooth.click();
    await person.waitFor(person.text("common.copied"));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^<svg [^>]*viewBox="0 0 24 24"/);
    await page.evaluate(() => {
      Object.defineProperty(navigator.clipboard, "writeText", { value: () => Promise.reject(new Error("denied")) });
      // The old way, too.
      Object.defineProperty(document, "execCommand", { value: () => false });
    });
    await tooth.click();
    await person.waitFor(person.text("common.copyFailed"));
    await page.getByRole("searchbox").fill("users");
    await expect.poll(() => page.getByRole("main").getByRole("listitem").count(), { timeout: 20_000 }).toBeLessThan(6);
  });
});

describe("a form", () => {
  const form = () => dialog("patient.newTitle");
  const opens = async () => {
    await person.goTo("/patientList");
    await person.button("patient.new").first().click();
    await person.waitFor(form());
  };
  it("keeps its input after a reload until the user starts over", async () => {
    await opens();
    await person.field("patient.field.name", form()).fill("周转");
    await person.page.reload();
    await person.button("patient.new").first().click();
    await person.waitFor(person.text("common.draftFound"));
    expect(await person.field("patient.field.name", form()).inputValue()).toBe("周转");
    await person.button("common.startOver").click();
    expect(await person.field("patient.field.name", form()).inputValue()).toBe("");
  });
  it("sends once however often its button is clicked", async () => {
    await opens();
    await person.field("patient.field.name", form()).fill("双击");
    await form().getByText(person.t("common.sex.male"), { exact: true }).click();
    await person.field("patient.field.birthDate", form()).fill("1991-02-03");
    let asked = 0;
    person.page.on("request", (request) => {
      if (request.url().endsWith(patientCalls.create.path)) asked++;
    });
    await person.button("common.save").dblclick();
    await form().waitFor({ state: "detached" });
    expect(asked).toBe(1);
  });
});

it("works in English on a phone", async () => {
  const small = await BrowserUser.open(browser, product.address, "en");
  await signIn(small, clinic.account, demoAccounts.password);
  await small.page.setViewportSize(narrow);
  await small.button("shell.search.title").click();
  await small.page.getByRole("combobox", { name: small.t("shell.search.title") }).fill("icns");
  await small.takeScreenshot("frame-search-en-390");
  await small.page.keyboard.press("Enter");
  await small.page.waitForURL((url) => url.pathname === "/icon/index");
  expect(await small.findSidewaysScroll()).toEqual([]);
  const title = small.page.getByRole("heading", { level: 1 });
  await expect
    .poll(async () => (await title.boundingBox())?.y ?? Infinity, { message: "bars before the content" })
    .toBeLessThanOrEqual(120);
  await small.takeScreenshot("frame-icons-en-390");
  await small.page.getByRole("button", { name: small.t("shell.openSidebar") }).click();
  await small.waitFor(small.link("shell.website"));
  await small.takeScreenshot("frame-sidebar-en-390");
  await small.page.getByRole("button", { name: small.t("shell.closeSidebar") }).click();
  await small.page.keyboard.press("?");
  await small.waitFor(small.page.getByRole("dialog", { name: small.t("shell.keys.title") }));
  await small.takeScreenshot("frame-keys-en-390");
  await small.page.keyboard.press("Escape");
  await small.page.setViewportSize(wide);
  await small.page.getByRole("button", { name: /Lin Xiao/ }).click();
  await small.page.getByRole("menuitem", { name: small.t("shell.logOut") }).click();
  await small.page.waitForURL((url) => url.pathname === "/login");
  expect(small.consoleProblems).toEqual([]);
  await small.close();
});

it("causes no console errors except for the one that a test throws", () => {
  expect(person.consoleProblems.filter((line) => !line.includes("planted trouble"))).toEqual([]);
});

describe("the page itself", () => {
  it("preloads the scripts of its screen for signed-in users only", async () => {
    const scriptsOf = async (headers: Record<string, string>) => {
      const html = await (await fetch(`${product.address}/patientList`, { headers })).text();
      return [...html.matchAll(/rel="modulepreload"[^>]*href="([^"]+patient-list[^"]*)"/g)].map(([, href]) => href);
    };
    expect(await scriptsOf({})).toEqual([]);
    const named = await scriptsOf({ cookie: "Admin-Token=anything" });
    expect(named).not.toEqual([]);
    for (const href of named) expect((await fetch(product.address + href)).status, href).toBe(200);
  });

  it("names the first paint of a CBCT with its imports, and starts the app after it, for signed-in users only", async () => {
    const fetchPage = async (headers: Record<string, string>) =>
      (await fetch(`${product.address}/CT3DWebView?study=any`, { headers })).text();
    const starts = (html: string) =>
      [...html.matchAll(/<script[^>]*src="\/assets\/([a-z-]+)-[^"]+"/g)].map(([, name]) => name);
    expect(starts(await fetchPage({}))).toEqual(["index"]);
    const html = await fetchPage({ cookie: "Admin-Token=anything" });
    expect(starts(html)).toEqual(["first-look", "start-app"]);
    expect(html).toMatch(/<link rel="modulepreload" crossorigin href="\/assets\/index-/);
    expect(html).toMatch(
      /<script type="module" crossorigin data-app="\/assets\/index-[^"]+" src="\/assets\/start-app-/,
    );
    expect(html).toMatch(/<link rel="modulepreload" fetchpriority="high" crossorigin href="\/assets\/first-/);
  });
});
