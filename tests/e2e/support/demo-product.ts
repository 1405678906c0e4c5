import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { demoAccounts } from "../../../apps/server/src/domain/demo-accounts.ts";
import { launchBrowser } from "@arcada/testing/browser/launch-browser";
import { Product } from "@arcada/testing/setup/product-process";
import { signIn } from "./account-steps.ts";
import { captureFailures } from "./page-checks.ts";
import { BrowserUser, narrow, wide } from "./browser-user.ts";
import { present } from "@arcada/testing/require-present";

type Role = (typeof demoAccounts.accounts)[number]["role"];

/**
 * Sets up the product with the demo's users and devices for the tests of a file; `name` names the screenshots of a
 * failure.
 */
export function setupDemoProduct(name: string, settings: Record<string, string> = {}) {
  const product = new Product({ ARCADA_DEMO: "accounts", ...settings });
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([launchBrowser(), product.start()]);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product.remove();
  });
  captureFailures(name, () => browser);
  return {
    product,
    /** Signed in: in Chinese before a wide screen, in English with a telephone. */
    signInAs: async (role: Role, language: "zh" | "en"): Promise<BrowserUser> => {
      const isWide = language === "zh";
      const person = await BrowserUser.open(browser, product.address, language, {
        viewport: isWide ? wide : narrow,
        hasTouch: !isWide,
      });
      await signIn(
        person,
        present(demoAccounts.accounts.find((one) => one.role === role)).account,
        demoAccounts.password,
      );
      return person;
    },
  };
}

/** Continues in the other language and at the other screen width. */
export async function switchVariant(person: BrowserUser): Promise<void> {
  const isWide = present(person.page.viewportSize()).width === wide.width;
  await person.page.setViewportSize(wide);
  await person.switchLanguage(person.language === "zh" ? "en" : "zh");
  await person.page.locator(`html[lang|=${person.language}]`).waitFor({ state: "attached" });
  await person.page.setViewportSize(isWide ? narrow : wide);
}
