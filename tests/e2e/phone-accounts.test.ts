import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { Product } from "@arcada/testing/setup/product-process";
import { BrowserUser, narrow } from "./support/browser-user.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";

const [withTexts, withoutTexts] = [new Product(), new Product({ SMS_URL: "" })];
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
  await withTexts.start();
  await withoutTexts.start();
}, 240_000);
captureFailures("phone-accounts", () => browser);
afterAll(async () => {
  await browser?.close();
  await withTexts.remove();
  await withoutTexts.remove();
});

it(
  "somebody registers with a phone number, and is then asked for an email address alone",
  { timeout: 120_000 },
  async () => {
    const person = await BrowserUser.open(browser, withTexts.address, "zh");
    await person.goTo("/register");
    await person.button("account.cookiesAccept").click();
    await person.field("account.account").fill("13912345678");
    await person.button("account.getCode").click();
    await person.waitFor(person.text("account.codeSent"));
    await person.field("account.code").fill(withTexts.findSentCode("13912345678"));
    await person.page.getByRole("radio").first().check();
    await person.field("account.userName").fill("林医生");
    await person.field("account.newPassword").fill(goodPassword);
    await person.field("account.confirmPassword").fill(goodPassword);
    await person.page.locator("input[name=agree]").check();
    await checkPage(person, "register-phone");
    await person.button("account.register").click();
    await person.waitFor(person.text("account.completion.email"));
    expect(await person.page.getByRole("dialog").getByRole("textbox").count(), "address and code").toBe(2);
    await checkPage(person, "completion-email");
    await person.close();
  },
);

it("no page mentions a phone number where no text message can be sent", { timeout: 180_000 }, async () => {
  const account = "mail@phone.test";
  await withoutTexts.register(account, "clinicManager");
  const person = await BrowserUser.open(browser, withoutTexts.address, "en", { viewport: narrow });
  const phone = person.page.getByText(/phone|SMS/i);
  await person.goTo("/login");
  await person.button("account.cookiesAccept").click();
  for (const path of ["/login", "/register", "/forgot"]) {
    await person.goTo(path);
    await person.waitFor(person.field("account.email"));
    expect(await phone.count(), path).toBe(0);
    expect(await person.page.locator("input[name=account]").getAttribute("placeholder"), path).toBeNull();
  }
  await checkPage(person, "forgot-email");
  await person.button("account.getCode").click();
  await person.waitFor(person.text("common.field.emailShape"));
  await person.field("account.email").fill("13912345678");
  await person.button("account.getCode").click();
  await person.waitFor(person.text("refusals.phoneNotOffered"));

  await person.goTo("/login");
  await person.field("account.email").fill(account);
  await person.page.locator("input[name=password]").fill(goodPassword);
  await person.button("account.signIn").click();
  await person.page.waitForURL((url) => url.pathname !== "/login");
  await person.goTo("/profile/index?part=settings");
  const contact = (kind: string) => ({ contact: person.t(`account.${kind}`) });
  await person.waitFor(person.button("account.changeOf", contact("email")));
  expect(await person.button("account.bindOf", contact("phone")).count()).toBe(0);
  expect(await person.page.getByRole("heading", { name: person.t("account.contacts") }).count()).toBe(0);
  await person.close();
});
