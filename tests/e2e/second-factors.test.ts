import { Secret, TOTP } from "otpauth";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { goodPassword } from "@arcada/testing/fixtures/human-check";
import { IdentityProvider } from "@arcada/testing/peers/identity-provider";
import { Product, freePort } from "@arcada/testing/setup/product-process";
import { addVirtualAuthenticator } from "./support/account-steps.ts";
import { BrowserUser } from "./support/browser-user.ts";

const account = "two.steps@clinic.test";
let browser: Browser;
let identityProvider: IdentityProvider;
let product: Product;
let closeProvider: () => Promise<void>;
beforeAll(async () => {
  const opened = await IdentityProvider.open();
  closeProvider = opened.close;
  const port = await freePort();
  const provider = { id: "house", label: "City Hospital", issuer: opened.address, clientId: "arcada" };
  product = new Product({
    OIDC_PROVIDERS: JSON.stringify([{ ...provider, clientSecret: "a-secret-of-the-house" }]),
    // Passkeys belong to a name, never to a number.
    PUBLIC_URL: `http://localhost:${port}`,
  });
  product.port = port;
  identityProvider = opened.createProvider(`http://localhost:${port}/v1/base/provider/callback`);
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  await product.register(account, "clinicManager");
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  await closeProvider?.();
});

it("a user without a mouse sets up an authenticator app and a passkey, and signs in with each", async () => {
  const person = await BrowserUser.open(browser, `http://localhost:${product.port}`, "en");
  const { page } = person;
  await addVirtualAuthenticator(person);
  await person.goTo("/login");
  await person.button("account.cookiesAccept").press("Enter");
  await person.goTo("/login");
  await typePassword(person);
  await page.waitForURL("**/profile/index");

  await person.link("account.start.settings").click();
  await person.button("factor.setUp").press("Enter");
  const dialog = page.getByRole("dialog");
  await person.waitFor(dialog.getByRole("img", { name: person.t("factor.qr") }));
  const secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).innerText()).trim();
  await person.takeScreenshots("factor-app");
  await page.keyboard.type(totpCode(secret));
  await page.keyboard.press("Enter");
  await person.waitFor(dialog.getByText(person.t("factor.recoveryTitle")));
  const recovery = await dialog.getByRole("listitem").allInnerTexts();
  expect(recovery).toHaveLength(factorRules.recoveryCodes);
  await person.takeScreenshots("factor-recovery");
  await person.button("factor.recoveryKept").press("Enter");

  await person.button("factor.passkeyAdd").press("Enter");
  await dialog.getByLabel(person.t("factor.passkeyName")).fill("My laptop");
  await page.keyboard.press("Enter");
  await person.waitFor(person.text("factor.passkeyAdded"));
  await person.waitFor(page.getByText("My laptop", { exact: true }));
  await person.takeScreenshots("factor-security");

  await signOut(person);
  await person.button("account.passkeySignIn").press("Enter");
  await page.waitForURL("**/profile/index");

  await signOut(person);
  await typePassword(person);
  await person.waitFor(person.text("factor.stepTitle"));
  await person.takeScreenshots("factor-step");
  await page.keyboard.type("000000");
  await page.keyboard.press("Enter");
  await person.waitFor(page.getByText(person.t("common.field.factorWrong")));
  // Go back and forward again: the input is still there.
  await person.button("common.back").press("Enter");
  expect(await person.field("account.account").inputValue()).toBe(account);
  await page.keyboard.press("Enter");
  await person.waitFor(person.text("factor.stepTitle"));
  await person.button("factor.useInstead.recovery").press("Enter");
  await page.keyboard.type(recovery[0]);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/profile/index");
  expect(person.consoleProblems.filter((line) => !/Failed to load resource.*(401|422)/.test(line))).toEqual([]);
  await person.close();
});

it("a user signs in through an identity provider, is notified of a failure, and is asked for the second step", async () => {
  const person = await BrowserUser.open(browser, `http://localhost:${product.port}`, "en");
  await person.goTo("/login");
  await person.button("account.cookiesAccept").click();
  await person.takeScreenshots("factor-login", { alsoIn: ["zh"] });
  identityProvider.account = { sub: "nobody", email: account, email_verified: false };
  await person.link("account.signInWith", { label: "City Hospital" }).click();
  await person.waitFor(person.page.getByText(person.t("refusals.providerUnverified")));
  await person.takeScreenshots("factor-provider-problem", { alsoIn: ["zh"] });
  await person.link("account.backToSignIn").click();
  identityProvider.account = { sub: "ada", email: account, email_verified: true };
  await person.link("account.signInWith", { label: "City Hospital" }).click();
  await person.waitFor(person.text("factor.stepTitle"));
  expect(new URL(person.page.url()).search).not.toContain("code=");
  await person.close();
});

/** A keyboard is enough: the first field waits for it. */
async function typePassword(person: BrowserUser): Promise<void> {
  const focused = () => person.page.evaluate(() => (document.activeElement as HTMLInputElement).name);
  await expect.poll(focused, { timeout: 20_000 }).toBe("account");
  await person.page.keyboard.type(account);
  await person.page.keyboard.press("Tab");
  await person.page.keyboard.type(goodPassword);
  await person.page.keyboard.press("Enter");
}

async function signOut(person: BrowserUser): Promise<void> {
  await person.context.clearCookies({ name: "Admin-Token" });
  await person.goTo("/login");
}

const totpCode = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
