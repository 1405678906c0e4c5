import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { BrowserUser, narrow, wide } from "./support/browser-user.ts";
import { captureFailures, checkPage } from "./support/page-checks.ts";

const password = "a-long-fine-password-7";
let browser: Browser;
const products: Product[] = [];
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  for (const product of products) await product.remove();
});
captureFailures("setup-page", () => browser);

it.each([
  { language: "zh", viewport: wide },
  { language: "en", viewport: narrow },
] as const)(
  "in $language the first person at the printed link becomes the operator, and a second is told so",
  { timeout: 240_000 },
  async ({ language, viewport }) => {
    const product = new Product({ SMTP_URL: "" });
    products.push(product);
    await product.start();
    const link = /http:\S+(\/setup#\S+)/.exec(product.output)?.[1] ?? "";
    const [person, late] = [
      await BrowserUser.open(browser, product.address, language, { viewport }),
      await BrowserUser.open(browser, product.address, language, { viewport }),
    ];
    await openLink(person, link);
    expect(person.page.url(), "no secret stays in the address").toBe(`${product.address}/setup`);
    await openLink(late, link);
    await checkPage(person, "setup-form");

    await person.button("setup.create").click();
    await person.waitFor(person.text("common.field.emailShape"));
    await fillForm(person, "ada@setup.test");
    await person.button("setup.create").click();
    await person.waitFor(person.page.getByRole("heading", { name: person.t("setup.ready.title") }));
    await person.field("setup.address.label").fill("http://arcada.setup.test");
    await person.button("setup.address.save").click();
    await person.waitFor(person.text("common.field.publicAddressShape"));
    await person.field("setup.address.label").fill(product.address);
    await person.button("setup.address.save").click();
    await person.waitFor(person.text("setup.address.saved"));
    await person.button("setup.mail.send").click();
    await person.waitFor(person.text("setup.mail.notConfigured"));
    await checkPage(person, "setup-installation");

    await fillForm(late, "eve@setup.test");
    await late.button("setup.create").click();
    await late.waitFor(late.text("refusals.setupDone"));
    await late.page.reload();
    await late.waitFor(late.page.getByRole("heading", { name: late.t("setup.closed.title") }));
    await late.waitFor(late.text("refusals.setupDone"));
    await checkPage(late, "setup-closed");

    await person.link("setup.ready.open").click();
    await person.page.waitForURL("**/today");
    await person.goTo("/setup");
    await person.waitFor(person.page.getByRole("heading", { name: person.t("setup.ready.title") }));
    expect([...person.consoleProblems, ...late.consoleProblems].filter((line) => !/40[09]|422/.test(line))).toEqual([]);
  },
);

async function openLink(person: BrowserUser, link: string): Promise<void> {
  await person.goTo(link);
  await person.button("account.cookiesAccept").click();
  await person.waitFor(person.page.getByRole("heading", { name: person.t("setup.title.first") }));
}

async function fillForm(person: BrowserUser, email: string): Promise<void> {
  await person.field("setup.email").fill(email);
  await person.field("setup.name").fill("Ada");
  await person.field("account.newPassword").fill(password);
  await person.field("account.confirmPassword").fill(password);
}
