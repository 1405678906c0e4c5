import type { Browser } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./support/account-steps.ts";
import { captureFailures, findAxeViolations } from "./support/page-checks.ts";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";

const product = new Product({
  ANNOUNCEMENT: "周六 22:00 维护 · Maintenance on Saturday at 22:00",
  HOTLINE: "021 5550 100",
  SERVICE_HOURS: "8:30-18:00",
});
const account = "person@profile.test";
let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  const token = await product.register(account, "clinicManager");
  await product.call(institutionCalls.create, { name: "晨光口腔", type: "clinic", country: "CN" }, { token });
});
captureFailures("profile", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

const cookie = async (person: BrowserUser, name: string) =>
  (await person.context.cookies()).find((one) => one.name === name)?.value;
const waitForSavedSettings = async (person: BrowserUser) => {
  await person.goTo("/profile/index?part=settings");
  await person.waitFor(person.page.getByRole("heading", { name: person.t("account.contacts") }));
};

it("no cookie is written before the choice about cookies, and a refusal persists over a reload until the user chooses again", async () => {
  const person = await BrowserUser.open(browser, product.address);
  const account = person.page.locator("input[name=account]");
  const names = async () => (await person.context.cookies()).map(({ name }) => name);
  await person.goTo("/login");
  const before = await names();
  await person.waitFor(person.text("account.cookiesFirst"));
  expect(await account.isDisabled()).toBe(true);
  await person.button("account.cookiesRefuse").click();
  for (const path of ["/login", "/register", "/forgot"]) {
    await person.goTo(path);
    await person.waitFor(person.text("account.cookiesRefused"));
    expect(await account.isDisabled(), path).toBe(true);
    expect(await names(), path).toEqual(before);
  }
  await person.button("account.cookiesAccept").click();
  await expect.poll(() => account.isEnabled()).toBe(true);
  expect(await names()).toContain("cookieConsent");
  await person.close();
});

it("appearance settings are stored only for a user who agreed to that", async () => {
  for (const wanted of [false, true]) {
    const person = await BrowserUser.open(browser, product.address);
    await person.goTo("/login");
    await person.waitFor(person.page.getByText("Maintenance on Saturday"));
    await person.waitFor(person.page.getByText("8:30\u2060–\u206018:00"));
    await person.takeScreenshots("door-consent", { alsoIn: wanted ? ["en"] : [] });
    await person.button("account.cookiesChoose").click();
    const necessary = person.page.getByRole("switch", { name: person.t("account.cookiesNecessary") });
    expect([await necessary.isChecked(), await necessary.isDisabled()]).toEqual([true, true]);
    const preferences = person.page.getByRole("switch", { name: person.t("account.cookiesPreferences") });
    expect(await preferences.isChecked()).toBe(false);
    if (wanted) await preferences.check({ force: true });
    await person.takeScreenshots("door-consent-settings");
    await person.button("account.cookiesSave").click();
    await person.page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await cookie(person, "cookieConsent")).toBe(wanted ? "all" : "necessary");
    await signIn(person, account);
    await waitForSavedSettings(person);
    await person.page.setViewportSize(wide);
    await person.page.getByRole("button", { name: person.t("shell.closeSidebar") }).click();
    expect((await cookie(person, "look")) !== undefined, `look kept: ${wanted}`).toBe(wanted);
    await person.close();
  }
});

it("anyone can read the terms and the policy, signed in or not", async () => {
  const person = await BrowserUser.open(browser, product.address);
  for (const kind of ["terms", "privacy"] as const) {
    await person.goTo(`/${kind}`);
    for (const language of person.language === "zh" ? (["zh", "en"] as const) : (["en", "zh"] as const)) {
      await person.switchLanguage(language);
      await expect.poll(() => person.page.locator("h2").count(), { timeout: 20_000 }).toBe(10);
      await person.waitFor(person.page.getByText(person.t(`legal.${kind}.changes.title`)));
      for (const size of [narrow, wide]) {
        await person.page.setViewportSize(size);
        expect(await person.findSidewaysScroll()).toEqual([]);
        await person.takeScreenshot(`${kind}-${language}-${size.width}`);
      }
    }
  }
  expect(person.consoleProblems).toEqual([]);
  await person.close();
});

it("an account of an organisation is blocked until its country is given, and then the page reloads", async () => {
  const person = await BrowserUser.open(browser, product.address);
  await signIn(person, account);
  let status = 2;
  await person.page.route("**/v1/user/getUserInfo", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: object };
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, initStatus: status } } });
  });
  await person.page.route("**/v1/user/initStudyInfo", (route) => {
    status = 0;
    return route.fulfill({ json: { code: 200, msg: "", data: null } });
  });
  await person.goTo("/profile/index?part=settings");
  await person.waitFor(person.text("account.completion.tipOrganisation"));
  await person.page.keyboard.press("Escape");
  const country = person.page.getByRole("dialog").getByRole("combobox");
  await expect.poll(() => country.inputValue()).toBe("中国 · China");
  await country.fill("Germ");
  await person.takeScreenshots("completion-form");
  await person.page.getByRole("option", { name: "Deutschland · Germany" }).click();
  const loaded = person.page.waitForEvent("load");
  await person.button("account.completion.submit").click();
  await loaded;
  await person.waitFor(person.page.getByRole("heading", { name: person.t("account.contacts") }));
  expect(await person.page.getByRole("dialog").count()).toBe(0);
  await person.close();
});

it("a user sets an avatar, binds a phone, changes the email address and removes the phone again", async () => {
  const person = await BrowserUser.open(browser, product.address);
  await signIn(person, account);
  await waitForSavedSettings(person);
  const png = await sharp({ create: { width: 300, height: 200, channels: 3, background: "#2a7" } })
    .png()
    .toBuffer();
  await person.page.locator("input[type=file]").setInputFiles({ name: "face.png", mimeType: "image/png", buffer: png });
  const faces = person.page.locator('img[src^="/files/converted/"]');
  await expect.poll(() => faces.count(), { timeout: 20_000 }).toBe(2);
  await expect.poll(() => faces.first().evaluate((face) => (face as HTMLImageElement).naturalWidth)).toBe(256);
  await person.takeScreenshots("profile", { alsoIn: ["en"] });
  await person.page.setViewportSize(wide);

  const dialog = person.page.getByRole("dialog");
  const codeIn = async (to: string) => {
    const button = dialog.getByRole("button", { name: person.t("account.getCode") });
    for (let isSent = false; !isSent;) {
      const answer = person.page.waitForResponse("**/v1/base/sendCaptchaCode", { timeout: 90_000 });
      // A minute after the code of the registration, if it has to be.
      await button.click({ timeout: 70_000 });
      isSent = (await answer).ok();
    }
    await dialog.locator("input[name=code]").fill(product.findSentCode(to));
  };
  const contact = (kind: string) => ({ contact: person.t(`account.${kind}`) });
  await person.button("account.bindOf", contact("phone")).click();
  await dialog.getByRole("button", { name: person.t("account.bind"), exact: true }).click();
  await person.waitFor(person.text("common.field.phoneShape"));
  await dialog.locator("input[name=account]").fill("nobody@profile.test");
  await dialog.getByRole("button", { name: person.t("account.bind"), exact: true }).click();
  await person.waitFor(person.text("common.field.phoneShape"));
  await dialog.locator("input[name=account]").fill("13912345678");
  await codeIn("13912345678");
  await person.takeScreenshots("bind-phone");
  // As the server answers who signed in a while ago.
  const { code, status } = refusals.proofNeeded;
  const late = { code, msg: "proofNeeded", data: null };
  expect(status).toBe(401);
  // A route that ends itself would stop watching requests while the next dialog is being fetched, which can then hang.
  let isLate = true;
  await person.page.route("**/v1/user/setContactInfo", (route) => {
    if (!isLate) return route.continue();
    isLate = false;
    return route.fulfill({ json: late });
  });
  await dialog.getByRole("button", { name: person.t("account.bind"), exact: true }).click();
  const proof = person.page.getByRole("dialog", { name: person.t("factor.proofTitle") });
  await person.waitFor(proof);
  await person.takeScreenshots("bind-proof", { alsoIn: [] });
  await proof.locator("input[name=password]").fill(goodPassword);
  await proof.getByRole("button", { name: person.t("common.confirm") }).click();
  await person.waitFor(person.text("account.bound"));
  await person.waitFor(person.page.getByText("+86 13912345678"));

  await person.button("account.changeOf", contact("email")).click();
  await person.takeScreenshots("change-email");
  await person.page.setViewportSize(wide);
  await codeIn(account);
  await dialog.getByRole("button", { name: person.t("common.next") }).click();
  await dialog.locator("input[name=account]").fill("fresh@profile.test");
  await codeIn("fresh@profile.test");
  await dialog.getByRole("button", { name: person.t("account.bind"), exact: true }).click();
  await person.waitFor(person.page.getByText("fresh@profile.test"));

  await person.button("account.unbindOf", contact("email")).click();
  await person.waitFor(person.page.getByText(person.t("account.unbindText")));
  await person.page.keyboard.press("Escape");
  await person.button("common.remove").first().click();
  await expect.poll(() => faces.count(), { timeout: 20_000 }).toBe(0);
  // A code within a minute of the last one: the page reports it, waits, and sends again.
  expect(person.consoleProblems.filter((line) => !line.includes("status of 429"))).toEqual([]);
  await person.close();
});

it("settings are saved together, and leaving with unsaved changes asks first", async () => {
  const token = await product.register("settings@profile.test", "clinicManager");
  await product.call(institutionCalls.create, { name: "Settings", type: "clinic", country: "CN" }, { token });
  const person = await BrowserUser.open(browser, product.address, "en");
  const { page } = person;
  await signIn(person, "settings@profile.test");
  await waitForSavedSettings(person);
  const bar = page.getByRole("region", { name: person.t("shell.unsaved.text") });
  const name = page.locator("input[name=nickName]");
  const before = await name.inputValue();
  await name.fill("Dr. Changed");
  const notice = page.locator("#notices").getByRole("radio", { name: person.t("notice.preset.quiet"), exact: true });
  await person.waitFor(notice);
  const isOn = !(await notice.isChecked());
  await notice.press("Space");
  await expect.poll(() => notice.isChecked()).toBe(isOn);
  await person.waitFor(bar);
  await person.takeScreenshots("settings-unsaved", { alsoIn: [] });
  await person.page.setViewportSize(wide);
  await page
    .getByRole("link", { name: person.t("shell.screen.member") })
    .first()
    .click();
  const question = page.getByRole("dialog", { name: person.t("shell.unsaved.question") });
  await person.waitFor(question);
  expect(await findAxeViolations(page, "main", "[role=dialog]")).toEqual([]);
  await question.getByRole("button", { name: person.t("shell.unsaved.stay") }).click();
  await bar.getByRole("button", { name: person.t("shell.unsaved.discard") }).click();
  await bar.waitFor({ state: "detached" });
  await expect.poll(async () => [await name.inputValue(), await notice.isChecked()]).toEqual([before, !isOn]);
  await name.fill("Dr. Changed");
  await notice.press("Space");
  await bar.getByRole("button", { name: person.t("common.save") }).click();
  await bar.waitFor({ state: "detached" });
  await page.reload();
  await expect.poll(() => name.inputValue()).toBe("Dr. Changed");
  await expect.poll(() => notice.isChecked()).toBe(isOn);

  await page.setViewportSize(narrow);
  await page.getByRole("combobox", { name: person.t("shell.sections") }).selectOption("notices");
  await page.waitForURL((url) => url.hash === "#notices");
  await person.waitFor(page.getByRole("heading", { name: person.t("notice.settings.title") }));
  expect(await person.findSidewaysScroll()).toEqual([]);
  expect(person.consoleProblems).toEqual([]);
  await person.close();
});

it("the focus follows a user without a mouse: a dialog focuses its field and, once closed, its opener", async () => {
  const person = await BrowserUser.open(browser, product.address);
  const { page } = person;
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("name"));
  await person.goTo("/register");
  await person.button("account.cookiesAccept").press("Enter");
  await expect.poll(focused).toBe("account");
  await page.keyboard.type("fresh@profile.test");
  await person.button("account.getCode").press("Enter");
  await person.waitFor(person.link("account.signInWith", { label: "fresh@profile.test" }));
  await person.goTo("/login");
  await person.field("account.account").fill("fresh@profile.test");
  await person.page.locator("input[name=password]").fill("not-the-password");
  await person.button("account.signIn").press("Enter");
  await person.waitFor(person.text("refusals.wrongPassword"));
  await expect.poll(focused).toBe("password");
  await person.field("account.account").fill("nobody@profile.test");
  await person.button("account.signIn").press("Enter");
  await person.waitFor(person.text("common.field.accountUnknown"));
  await person.field("account.account").fill("fresh@profile.test");
  await person.text("common.field.accountUnknown").waitFor({ state: "hidden" });
  await signIn(person, "fresh@profile.test");
  await waitForSavedSettings(person);
  const opener = person.button("account.changeOf", { contact: person.t("account.phone") });
  await opener.press("Enter");
  await expect.poll(focused).toBe("code");
  await page.keyboard.press("Enter");
  await person.waitFor(person.text("common.field.codeEmpty"));
  await page.keyboard.press("Escape");
  await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);
  await person.close();
});
